import { fen } from '@vps/shared/money'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sweep } from '../schedule/sweep.js'
import { must } from '../must.js'
import { openSale, type Sale } from '../testing/sale.js'
import { findLeftSnapshots } from './left-snapshots.js'

let sale: Sale
let serverId: string
let backupId: string
beforeEach(async () => {
  sale = await openSale({ yuan: 200 })
  const { app, lin, admin, agent } = sale
  await app.db
    .updateTable('price_groups')
    .set({ most_backups: 5, backup_rate_fen: fen(300) })
    .execute()
  const repository = { url: '/srv/backups', password: 'Keeps-them-1', version: 0 }
  expect((await admin.put('/backup-repository', repository)).status).toBe(200)
  serverId = await sale.serverOf(await sale.buyActive({ backups: 2 }))
  expect((await lin.post(`/server-management/${serverId}/backups`, {})).status).toBe(200)
  const { payload } = must(await agent.claim())
  backupId = payload.kind === 'backup' ? payload.backupId : ''
})
afterEach(() => sale.app.close())

/** As after its agent was killed for longer than the lease, and its owner turned the machine off meanwhile. */
async function breakOff(): Promise<void> {
  const { db } = sale.app
  await db
    .updateTable('jobs')
    .set({ lease_until: new Date(0) })
    .where('kind', '=', 'backup')
    .execute()
  await sweep(sale.app.deps)
  const off = { serverId, action: 'stop', force: true }
  expect((await sale.lin.post('/server-management/action', off)).status).toBe(200)
  await sale.agent.serve({ power: 'off' })
}

async function seen(...snapshots: string[]): Promise<string[]> {
  const { mac } = await sale.app.db.selectFrom('servers').select('mac').executeTakeFirstOrThrow()
  const made = { epoch: 0, number: 1 }
  const size = { cpuCores: 2, memoryMb: 4096 }
  const is = { power: 'off' as const, generation: made, macs: [must(mac)], size }
  await sale.agent.inventory({ domains: [{ uuid: serverId, name: `vps-${serverId}`, ...is, snapshots }] })
  const open = await sale.app.db.selectFrom('findings').select('kind').where('resolved_at', 'is', null).execute()
  return open.map(({ kind }) => kind).filter((kind) => kind === 'changed-snapshots')
}

const found = () => findLeftSnapshots(sale.app.db, sale.app.deps.now(), { limit: 10, avoid: [] })

test('what a backup that was broken off left in the disk is deleted by itself, and no operator is needed', async () => {
  await breakOff()
  expect(await seen(backupId)).toEqual(['changed-snapshots'])
  sale.app.advance(61_000)
  await sweep(sale.app.deps)
  const job = must(await sale.agent.claim())
  expect(job).toMatchObject({ serverId, payload: { kind: 'deleteSnapshot', snapshotId: backupId } })
  expect(await found()).toEqual([])
  await sale.agent.finish(job, { power: 'off', proven: false })
  // Its row says that it failed until its owner takes it away.
  expect((await sale.lin.get(`/server-management/${serverId}/backups`)).body.data.backups).toMatchObject([
    { id: backupId, state: 'FAILED' },
  ])
  expect(await seen()).toEqual([])
  expect(await found()).toEqual([])
})

test('where its host refuses, it is asked again only after a while', async () => {
  await breakOff()
  await seen(backupId)
  sale.app.advance(61_000)
  await sweep(sale.app.deps)
  await sale.agent.serve({ ok: false, final: true })
  expect(await found()).toEqual([])
  sale.app.advance(11 * 60_000)
  expect(await found()).toEqual([serverId])
})

test('nothing is asked while the backup may go on, in rescue, or of a snapshot that is none of a backup', async () => {
  expect(await seen(backupId)).toEqual([])
  expect(await found()).toEqual([])
  await breakOff()
  await seen('019aa000-0000-7000-8000-000000000001')
  expect(await found()).toEqual([])
  await seen(backupId)
  expect(await found()).toEqual([serverId])
  const at = { server_id: serverId, created_at: new Date(), entered_at: new Date() }
  const { secret_id } = await sale.app.db.selectFrom('servers').select('secret_id').executeTakeFirstOrThrow()
  await sale.app.db
    .insertInto('rescues')
    .values({ id: '019aa000-0000-7000-8000-000000000002', secret_id: must(secret_id), ...at })
    .execute()
  expect(await found()).toEqual([])
})
