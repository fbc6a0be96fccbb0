import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { increaseEpoch } from '../jobs/epoch.js'
import { sweep } from '../schedule/sweep.js'
import { stopUntilAllowed } from '../schedule/timers.js'
import { hostAgent } from '../testing/host.js'
import { openSale, type HostAgent, type Sale } from '../testing/sale.js'
import { addHost, sharePool } from '../testing/shop.js'

/** The database is of an earlier moment than its hosts: what it asked for then may have been done, and left behind, long ago. */

let sale: Sale
let other: { id: string; agent: HostAgent }
beforeEach(async () => {
  sale = await openSale({ yuan: 500, servers: 3, addresses: 10 })
  const host = await addHost(sale.app, sale.shop, { network: '10.9.1', servers: 3 })
  other = { id: host.id, agent: hostAgent(sale.app, host.token) }
  await sharePool(sale.app, sale.host.id, other.id)
})
afterEach(() => sale.app.close())

const restored = () =>
  inTx(sale.app.db, async (tx) => {
    await stopUntilAllowed(tx, sale.app.deps.now())
    await increaseEpoch(tx, sale.app.deps.now())
  })
const outdated = { ok: false, final: true, power: 'on', message: '任务已被更新的任务取代' } as const
const places = async (serverId: string) => {
  const rows = await sale.app.db
    .selectFrom('placements')
    .select(['host_id', 'state'])
    .where('server_id', '=', serverId)
    .execute()
  return Object.fromEntries(rows.map(({ host_id, state }) => [host_id === other.id ? 'there' : 'here', state]))
}

describe('a set-up that was under way', () => {
  let id: string
  /** Whichever of the two hosts got it. */
  const agents = () => [sale.agent, other.agent]
  async function takeInstall() {
    for (const agent of agents()) {
      const job = await agent.claim()
      if (job) return { agent, job }
    }
    throw new Error('nobody was asked')
  }
  beforeEach(async () => {
    id = await sale.buy()
  })

  test('and that its host takes for outdated is neither given back nor made anew elsewhere: its customer may use it', async () => {
    const { agent, job } = await takeInstall()
    await restored()
    await agent.finish(job, outdated)
    expect((await sale.orderRow(id)).status).toBe('PROCESSING')
    sale.app.advance(3600_000)
    await agent.finish(job, outdated)
    await sweep(sale.app.deps)
    expect((await sale.orderRow(id)).status).toBe('PROCESSING')
    expect(await sale.lin.balance()).toBe(470)
    for (const one of agents()) expect(await one.claim()).toBeNull()
  })

  test('and that nobody has claimed yet waits for its host, which may have had it', async () => {
    await restored()
    sale.app.advance(10 * 60_000)
    await sweep(sale.app.deps)
    const jobs = await sale.app.db.selectFrom('jobs').select(['kind', 'status']).execute()
    expect(jobs).toEqual([{ kind: 'install', status: 'QUEUED' }])
  })
})
