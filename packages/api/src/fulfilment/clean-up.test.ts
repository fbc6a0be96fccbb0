import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { plansOf } from '../testing/plans.js'
import { openSale, type Sale } from '../testing/sale.js'
import { findUncleaned } from './clean-up.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale({ yuan: 200, servers: 2 })))
afterEach(() => sale.app.close())

test('what is left uncleaned is found without reading every clean-up that there ever was', async () => {
  const { app, agent } = sale
  const left = await sale.serverOf(await sale.buyActive())
  // Of as many servers.
  await sql`alter table jobs drop constraint jobs_server_id_fkey`.execute(app.owner)
  await sql`insert into jobs (id, server_id, host_id, kind, status, generation, payload, run_at, created_at, finished_at)
    select gen_random_uuid(), gen_random_uuid(), ${sale.host.id}, 'destroy', 'SUCCEEDED', 1, '{"kind":"destroy"}', now(),
      to_timestamp(n), now() from generate_series(1, 20000) n`.execute(app.db)
  const gone = { state: 'releasing', releasing_at: new Date(0) } as const
  await app.db.updateTable('placements').set(gone).where('server_id', '=', left).execute()
  await app.db
    .updateTable('jobs')
    .set({ created_at: new Date(0) })
    .where('server_id', '=', left)
    .execute()
  await sql`analyze jobs`.execute(app.owner)
  await agent.inventory()
  const plans = await plansOf(app, async () => {
    expect(await findUncleaned(app.db, app.deps.now(), { limit: 10, avoid: [] })).toHaveLength(1)
  })
  expect(plans).toHaveLength(1)
  expect(plans[0]).not.toMatch(/jobs_kind_idx|Seq Scan on jobs/)
  expect(plans[0]).toContain('jobs_server_idx')
})
