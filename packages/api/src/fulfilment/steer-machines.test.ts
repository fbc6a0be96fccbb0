import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Batch } from '../db/batch.js'
import { inTx } from '../db/tx.js'
import { recordFinding } from '../findings/findings.js'
import { everyRow } from '../testing/rows.js'
import { openSale, type Sale } from '../testing/sale.js'
import { findUncleaned, repeatCleanUp } from './clean-up.js'
import { findPowerMismatches, repeatPower } from './enforce-power.js'
import { findCrashed, restartCrashed } from './restart-crashed.js'

let sale: Sale
let id: string
let serverId: string
beforeEach(async () => {
  sale = await openSale()
  id = await sale.buyActive()
  serverId = await sale.serverOf(id)
  sale.app.advance(11 * minute)
  await heardNow()
})
afterEach(() => sale.app.close())

const minute = 60_000
const everything: Batch = { limit: 10, avoid: [] }
const now = () => sale.app.deps.now()
type Find = typeof findCrashed
type Act = typeof restartCrashed
const due = (find: Find, batch = everything) => find(sale.app.db, now(), batch)
const act = (how: Act, which = id) => inTx(sale.app.db, (tx) => how(tx, which, now()))
const heardNow = () =>
  sale.app.db.updateTable('host_heartbeats').set({ inventory_at: new Date(), last_seen_at: new Date() }).execute()
const setServer = (change: object) => sale.app.db.updateTable('servers').set(change).execute()
const setOrder = (change: object) => sale.app.db.updateTable('orders').set(change).execute()
const waiting = async () => {
  const jobs = await sale.app.db.selectFrom('jobs').select('kind').where('status', '=', 'QUEUED').execute()
  return jobs.map(({ kind }) => kind)
}
async function come(find: Find, how: Act, which = id) {
  const found = await due(find)
  const before = await everyRow(sale.app)
  await act(how, which)
  return { found, changed: (await everyRow(sale.app)) !== before }
}
const leftAlone = { found: [], changed: false }
async function comeTogether(find: Find, how: Act, which = id) {
  const found = await due(find)
  const avoided = await due(find, { limit: 10, avoid: [which] })
  await Promise.all([act(how, which), act(how, which), act(how, which)])
  return { found, avoided, asked: await waiting(), next: await come(find, how, which) }
}
const askedOnce = (which: string, kind: string) => ({ found: [which], avoided: [], asked: [kind], next: leftAlone })

describe('a server that runs although it is suspended', () => {
  beforeEach(() => setOrder({ status: 'SUSPENDED', suspend_reason: 'unpaid' }))

  test('is stopped again, once', async () => {
    expect(await comeTogether(findPowerMismatches, repeatPower)).toEqual(askedOnce(id, 'stop'))
  })

  test.each([
    ['is seen to be off', () => setServer({ power: 'off' })],
    ['is not known to run', () => setServer({ power: 'unknown' })],
    [
      'was not seen for a minute',
      () =>
        sale.app.db
          .updateTable('host_heartbeats')
          .set({ inventory_at: new Date(Date.now() - 61_000) })
          .execute(),
    ],
    [
      'has left its place',
      () => sale.app.db.updateTable('placements').set({ state: 'releasing', releasing_at: new Date() }).execute(),
    ],
  ])('is left alone where it %s', async (_, change) => {
    await change()
    expect(await come(findPowerMismatches, repeatPower)).toEqual(leftAlone)
  })

  test('is left alone for ten minutes after anything was asked of it', async () => {
    await sale.app.db
      .updateTable('jobs')
      .set({ created_at: new Date(now().getTime() - 10 * minute + 1000) })
      .execute()
    expect(await come(findPowerMismatches, repeatPower)).toEqual(leftAlone)
    await sale.app.db
      .updateTable('jobs')
      .set({ created_at: new Date(now().getTime() - 10 * minute) })
      .execute()
    expect(await due(findPowerMismatches)).toEqual([id])
  })
})

describe('a server that is off although its order came back', () => {
  beforeEach(async () => {
    await setServer({ power: 'off' })
    await sale.app.db.updateTable('jobs').set({ kind: 'start', status: 'FAILED', finished_at: now() }).execute()
  })

  test('is started again, once', async () => {
    expect(await comeTogether(findPowerMismatches, repeatPower)).toEqual(askedOnce(id, 'start'))
  })

  test.each([
    [
      'its owner asked for that start',
      () => sale.app.db.updateTable('jobs').set({ asked_by: sale.lin.user.id }).execute(),
    ],
    ['the start was done', () => sale.app.db.updateTable('jobs').set({ status: 'SUCCEEDED' }).execute()],
    ['it was a stop that failed', () => sale.app.db.updateTable('jobs').set({ kind: 'stop' }).execute()],
    [
      'the failure is a day old',
      () =>
        sale.app.db
          .updateTable('jobs')
          .set({ finished_at: new Date(now().getTime() - 1_440 * minute) })
          .execute(),
    ],
    ['it runs', () => setServer({ power: 'on' })],
    ['nothing is known of it', () => setServer({ power: 'unknown' })],
  ])('is left alone where %s', async (_, change) => {
    await change()
    expect(await due(findPowerMismatches)).toEqual([])
  })
})

describe('a machine that crashed', () => {
  const crash = async () => {
    await setServer({ power: 'off' })
    await sale.agent.report(serverId, 'off', { condition: 'crashed' })
  }

  test('is started again, once', async () => {
    await crash()
    expect(await comeTogether(findCrashed, restartCrashed)).toEqual(askedOnce(id, 'start'))
  })

  test('is started three times in ten minutes, and then left to somebody', async () => {
    await crash()
    for (let times = 1; times <= 3; times += 1) {
      expect(await due(findCrashed)).toEqual([id])
      await act(restartCrashed)
      await sale.agent.serve({ power: 'off' })
    }
    expect(await come(findCrashed, restartCrashed)).toEqual(leftAlone)
    sale.app.advance(10 * minute)
    expect(await due(findCrashed)).toEqual([id])
  })

  test('is started once an hour after it crashed twelve times in a day, and as before once a day has gone by', async () => {
    await crash()
    for (let times = 1; times <= 12; times += 1) {
      expect([times, await due(findCrashed)]).toEqual([times, [id]])
      await act(restartCrashed)
      await sale.agent.serve({ power: 'off' })
      sale.app.advance(5 * minute)
    }
    expect(await come(findCrashed, restartCrashed)).toEqual(leftAlone)
    sale.app.advance(55 * minute)
    expect(await due(findCrashed)).toEqual([id])
    await act(restartCrashed)
    await sale.agent.serve({ power: 'off' })
    sale.app.advance(59 * minute)
    expect(await due(findCrashed)).toEqual([])
    sale.app.advance(24 * 60 * minute)
    expect(await due(findCrashed)).toEqual([id])
  })

  test.each([
    ['its order is suspended', () => setOrder({ status: 'SUSPENDED', suspend_reason: 'admin' })],
    ['it runs by now', () => setServer({ power: 'on' })],
    ['nothing is known of it', () => setServer({ power: 'unknown' })],
    ['the finding is over', () => sale.app.db.updateTable('findings').set({ resolved_at: new Date() }).execute()],
    [
      'it has left that host',
      () => sale.app.db.updateTable('placements').set({ state: 'releasing', releasing_at: new Date() }).execute(),
    ],
    ['its owner acts on it', () => sale.lin.post('/server-management/action', { serverId, action: 'start' })],
    [
      'no machine starts on its host',
      () =>
        inTx(sale.app.db, (tx) =>
          recordFinding(tx, { hostId: sale.host.id, kind: 'no-kvm', subject: sale.host.id, details: {} }, now()),
        ),
    ],
  ])('is left alone where %s', async (_, change) => {
    await crash()
    await change()
    expect(await come(findCrashed, restartCrashed)).toEqual(leftAlone)
  })
})

describe('a place whose clean-up failed', () => {
  let place: string
  beforeEach(async () => {
    await setOrder({ status: 'SUSPENDED', suspend_reason: 'unpaid', expires_at: new Date(0) })
    place = (await sale.app.db.selectFrom('placements').select('id').executeTakeFirstOrThrow()).id
    await sale.app.db
      .updateTable('placements')
      .set({ state: 'releasing', releasing_at: new Date(now().getTime() - 10 * minute) })
      .execute()
  })

  test('is cleaned again, once', async () => {
    expect(await comeTogether(findUncleaned, repeatCleanUp, place)).toEqual(askedOnce(place, 'destroy'))
  })

  test.each([
    [
      'it was left less than ten minutes ago',
      () =>
        sale.app.db
          .updateTable('placements')
          .set({ releasing_at: new Date(now().getTime() - 9 * minute) })
          .execute(),
    ],
    ['it is free', () => sale.app.db.updateTable('placements').set({ state: 'freed', freed_at: new Date() }).execute()],
    [
      'its host is away',
      () =>
        sale.app.db
          .updateTable('host_heartbeats')
          .set({ last_seen_at: new Date(Date.now() - 61_000) })
          .execute(),
    ],
    [
      'something was asked there lately',
      () =>
        sale.app.db
          .updateTable('jobs')
          .set({ created_at: new Date(now().getTime() - minute) })
          .execute(),
    ],
  ])('is left alone where %s', async (_, change) => {
    await change()
    expect(await come(findUncleaned, repeatCleanUp, place)).toEqual(leftAlone)
  })
})
