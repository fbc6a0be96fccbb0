import { describe, expect, test } from 'vitest'
import { readAgain } from '../../testing/act'
import { consoleAddress, consoleReads } from '../../testing/customers-acts'
import { answer, main, open } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { details, inDays, insertedIso, snapshot } from '../../testing/things'

const button = (name: string) => main().getByRole('button', { name, exact: true })

test('a button that has the focus keeps it when what it asks for becomes impossible, and possible again', async () => {
  await open(consoleAddress, consoleReads)
  await expect.element(button('重装系统')).toBeVisible()
  button('重装系统').element().focus()
  for (const isProtected of [true, false]) {
    await answer({ ...consoleReads, 'console.details': { data: details({ protected: isProtected }) } })
    // As a mouse that takes no focus.
    button('刷新数据')
      .element()
      .dispatchEvent(new MouseEvent('click', { bubbles: true }))
    if (isProtected) await expect.element(button('重装系统')).toHaveAttribute('aria-disabled', 'true')
    else await expect.element(button('重装系统')).not.toHaveAttribute('aria-disabled')
    await expect.element(button('重装系统')).toHaveFocus()
  }
})

const having = (change: Parameters<typeof details>[0]): Script => ({
  ...consoleReads,
  'snapshots.list': { data: [] },
  'console.details': { data: details(change) },
})
const outside = having({ rescue: { offered: true, since: null } })
const inRescue = having({ rescue: { offered: true, since: inDays(-1) } })
const emptyDrive = having({ iso: { offered: true, inserted: null, bootedAt: null } })
const withDisc = having({ iso: insertedIso })
const withSnapshots = { ...having({ snapshots: { used: 1, most: 1 } }), 'snapshots.list': { data: [snapshot()] } }

/** A job that ends takes what it was asked with. */
const ended: [name: string, part: string, before: Script, after: Script][] = [
  ['进入救援模式', 'security', outside, inRescue],
  ['退出救援模式', 'security', inRescue, outside],
  ['插入光盘', 'disk', emptyDrive, withDisc],
  ['弹出光盘', 'disk', withDisc, emptyDrive],
  [`删除 ${snapshot().name}`, 'disk', withSnapshots, having({ snapshots: { used: 0, most: 1 } })],
]

describe.each(ended)('where what %s was asked with goes as it is done', (name, part, before, after) => {
  test('the focus stays in the page, beside it', async () => {
    await open(`${consoleAddress}?part=${part}`, before)
    await expect.element(button(name)).toBeVisible()
    button(name).element().focus()
    await answer(after)
    readAgain()
    await expect.element(button(name)).not.toBeInTheDocument()
    await expect.poll(() => main().element().contains(document.activeElement)).toBe(true)
  })
})
