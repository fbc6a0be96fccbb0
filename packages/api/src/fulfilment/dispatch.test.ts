import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { hostAgent } from '../testing/host.js'
import { lockWaits } from '../testing/locks.js'
import { openSale, type Sale } from '../testing/sale.js'
import { endLostLease } from './dispatch.js'

let sale: Sale
let id: string
beforeEach(async () => {
  sale = await openSale()
  id = await sale.buy()
})
afterEach(() => sale.app.close())

/** Jobs that a holder of the order could still lock meanwhile. */
async function jobsFreeBeside(act: () => Promise<unknown>): Promise<number> {
  let acting: Promise<unknown> = Promise.resolve()
  const free = await sale.app.owner.transaction().execute(async (tx) => {
    await sql`select from orders where id = ${id} for update`.execute(tx)
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
