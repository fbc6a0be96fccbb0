import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { dialog, field, pressOn } from '../testing/act'
import { announcement, group } from '../testing/operators-things'
import { open } from '../testing/screen'
import type { Script } from '../testing/script'
import { pageOf } from '../testing/things'

test('Escape closes the list of a choice, and its dialog stays with what was typed', async () => {
  const reads: Script = {
    'announcements.list': { data: pageOf(announcement) },
    'catalogue.groups': { data: pageOf(group) },
  }
  await open('/announcements', reads, 'admin')
  await pressOn('发布公告')
  await field('标题').fill('夜间维护')
  field('接收人').element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => field('接收人').element().matches(':open')).toBe(true)
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => field('接收人').element().matches(':open')).toBe(false)
  await expect.element(field('标题')).toHaveValue('夜间维护')
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
})
