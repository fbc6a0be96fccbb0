import { TRPCClientError } from '@trpc/client'
import { describe, expect, test, vi } from 'vitest'
import { keepNotices, lastNotices, markRead } from '../announcements/read-notices'
import { loadPart, untilLoaded } from '../loading/load-part'
import { readStored } from '../stored'
import { id, inDays } from '../testing/things'
import { Unanswered } from './errors'
import { currentSession, endSession, keepUser, loseSession, startSession } from './session'
import { untilAnswered } from './until-answered'

const user = {
  id: id(1),
  username: 'demo',
  email: 'demo@example.com',
  role: 'USER',
  isAdmin: false,
  createdAt: '2026-01-01T00:00:00.000Z',
}
const elsewhere = (key: string | null) => window.dispatchEvent(new StorageEvent('storage', { key }))

describe('a session', () => {
  test('is kept under the names of the specification, and forgotten whole', () => {
    startSession('t1', user)
    expect([localStorage.getItem('token'), JSON.parse(localStorage.getItem('user') ?? '')]).toEqual(['t1', user])
    history.replaceState(null, '', '/orders')
    endSession()
    expect([localStorage.getItem('token'), localStorage.getItem('user')]).toEqual([null, null])
    expect([currentSession(), location.pathname]).toEqual([{ token: null, user: null }, '/auth'])
  })

  test('that the server does not know any more says so, and leads back to where it was', () => {
    startSession('t1', user)
    history.replaceState(null, '', '/orders?status=PAID')
    loseSession()
    expect(currentSession().lost).toBe(true)
    expect(location.pathname + location.search).toBe('/auth?next=%2Forders%3Fstatus%3DPAID')
  })

  test('that ended in another tab has ended here, and one that began there has begun', () => {
    startSession('t1', user)
    localStorage.clear()
    elsewhere(null)
    expect(currentSession().token).toBeNull()
    localStorage.setItem('token', 't2')
    elsewhere('token')
    expect(currentSession()).toEqual({ token: 't2', user: null })
    localStorage.setItem('user', JSON.stringify(user))
    elsewhere('something-else')
    expect(currentSession().user).toBeNull()
    elsewhere('user')
    expect(currentSession().user).toEqual(user)
  })

  test.each([
    ['that the server ended', 'says so in every tab, whichever heard of it first', loseSession, true],
    ['that somebody left', 'says nothing of the kind in the others', endSession, undefined],
  ])('%s %s', (_, __, end, lost) => {
    startSession('t0', user)
    loseSession()
    startSession('t1', user)
    end()
    const left = Object.entries(localStorage)
    // This tab, which hears of it from what that one has stored.
    startSession('t1', user)
    localStorage.clear()
    for (const [key, value] of left) localStorage.setItem(key, String(value))
    elsewhere('token')
    elsewhere('user')
    expect(currentSession()).toEqual({ token: null, user: null, lost })
  })

  test('keeps a profile that was read, unless it has ended meanwhile', () => {
    startSession('t1', user)
    keepUser({ ...user, username: 'renamed' })
    expect(currentSession()).toMatchObject({ token: 't1', user: { username: 'renamed' } })
    endSession()
    keepUser(user)
    expect([currentSession().user, localStorage.getItem('user')]).toEqual([null, null])
  })
})

test('what cannot be read of what was kept is as if it were not there', () => {
  localStorage.setItem('x', '{"half":')
  expect([readStored(localStorage, 'x'), readStored(localStorage, 'never')]).toEqual([null, null])
  localStorage.setItem('x', '[1]')
  expect(readStored(localStorage, 'x')).toEqual([1])
})

describe('notices', () => {
  const stored = () => JSON.parse(localStorage.getItem('notices-read') ?? '[]') as string[]
  const notice = {
    id: id(111),
    title: '维护',
    body: '今晚',
    level: 'info',
    startsAt: inDays(-1),
    endsAt: null,
  } as const

  test('are remembered as read, the newest hundred of them, each once', () => {
    markRead(Array.from({ length: 99 }, (_, n) => `n${n}`))
    markRead(['n5', 'fresh', 'fresher'])
    expect(stored()).toHaveLength(100)
    expect(stored().slice(0, 3)).toEqual(['fresh', 'fresher', 'n0'])
    expect(stored().filter((one) => one === 'n5')).toHaveLength(1)
  })

  test('that were shown last are shown again to the same person alone', () => {
    keepNotices(user.id, [notice])
    expect(lastNotices(user.id)).toEqual([notice])
    expect([lastNotices(id(2)), lastNotices(null)]).toEqual([undefined, undefined])
  })
})

test('a part of the program that does not come is done without', async () => {
  expect(await loadPart(() => Promise.resolve(7))).toBe(7)
  expect(await loadPart(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')))).toBeNull()
})

test('a part that nobody can do without for good is asked for until it comes', async () => {
  vi.useFakeTimers()
  const load = vi
    .fn<() => Promise<number>>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch'))
    .mockResolvedValue(7)
  const part = untilLoaded(load)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(load).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await part).toBe(7)
  expect(load).toHaveBeenCalledTimes(2)
})

describe('an act where no place tells that it is checked', () => {
  const silence = TRPCClientError.from(new TypeError('Failed to fetch'))

  test('is sent once, and its answer or its failure is its end', async () => {
    let sent = 0
    const sending = (answer: Promise<string>) => () => {
      sent += 1
      return answer
    }
    expect(await untilAnswered(sending(Promise.resolve('done')), 1_000)).toBe('done')
    await expect(untilAnswered(sending(Promise.reject(silence)), 1_000)).rejects.toBe(silence)
    expect(sent).toBe(2)
  })

  test('without an answer is given up in its time, and nothing is claimed to be lost', async () => {
    const never = untilAnswered(() => new Promise<never>(() => undefined), 5)
    await expect(never).rejects.toSatisfy((error) => error instanceof Unanswered && !error.lost)
  })
})
