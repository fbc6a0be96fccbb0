import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Tx } from '../db/client.js'
import { inTx } from '../db/tx.js'
import { heldPlace } from '../fleet/placements.js'
import { insertJob } from '../jobs/enqueue.js'
import { must } from '../must.js'
import { deleteInitialPasswords } from '../orders/delete-initial-passwords.js'
import { lockDueOrder, lockOrder, lockOrderAhead } from '../orders/lock-order.js'
import { jobAt } from '../servers/kvm/job-at.js'
import { resizeBack } from '../servers/kvm/resize.js'
import { sweep } from '../schedule/sweep.js'
import { forge } from '../testing/database.js'
import { hostAgent } from '../testing/host.js'
import { lockWaits } from '../testing/locks.js'
import { openSale, type Sale } from '../testing/sale.js'
import { repeatCleanUp } from './clean-up.js'
import { endLostLease } from './dispatch.js'

let sale: Sale
let id: string
beforeEach(async () => {
  sale = await openSale()
  id = await sale.buy()
})
afterEach(() => sale.app.close())

const orders = sql`orders`
const servers = sql`servers`
/** Jobs that who has the order, or the server, could still lock meanwhile. */
async function jobsFreeBeside(act: () => Promise<unknown>, table = orders): Promise<number> {
  let acting: Promise<unknown> = Promise.resolve()
  const free = await sale.app.owner.transaction().execute(async (tx) => {
    await sql`select from ${table} where ${id} in (id, ${table === servers ? sql`order_id` : sql`id`}) for update`.execute(
      tx,
    )
    acting = act()
    await expect.poll(() => lockWaits(sale.app.db)).toBe(1)
    return (await sql`select from jobs for update skip locked`.execute(tx)).rows.length
  })
  await acting
  return free
}

describe('the order is locked before its job', () => {
  test('by a claim', async () => {
    expect(await jobsFreeBeside(() => sale.agent.claim())).toBe(1)
  })

  test('by the next start of an agent that gets its job again', async () => {
    const job = (await sale.agent.claim())!
    const next = hostAgent(sale.app, sale.host.token, sale.agent)
    await next.report(job.serverId, 'unknown')
    expect(await jobsFreeBeside(() => next.claim([{ jobId: job.id, attempt: 1 }]))).toBe(1)
  })

  test('by a report', async () => {
    const job = (await sale.agent.claim())!
    expect(await jobsFreeBeside(() => sale.agent.finish(job))).toBe(1)
  })

  test('by the sweep of a lost lease', async () => {
    const job = (await sale.agent.claim())!
    await sale.app.db
      .updateTable('jobs')
      .set({ lease_until: new Date(0) })
      .execute()
    expect(await jobsFreeBeside(() => inTx(sale.app.db, (tx) => endLostLease(tx, job.id, sale.app.deps.now())))).toBe(1)
  })
})

describe('the server is locked before its job, as by who replaces that: each waited for the other', () => {
  const stopped = async () => {
    await sale.agent.serve()
    await sale.lin.post('/server-management/action', { serverId: await sale.serverOf(id), action: 'stop' })
    const job = (await sale.agent.claim())!
    await sale.app.db.deleteFrom('jobs').where('id', '<>', job.id).execute()
    return job
  }

  test('by a report', async () => {
    const job = await stopped()
    expect(await jobsFreeBeside(() => sale.agent.finish(job), servers)).toBe(1)
  })

  test('by the sweep of a lost lease', async () => {
    const job = await stopped()
    await sale.app.db
      .updateTable('jobs')
      .set({ lease_until: new Date(0) })
      .execute()
    const ended = () => inTx(sale.app.db, (tx) => endLostLease(tx, job.id, sale.app.deps.now()))
    expect(await jobsFreeBeside(ended, servers)).toBe(1)
  })

  test.each(['cancel', 'adopt'])('by an operator’s %s', async (act) => {
    const job = await stopped()
    expect(await jobsFreeBeside(() => sale.admin.post(`/jobs/${job.id}/${act}`), servers)).toBe(1)
  })

  test('by a claim that gives up on what no key opens', async () => {
    await sale.app.db.updateTable('machine_secrets').set({ value_enc: 'v1.00000000.AA.AA.AA' }).execute()
    expect(await jobsFreeBeside(() => sale.agent.claim(), servers)).toBe(1)
    const ended = await sale.app.db.selectFrom('jobs').select('status').where('kind', '=', 'install').execute()
    expect(ended).toEqual([{ status: 'FAILED' }])
  })

  test('by a suspension, which aborts it', async () => {
    await stopped()
    const suspend = () => sale.admin.put(`/orders/${id}/status`, { status: 'SUSPENDED', reason: '测试' })
    expect(await jobsFreeBeside(suspend, servers)).toBe(1)
  })

  test('by a resumption, beside which it can be queued again', async () => {
    await sale.agent.serve()
    const setStatus = (status: string) => sale.admin.put(`/orders/${id}/status`, { status, reason: '测试' })
    await setStatus('SUSPENDED')
    const job = (await sale.agent.claim())!
    const resumed = await sale.app.owner.transaction().execute(async (tx) => {
      await sql`select from servers where order_id = ${id} for update`.execute(tx)
      const resuming = setStatus('ACTIVE')
      await expect.poll(() => lockWaits(sale.app.db)).toBe(1)
      await sql`set local lock_timeout = 500`.execute(tx)
      await sql`update jobs set status = 'QUEUED', lease_until = null where id = ${job.id}`.execute(tx)
      return { resuming }
    })
    expect((await resumed.resuming).status).toBe(200)
  })
})

describe('whoever has an order holds up nobody who asks for a job of it, having its server first', () => {
  test.each([
    ['locked alone', (tx: Tx) => lockOrder(tx, id)],
    [
      'locked ahead',
      async (tx: Tx) => {
        const order = await lockOrderAhead(tx, id)
        await sql`select 1`.execute(tx)
        return order()
      },
    ],
    ['locked as due', (tx: Tx) => lockDueOrder(tx, id, 'ACTIVE')],
    [
      'to forget its password, once it has ended',
      async (tx: Tx) => {
        await forge(sale.app.owner, (db) =>
          db.updateTable('orders').set({ status: 'EXPIRED' }).where('id', '=', id).execute(),
        )
        return (await deleteInitialPasswords(tx, 10)).length === 1 ? { id } : null
      },
    ],
  ])('%s', async (_, lock) => {
    const { app } = sale
    await sale.agent.serve()
    const serverId = await sale.serverOf(id)
    const place = must(await heldPlace(app.db, serverId).executeTakeFirst())
    await inTx(app.db, async (tx) => {
      expect((await lock(tx))?.id).toBe(id)
      await inTx(app.db, async (asking) => {
        await sql`set local lock_timeout = 500`.execute(asking)
        await insertJob(asking, { ...jobAt(place, { orderId: id }), payload: { kind: 'restart' } }, app.deps.now())
      })
    })
    expect((await sale.agent.claim())?.serverId).toBe(serverId)
  })
})

/** Its place, left long ago, of which nobody told that it is clean. */
async function leaveUncleaned(serverId: string): Promise<string> {
  const { db } = sale.app
  const gone = { state: 'releasing', releasing_at: new Date(0) } as const
  const left = await db.updateTable('placements').set(gone).returning('id').executeTakeFirstOrThrow()
  await db
    .updateTable('jobs')
    .set({ created_at: new Date(0) })
    .where('server_id', '=', serverId)
    .execute()
  await sale.agent.inventory()
  return left.id
}

const cleanUp = (placeId: string) => inTx(sale.app.db, (tx) => repeatCleanUp(tx, placeId, sale.app.deps.now()))

test('a clean-up once more has its place after its host, as who declares that lost: each waited for the other', async () => {
  const { app, host } = sale
  await sale.agent.serve()
  const placeId = await leaveUncleaned(await sale.serverOf(id))
  const { cleaning } = await app.owner.transaction().execute(async (tx) => {
    await sql`select from hosts where id = ${host.id} for update`.execute(tx)
    const cleaning = cleanUp(placeId)
    await expect.poll(() => lockWaits(app.db)).toBe(1)
    await sql`set local lock_timeout = 500`.execute(tx)
    await sql`update placements set wiping = wiping`.execute(tx)
    return { cleaning }
  })
  await cleaning
})

test('who declares a host lost has it after the servers whose places are freed, as a report: each waited for the other', async () => {
  const { app, host } = sale
  await sale.agent.serve()
  const serverId = await sale.serverOf(id)
  await leaveUncleaned(serverId)
  const { declaring } = await app.owner.transaction().execute(async (tx) => {
    await sql`select from servers where id = ${serverId} for update`.execute(tx)
    const declaring = sale.admin.put(`/hosts/${host.id}/status`, { status: 'LOST' })
    await expect.poll(() => lockWaits(app.db)).toBe(1)
    await sql`set local lock_timeout = 500`.execute(tx)
    await sql`update hosts set used_cpu = used_cpu where id = ${host.id}`.execute(tx)
    return { declaring }
  })
  expect((await declaring).status).toBe(200)
})

describe('who changes a place has its server first, as who asks for a job there: each waited for the other', () => {
  test.each([
    ['an upgrade', () => sale.lin.post(`/orders/${id}/upgrade`, { cpuCores: 4 })],
    [
      'the size of before, brought back',
      async (serverId: string) => {
        const spec = { cpuCores: 2, memoryGb: 4, storageGb: 40, bandwidthMbps: 100, ipCount: 1 }
        const resize = { serverId, orderId: id, askedBy: null, spec }
        return inTx(sale.app.db, (tx) => resizeBack(tx, resize, sale.app.deps.now()))
      },
    ],
    ['a clean-up once more', async (serverId: string) => cleanUp(await leaveUncleaned(serverId))],
  ])('%s', async (_, act) => {
    const { app } = sale
    await sale.agent.serve()
    const serverId = await sale.serverOf(id)
    const { acting } = await app.owner.transaction().execute(async (tx) => {
      await sql`select from servers where id = ${serverId} for update`.execute(tx)
      const acting = act(serverId)
      await expect.poll(() => lockWaits(app.db)).toBe(1)
      await sql`set local lock_timeout = 500`.execute(tx)
      await sql`select from placements for key share`.execute(tx)
      return { acting }
    })
    await acting
    const asked = await app.db.selectFrom('jobs').select('kind').where('status', '=', 'QUEUED').execute()
    expect(asked).toHaveLength(1)
  })

  test.each([
    ['that nobody began', async () => {}],
    [
      'whose job is over',
      () =>
        sale.app.db
          .updateTable('jobs')
          .set({ status: 'CANCELLED', finished_at: new Date() })
          .where('kind', '=', 'resize')
          .execute(),
    ],
  ])('nor who gives an upgrade back %s, with its job', async (_, change) => {
    const { app, lin } = sale
    await sale.agent.serve()
    await lin.post(`/orders/${id}/upgrade`, { cpuCores: 4 })
    await change()
    app.advance(30 * 60_000)
    const { acting } = await app.owner.transaction().execute(async (tx) => {
      await sql`select from servers for update`.execute(tx)
      const acting = sweep(app.deps)
      await expect.poll(() => lockWaits(app.db)).toBe(1)
      await sql`set local lock_timeout = 500`.execute(tx)
      await sql`select from jobs for update`.execute(tx)
      await sql`select from placements for update`.execute(tx)
      return { acting }
    })
    await acting
    expect(await app.db.selectFrom('order_upgrades').select('status').execute()).toEqual([{ status: 'REVERSED' }])
  })
})
