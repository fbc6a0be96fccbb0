import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fen } from '@vps/shared/money'
import { sweep } from '../schedule/sweep.js'
import type { TestApp } from '../testing/app.js'
import { call, type Person } from '../testing/people.js'
import { openSale, type HostAgent, type Sale } from '../testing/sale.js'

let sale: Sale
let app: TestApp
let lin: Person
let admin: Person
let agent: HostAgent
let serverId: string
const day = 86_400_000
const told = { diskBytes: 40 * 1024 ** 3, addedBytes: 1_000_000, hostKey: null }
const whole = { power: 'on', check: { isWhole: true, detail: '' } } as const
const damaged = { power: 'on', check: { isWhole: false, detail: 'Pack ID does not match' } } as const

beforeEach(async () => {
  sale = await openSale({ yuan: 500, servers: 2 })
  ;({ app, lin, admin, agent } = sale)
  await app.db
    .updateTable('price_groups')
    .set({ most_backups: 5, backup_rate_fen: fen(300) })
    .execute()
  await admin.put('/backup-repository', { url: '/srv/backups', password: 'Keeps-them-1', version: 0 })
  serverId = await backedUp()
})
afterEach(() => app.close())

async function backedUp(): Promise<string> {
  const id = await sale.serverOf(await sale.buyActive({ backups: 2 }))
  expect((await lin.post(`/server-management/${id}/backups`, {})).status).toBe(200)
  await agent.serve({ power: 'on', backup: told })
  return id
}
const view = async () => (await admin.get('/backup-repository')).body.data.check
const list = async () => (await lin.get(`/server-management/${serverId}/backups`)).body.data.backups
const findings = async () =>
  (
    await app.db
      .selectFrom('findings')
      .select('kind')
      .where('resolved_at', 'is', null)
      .where('kind', 'in', ['damaged-backup', 'unchecked-backup'])
      .execute()
  ).map(({ kind }) => kind)
async function after(ms: number): Promise<void> {
  app.advance(ms)
  await agent.report(serverId, 'on')
  await sweep(app.deps)
}

describe('the weekly check', () => {
  test('comes within a week of the first backup, and each week reads the next part', async () => {
    expect(await view()).toMatchObject({ servers: 1, isOk: null, lastAt: null })
    await after(7 * day)
    const job = (await agent.claim())!
    const [{ id }] = await list()
    expect(job).toMatchObject({
      serverId,
      payload: { kind: 'checkBackups', backupIds: [id], part: 1, parts: 16 },
      repository: { url: '/srv/backups', password: 'Keeps-them-1' },
      secrets: null,
    })
    await agent.finish(job, whole)
    expect(await view()).toMatchObject({
      isOk: true,
      damaged: 0,
      late: 0,
      words: '1 台服务器的备份每周检查，没有发现问题',
    })
    await after(7 * day - 60_000)
    expect(await agent.claim()).toBeNull()
    await after(120_000)
    expect((await agent.serve(whole))?.payload).toMatchObject({ part: 2 })
  })

  test('that finds damage is a finding until one passes; the same part is read again the next day', async () => {
    await after(7 * day)
    await agent.serve(damaged)
    expect(await findings()).toEqual(['damaged-backup'])
    expect(await view()).toMatchObject({ isOk: false, damaged: 1, words: '1 台服务器的备份已损坏，详见发现项' })
    await after(day)
    expect((await agent.serve(whole))?.payload).toMatchObject({ part: 1 })
    expect(await findings()).toEqual([])
    expect(await view()).toMatchObject({ isOk: true, damaged: 0 })
  })

  test('that could not look is tried again an hour later, and late after two weeks is a finding, until one passes', async () => {
    await after(7 * day)
    await agent.serve({ ok: false, final: true, message: '备份存储暂时不可用', power: 'on' })
    await after(59 * 60_000)
    expect(await agent.claim()).toBeNull()
    await after(2 * 60_000)
    expect((await agent.serve({ ok: false, final: true, power: 'on' }))?.payload.kind).toBe('checkBackups')
    await after(7 * day)
    expect(await findings()).toEqual(['unchecked-backup'])
    expect(await view()).toMatchObject({ late: 1 })
    await agent.serve(whole)
    expect(await findings()).toEqual([])
  })

  test('yields to whatever its owner asks, and is nothing that holds up a button', async () => {
    await after(7 * day)
    const job = (await agent.claim())!
    expect((await lin.get(`/server-management/${serverId}`)).body.data.openJob).toBeNull()
    expect((await lin.post('/server-management/action', { serverId, action: 'restart' })).status).toBe(200)
    expect(await agent.beat(job)).toMatchObject({ abort: true })
    await agent.finish(job, { ok: false, aborted: true, power: 'on' })
    expect((await agent.serve())?.payload.kind).toBe('restart')
  })

  test('and a deletion yield to a backup that its owner asks for, and come again', async () => {
    const create = () => lin.post(`/server-management/${serverId}/backups`, {})
    await after(7 * day)
    const check = (await agent.claim())!
    expect(check.payload.kind).toBe('checkBackups')
    expect((await create()).status).toBe(200)
    expect(await agent.beat(check)).toMatchObject({ abort: true })
    await agent.finish(check, { ok: false, aborted: true, power: 'on' })
    expect((await agent.serve({ power: 'on', backup: told }))?.payload.kind).toBe('backup')
    const [{ id }] = await list()
    await call(app, 'DELETE', `/server-management/${serverId}/backups/${id}`, { token: lin.token })
    await after(0)
    expect((await create()).status).toBe(200)
    expect((await agent.serve({ power: 'on', backup: told }))?.payload.kind).toBe('backup')
    await after(10 * 60_000)
    expect((await agent.serve())?.payload).toEqual({ kind: 'deleteBackup', backupId: id })
    await after(60 * 60_000)
    expect((await agent.serve(whole))?.payload.kind).toBe('checkBackups')
  })

  test('is one at a time over all servers', async () => {
    await backedUp()
    await after(7 * day)
    await sweep(app.deps)
    const first = (await agent.claim())!
    await sweep(app.deps)
    expect(await agent.claim()).toBeNull()
    await agent.finish(first, whole)
    await sweep(app.deps)
    const second = (await agent.claim())!
    expect(second.payload.kind).toBe('checkBackups')
    expect(second.serverId).not.toBe(first.serverId)
  })

  test('ends, with what it had found, once nothing is kept any more', async () => {
    await after(7 * day)
    await agent.serve(damaged)
    const [{ id }] = await list()
    await app.db.updateTable('backups').set({ forget_at: app.deps.now() }).where('id', '=', id).execute()
    await sweep(app.deps)
    expect((await agent.serve())?.payload.kind).toBe('deleteBackup')
    expect(await findings()).toEqual([])
    expect(await view()).toMatchObject({ servers: 0, words: '还没有备份需要检查' })
  })
})
