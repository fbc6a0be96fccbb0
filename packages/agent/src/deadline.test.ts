import { describe, expect, test } from 'vitest'
import { beyondDeadline, refuseLate, withDeadline } from './deadline.js'
import { run } from './hypervisor/virsh/run.js'
import { virshSessions } from './hypervisor/virsh/sessions.js'

const soon = { limitMs: 20, graceMs: 60_000 }
const late = 'step define did not end within 20 ms'
/** Until somebody refuses it. */
const forever = async (act: () => Promise<unknown>): Promise<never> => {
  for (;;) await act()
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('an act whose deadline has passed', () => {
  const virsh = virshSessions('test:///default')

  test.each([
    ['a program', () => run('true', [])],
    ['a question to virsh', () => virsh(['no-such-command']).catch((error: unknown) => rethrowLate(error))],
    ['a turn', async () => (await turn(), refuseLate())],
  ])('begins nothing more, %s neither, and is over before that is told', async (_, act) => {
    let isOver = false
    const acting = () => forever(act).finally(() => (isOver = true))
    await expect(withDeadline(acting, soon, 'define')).rejects.toThrow(late)
    expect(isOver).toBe(true)
  })

  test('and never ends is waited for a while, then left', async () => {
    await expect(withDeadline(() => new Promise(() => {}), { limitMs: 20, graceMs: 20 }, 'define')).rejects.toThrow(
      late,
    )
  })

  test('refuses nothing of what goes on by itself, nor of others', async () => {
    let end = () => {}
    const ended = new Promise<void>((resolve) => (end = resolve))
    let goneOn = Promise.reject<void>(new Error('not begun'))
    goneOn.catch(() => {})
    const acting = () => {
      goneOn = beyondDeadline(() => ended.then(refuseLate))
      return forever(() => turn().then(refuseLate)).finally(end)
    }
    await expect(withDeadline(acting, soon, 'define')).rejects.toThrow(late)
    await expect(goneOn).resolves.toBeUndefined()
    expect(refuseLate()).toBeUndefined()
  })
})

test('an act that ends in time is what it was, whether well or not', async () => {
  const limits = { limitMs: 60_000, graceMs: 60_000 }
  await expect(withDeadline(async () => refuseLate(), limits, 'define')).resolves.toBeUndefined()
  await expect(withDeadline(() => Promise.reject(new Error('its own')), limits, 'define')).rejects.toThrow('its own')
})

function rethrowLate(error: unknown): void {
  if (error instanceof Error && error.message === late) throw error
}
