import { expect, test } from 'vitest'
import { choose, field, inDialog, inQuestion, question } from '../../testing/act'
import { open } from '../../testing/screen'
import { offer, row } from '../../testing/things'

test('what was chosen for a reinstall stays where its question is answered with no', async () => {
  await open('/dashboard', {
    'orders.list': { data: [row()] },
    'shop.osOptions': { data: offer().osOptions },
    'accounts.sshKeys': { data: [] },
    'snapshots.list': { data: [] },
  })
  await choose(row().serverName, '重装系统')
  await field('新SSH端口').fill('2200')
  await inDialog('重装系统').click()
  await inQuestion('取消').click()
  await expect.element(question).not.toBeInTheDocument()
  await expect.element(field('新SSH端口')).toHaveValue('2200')
  await expect.element(inDialog('重装系统')).toHaveFocus()
})
