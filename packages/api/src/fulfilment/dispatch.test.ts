import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { inTx } from '../db/tx.js'
import { hostAgent } from '../testing/host.js'
import { lockWaits } from '../testing/locks.js'
import { openSale, type Sale } from '../testing/sale.js'
import { endLostLease } from './dispatch.js'

/** Jobs from claim to end, beside what happens to their orders in the same moment. */

let sale: Sale
let id: string
beforeEach(async () => {
  sale = await openSale()
  id = await sale.buy()
})
afterEach(() => sale.app.close())

/** While a command holds the order, `act` waits for it and holds nothing that the command comes to later. */
async function waitsForOrderFirst(act: () => Promise<unknown>): Promise<void> {
  let acting: Promise<unknown> = Promise.resolve()
  await sale.app.owner.transaction().execute(async (tx) => {
    await sql`select from orders where id = ${id} for update`.execute(tx)
    acting = act()
    await vi.waitFor(async () => expect(await lockWaits(sale.app.db)).toBe(1))
    await sql`select from jobs for update nowait`.execute(tx)
  })
  await acting
}

describe('the order is locked before its job', () => {
  test('by a claim', () => waitsForOrderFirst(() => sale.agent.claim()))

  test('by the next start of an agent that gets its job again', async () => {
    const job = (await sale.agent.claim())!
    const next = hostAgent(sale.app, sale.host.token, sale.agent)
    await next.report(job.serverId, 'unknown')
    await waitsForOrderFirst(() => next.claim([{ jobId: job.id, attempt: 1 }]))
  })

  test('by a report', async () => {
    const job = (await sale.agent.claim())!
    await waitsForOrderFirst(() => sale.agent.finish(job))
  })

  test('by the sweep of a lost lease', async () => {
    const job = (await sale.agent.claim())!
    await sale.app.db
      .updateTable('jobs')
      .set({ lease_until: new Date(0) })
      .execute()
    await waitsForOrderFirst(() => inTx(sale.app.db, (tx) => endLostLease(tx, job.id, sale.app.deps.now())))
  })
})
