import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fen } from '@vps/shared/money'
import { shanghaiMinute } from '@vps/shared/time'
import { askToForget } from '../backups/forget-due.js'
import { deleteSecrets } from '../fulfilment/delete-secrets.js'
import { inTx } from '../db/tx.js'
import { orderLetter } from '../mail/order-letters.js'
import { sweep } from '../schedule/sweep.js'
import type { TestApp } from '../testing/app.js'
import { call, person, type Person } from '../testing/people.js'
import { hostAgent } from '../testing/host.js'
import { lockWaits } from '../testing/locks.js'
import { addHost } from '../testing/shop.js'
import { addReached, openSale, type HostAgent, type Sale } from '../testing/sale.js'

let sale: Sale
let app: TestApp
let lin: Person
let admin: Person
let agent: HostAgent
let orderId: string
let serverId: string
let at: string
const day = 86_400_000
const repository = { url: '/srv/backups', password: 'Keeps-them-1', version: 0 }

beforeEach(async () => {
  sale = await openSale({ yuan: 500, servers: 3 })
  ;({ app, lin, admin, agent } = sale)
  await app.db
    .updateTable('price_groups')
    .set({ most_backups: 5, backup_rate_fen: fen(300) })
    .execute()
  expect((await admin.put('/backup-repository', repository)).status).toBe(200)
  orderId = await sale.buyActive({ backups: 2 })
  serverId = await sale.serverOf(orderId)
  at = `/server-management/${serverId}/backups`
})
afterEach(() => app.close())

const read = async () => (await lin.get(at)).body.data
const list = async () => (await read()).backups
const create = () => lin.post(at, {})
const told = { diskBytes: 40 * 1024 ** 3, addedBytes: 1_000_000, hostKey: 'ssh-ed25519 AAAA' }
async function made(): Promise<string> {
  expect((await create()).status).toBe(200)
  await agent.serve({ power: 'on', backup: told })
  return (await list())[0].id
}
const remove = (id: string) => call(app, 'DELETE', `${at}/${id}`, { token: lin.token })
/** By a living host, as the server's own is silent. */
async function forgottenByAnother(id: string, afterMs: number): Promise<void> {
  const other = hostAgent(app, (await addHost(app, sale.shop, { network: '10.9.1' })).token)
  app.advance(afterMs)
  await other.report(serverId, 'off')
  await app.db
    .updateTable('host_heartbeats')
    .set({ last_seen_at: new Date(0) })
    .where('host_id', '=', sale.host.id)
    .execute()
  await sweep(app.deps)
  expect((await other.serve({ power: 'absent' }))?.payload).toEqual({ kind: 'deleteBackup', backupId: id })
}
const schedule = (input: object) => lin.put(`/server-management/${serverId}/backup-schedule`, { schedule: input })
const stop = () => lin.post('/server-management/action', { serverId, action: 'stop', force: true })
const password = async () => (await lin.get(`/server-management/${serverId}/password`)).body.data.password
const resetTo = async (newPassword: string) => {
  await lin.post('/server-management/action', { serverId, action: 'resetPassword', newPassword })
  await agent.serve()
}
const findings = async () =>
  (await app.db.selectFrom('findings').select('kind').where('resolved_at', 'is', null).execute()).map(
    ({ kind }) => kind,
  )
async function toSchedule(power: 'on' | 'off' = 'on'): Promise<void> {
  const { next_at } = await app.db.selectFrom('backup_schedules').select('next_at').executeTakeFirstOrThrow()
  app.advance(Math.max(0, next_at.getTime() - app.deps.now().getTime() + 1000))
  await agent.report(serverId, power)
  await sweep(app.deps)
}

describe('a backup by hand', () => {
  test('waits, is made, and tells its size; the host gets the repository with the claim alone', async () => {
    expect(await read()).toMatchObject({ most: 2, used: 0, isStored: true, schedule: null, backups: [] })
    expect((await create()).status).toBe(200)
    expect(await list()).toMatchObject([{ origin: 'MANUAL', state: 'QUEUED', takenAt: null, diskGb: 40 }])
    const job = (await agent.claim())!
    expect(job).toMatchObject({
      payload: { kind: 'backup', backupId: (await list())[0].id },
      secrets: null,
      repository: { url: '/srv/backups', password: 'Keeps-them-1', environment: {}, uploadLimitKib: 0 },
    })
    await agent.beat(job, 30)
    expect(await list()).toMatchObject([{ state: 'RUNNING', percentage: 30, jobId: job.id }])
    await agent.finish(job, { power: 'on', backup: told })
    expect(await list()).toMatchObject([{ state: 'READY', diskBytes: told.diskBytes, addedBytes: 1_000_000 }])
    const rows = await app.db.selectFrom('jobs').select('payload').execute()
    expect(JSON.stringify(rows)).not.toContain('Keeps-them-1')
  })

  test('says with the next what the host has kept there before, which it must find again; another host has kept nothing', async () => {
    await create()
    const first = (await agent.claim())!
    expect(first.repository?.holdsBackups).toBe(false)
    await agent.finish(first, { power: 'on', backup: told })
    const elsewhere = await addHost(app, sale.shop, { network: '10.9.8' })
    const { host_id } = await app.db
      .selectFrom('jobs')
      .select('host_id')
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow()
    const madeOn = (host: string | null) =>
      app.db.updateTable('jobs').set({ host_id: host }).where('id', '=', first.id).execute()
    await madeOn(elsewhere.id)
    await create()
    const second = (await agent.claim())!
    expect(second.repository?.holdsBackups).toBe(false)
    await agent.finish(second, { power: 'on', backup: told })
    await app.db
      .deleteFrom('backups')
      .where('id', '=', (await list())[0].id)
      .execute()
    await madeOn(host_id)
    await create()
    expect((await agent.claim())?.repository?.holdsBackups).toBe(true)
  })

  test('is refused with a sentence where as many are kept as were bought; one fewer with a schedule', async () => {
    await schedule({ frequency: 'daily', hour: 3 })
    await made()
    expect((await create()).body.message).toBe('需为定时备份保留一个位置，请先删除一个手动备份')
    await schedule({ frequency: 'off' })
    await made()
    expect((await create()).body).toMatchObject({
      code: 'MOVE_NOT_ALLOWED',
      message: '最多保留 2 个备份，请先删除不需要的',
    })
    expect((await schedule({ frequency: 'daily', hour: 3 })).body.message).toContain('手动备份已占满')
  })

  test('two at once with a place for one leave one', async () => {
    await made()
    const both = await Promise.all([create(), create()])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await list()).toHaveLength(2)
  })

  test('is refused without any that were bought, without a repository, to others, and over SSH', async () => {
    const wang = await person(app, 'wang')
    expect((await wang.post(at, {})).status).toBe(404)
    expect((await wang.get(at)).status).toBe(404)
    const { version } = (await admin.get('/backup-repository')).body.data
    expect((await admin.post('/backup-repository/clear', { version })).status).toBe(200)
    expect((await create()).body.message).toBe('备份存储尚未设置，请联系客服')
    await app.db.updateTable('orders').set({ backups: 0 }).execute()
    expect((await create()).body.message).toBe('该服务器没有购买备份')
    const own = await addReached(sale)
    expect((await admin.post(`/server-management/${own}/backups`, {})).body.code).toBe('NOT_SUPPORTED')
  })

  test('holds up no other act: it is broken off, and what was asked follows at once', async () => {
    await create()
    const job = (await agent.claim())!
    expect((await lin.get(`/server-management/${serverId}`)).body.data.openJob).toBeNull()
    expect((await lin.post('/server-management/action', { serverId, action: 'restart' })).status).toBe(200)
    expect(await agent.claim()).toBeNull()
    expect(await agent.beat(job)).toMatchObject({ abort: true })
    await agent.finish(job, { ok: false, aborted: true, power: 'on' })
    expect((await agent.serve())?.payload.kind).toBe('restart')
    expect(await list()).toMatchObject([{ state: 'FAILED' }])
    // One that only waits goes at once.
    await remove((await list())[0].id)
    await sweep(app.deps)
    await agent.serve()
    await create()
    await stop()
    expect((await agent.serve({ power: 'off' }))?.payload.kind).toBe('stop')
  })

  test('waits for what is being done, and never takes its place', async () => {
    await lin.post('/server-management/action', { serverId, action: 'restart' })
    expect((await create()).body.code).toBe('LOCKED')
  })

  test('of two machines of one host, one is read at a time', async () => {
    const other = await sale.serverOf(await sale.buyActive({ backups: 1 }))
    await create()
    expect((await lin.post(`/server-management/${other}/backups`, {})).status).toBe(200)
    const first = (await agent.claim())!
    expect(await agent.claim()).toBeNull()
    await agent.finish(first, { power: 'on', backup: told })
    expect((await agent.claim())?.serverId).toBe(other)
  })
})

describe('a restore over the same machine', () => {
  test('is the next generation, with the password and the host key of then, which count once it is done', async () => {
    const id = await made()
    await resetTo('Changed-later-2')
    expect((await lin.post(`${at}/${id}/restore`)).status).toBe(200)
    const job = (await agent.claim())!
    expect(job).toMatchObject({
      payload: { kind: 'restore', backupId: id, hostKey: told.hostKey, machine: { sshPort: 2222, diskGb: 40 } },
      generation: { number: 2 },
      secrets: { password: 'Secret-pass-1' },
      repository: { url: '/srv/backups' },
    })
    expect(await password()).toBe('Changed-later-2')
    await agent.finish(job, { power: 'on', proven: true })
    expect(await password()).toBe('Secret-pass-1')
    expect(await list()).toHaveLength(1)
  })

  test('that fails leaves password, snapshots and machine as they were, and is no finding', async () => {
    await app.db.updateTable('price_groups').set({ snapshots: 2 }).execute()
    await lin.post(`/server-management/${serverId}/snapshots`, { name: '更新前' })
    await agent.serve()
    const snapshots = async () => (await lin.get(`/server-management/${serverId}/snapshots`)).body.data
    const [snapshot] = await snapshots()
    const id = await made()
    await lin.post(`${at}/${id}/restore`)
    await agent.serve({ ok: false, final: true, message: '备份存储暂时不可用', power: 'on' })
    expect(await password()).toBe('Secret-pass-1')
    expect(await snapshots()).toMatchObject([{ id: snapshot.id, state: 'READY' }])
    const { mac } = await app.db.selectFrom('servers').select('mac').executeTakeFirstOrThrow()
    const domain = { uuid: serverId, name: `vps-${serverId}`, power: 'on' as const, macs: [mac!] }
    const size = { cpuCores: 2, memoryMb: 4096 }
    const generation = { epoch: 0, number: 1 }
    await agent.inventory({ domains: [{ ...domain, size, generation, snapshots: [snapshot.id] }] })
    expect(await findings()).toEqual([])
  })

  test('gives a server a system again whose reinstall had failed: it is no longer told as failed', async () => {
    const id = await made()
    const system = { osName: 'Debian', osVersion: '12', rootPassword: 'Another-pass-2' }
    const installStatus = async () => (await lin.get(`/server-management/${serverId}`)).body.data.installStatus
    await lin.post(`/server-management/${serverId}/install`, system)
    await agent.serve({ ok: false, final: true, message: '系统未能在限定时间内启动', power: 'off' })
    await lin.post(`${at}/${id}/restore`)
    await agent.serve({ ok: false, final: true, message: '备份存储暂时不可用', power: 'off' })
    expect(await installStatus()).toBe('FAILED')
    await lin.post(`${at}/${id}/restore`)
    await agent.serve({ power: 'on', proven: true })
    expect(await installStatus()).toBe('COMPLETED')
  })

  test('brings a system that its owner may have installed from a disc with what was said of its password then', async () => {
    const bootedAt = async () => (await lin.get(`/server-management/${serverId}`)).body.data.iso.bootedAt
    const before = await made()
    const since = new Date()
    await app.db.updateTable('servers').set({ iso_booted_at: since }).execute()
    const after = await made()
    await lin.post(`${at}/${before}/restore`)
    await agent.serve({ power: 'on', proven: false })
    expect(await bootedAt()).toBeNull()
    await lin.post(`${at}/${after}/restore`)
    await agent.serve({ power: 'on', proven: false })
    expect(await bootedAt()).toBe(since.toISOString())
    await lin.post(`${at}/${after}/restore`)
    await agent.serve({ power: 'on', proven: true })
    expect(await bootedAt()).toBeNull()
  })

  test('that fails leaves the disk before, over which an operator can have the machine defined anew', async () => {
    const id = await made()
    await lin.post(`${at}/${id}/restore`)
    await agent.serve({ ok: false, final: true, message: '备份存储暂时不可用', power: 'on' })
    await agent.inventory()
    const { id: missing } = await app.db.selectFrom('findings').select('id').executeTakeFirstOrThrow()
    expect((await admin.post(`/findings/${missing}/redefine`)).status).toBe(200)
    expect(await agent.claim()).toMatchObject({
      generation: { number: 2 },
      payload: { kind: 'redefine', earlierNumber: 1 },
    })
  })

  test('needs no room that is counted, and takes the snapshots of the disk before with it', async () => {
    await app.db.updateTable('hosts').set({ disk_gb: 80 }).execute()
    await app.db.updateTable('price_groups').set({ snapshots: 2 }).execute()
    const id = await made()
    await lin.post(`/server-management/${serverId}/snapshots`, { name: '之后' })
    await agent.serve()
    await lin.post(`${at}/${id}/restore`)
    await agent.serve({ power: 'on', proven: true })
    expect((await lin.get(`/server-management/${serverId}/snapshots`)).body.data).toEqual([])
  })

  test('is refused of a protected server, of one half made, and of one that goes; its password is kept till then', async () => {
    const id = await made()
    await resetTo('Changed-later-2')
    app.advance(2 * day)
    await inTx(app.db, (tx) => deleteSecrets(tx, app.deps.now()))
    await lin.put(`/server-management/${serverId}/protection`, { protected: true })
    await app.db.updateTable('servers').set({ protected: true }).execute()
    expect((await lin.post(`${at}/${id}/restore`)).body.code).toBe('PROTECTED')
    await app.db.updateTable('servers').set({ protected: false }).execute()
    expect((await lin.post(`${at}/${id}/restore`)).status).toBe(200)
    expect((await remove(id)).body.code).toBe('LOCKED')
    expect((await agent.serve({ power: 'on', proven: true }))?.secrets).toEqual({ password: 'Secret-pass-1' })
    expect((await remove(id)).status).toBe(200)
    expect((await lin.post(`${at}/${id}/restore`)).body.message).toBe('备份尚未完成或正在删除')
  })

  test('and its deletion at once: one of them is refused', async () => {
    const id = await made()
    const [restored, removed] = await Promise.all([lin.post(`${at}/${id}/restore`), remove(id)])
    expect([restored.status, removed.status].toSorted()).toEqual([200, 409])
  })
})

test('a backup comes back though the image that its system was made of was deleted since: its disk is in it', async () => {
  const id = await made()
  const { body } = await admin.get('/images')
  const image = body.data.find(({ osName }: { osName: string }) => osName === 'Debian')
  // The system that the server has by now is another.
  await app.db.updateTable('servers').set({ image_id: null }).execute()
  expect((await call(app, 'DELETE', `/images/${image.id}`, { token: admin.token })).status).toBe(200)
  await agent.inventory({ images: [] })
  expect((await lin.post(`${at}/${id}/restore`)).status).toBe(200)
  const job = (await agent.claim())!
  const { osName, osVersion, readiness, firmware } = image
  expect(job).toMatchObject({
    payload: { kind: 'restore', machine: { image: { id: image.id, osName, osVersion, readiness, firmware } } },
    secrets: { password: 'Secret-pass-1' },
  })
  await agent.finish(job, { power: 'on', proven: true })
  expect((await lin.get(`/server-management/${serverId}`)).body.data).toMatchObject({ osName, osVersion })
})

describe('a restore over another server of the same owner', () => {
  let other: string
  const elsewhere = async (server = other) =>
    (await lin.get(`/server-management/${server}/backups-elsewhere`)).body.data
  const bring = (id: string, who = lin) => who.post(`/server-management/${other}/backups/${id}/restore`)
  beforeEach(async () => {
    other = await sale.serverOf(await sale.buyActive())
    await lin.post('/server-management/action', {
      serverId: other,
      action: 'resetPassword',
      newPassword: 'Of-other-77',
    })
    await agent.serve()
  })

  test('is its next generation, with its own addresses, port and password, from the repository of the other', async () => {
    expect(await elsewhere()).toEqual([])
    const id = await made()
    expect(await elsewhere()).toMatchObject([{ id, serverId, diskGb: 40, reason: null }])
    expect(await elsewhere(serverId)).toEqual([])
    expect((await bring(id)).status).toBe(200)
    const job = (await agent.claim())!
    expect(job).toMatchObject({
      serverId: other,
      generation: { number: 2 },
      payload: { kind: 'restore', backupId: id, from: serverId, hostKey: null },
      secrets: { password: 'Of-other-77' },
      repository: { url: '/srv/backups' },
    })
    const { address } = await app.db
      .selectFrom('addresses as a')
      .innerJoin('placements as p', 'p.id', 'a.placement_id')
      .select('a.address')
      .where('p.server_id', '=', other)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(job.payload)).toContain(address)
    await agent.finish(job, { power: 'on', proven: true })
    expect((await lin.get(`/server-management/${other}/password`)).body.data.password).toBe('Of-other-77')
    expect(await password()).toBe('Secret-pass-1')
    expect(await list()).toHaveLength(1)
  })

  test('keeps what it is made of until its end, and is refused of one that is going', async () => {
    const id = await made()
    await bring(id)
    expect((await remove(id)).body.code).toBe('LOCKED')
    await app.db.updateTable('backups').set({ forget_at: app.deps.now() }).execute()
    await sweep(app.deps)
    const job = (await agent.claim())!
    expect(job.payload.kind).toBe('restore')
    await agent.finish(job, { ok: false, final: true, power: 'on' })
    await sweep(app.deps)
    expect((await agent.serve())?.payload).toEqual({ kind: 'deleteBackup', backupId: id })
    expect(await elsewhere()).toEqual([])
  })

  test('and a backup of that one wait for each other, whichever hosts they are on', async () => {
    const id = await made()
    const second = await addHost(app, sale.shop, { network: '10.9.1' })
    const there = hostAgent(app, second.token)
    const bringThere = async () => {
      expect((await bring(id)).status).toBe(200)
      const moved = { host_id: second.id }
      await app.db.updateTable('jobs').set(moved).where('kind', '=', 'restore').where('status', '=', 'QUEUED').execute()
    }
    await bringThere()
    const restore = (await there.claim())!
    await create()
    expect(await agent.claim()).toBeNull()
    await there.finish(restore, { ok: false, power: 'on', final: true })
    const backup = (await agent.claim())!
    expect(backup.payload.kind).toBe('backup')
    await bringThere()
    expect(await there.claim()).toBeNull()
    await agent.finish(backup, { power: 'on', backup: told })
    expect((await there.claim())?.payload.kind).toBe('restore')
  })

  test('may be of a server that has ended, as long as its backups are kept', async () => {
    const id = await made()
    await lin.post(`/orders/${orderId}/refund`, { reason: '不再需要' })
    const { id: request } = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    expect((await admin.post(`/refunds/${request}/approve`, { reason: '同意' })).status).toBe(200)
    await agent.serve({ power: 'absent' })
    app.advance(6 * day)
    expect(await elsewhere()).toMatchObject([{ id, serverId, reason: null }])
    expect((await bring(id)).status).toBe(200)
    const job = (await agent.claim())!
    expect(job).toMatchObject({ serverId: other, payload: { kind: 'restore', backupId: id, from: serverId } })
    await agent.finish(job, { power: 'on', proven: true })
    app.advance(2 * day)
    expect(await elsewhere()).toEqual([])
    expect((await bring(id)).body.message).toBe('备份尚未完成或正在删除')
  })

  test('is told in the mail of a server that was released, with the moment until which it can be', async () => {
    const told = async (id: string) => {
      const job = { template: 'orderExpired', userId: lin.user.id, orderId: id } as const
      return JSON.stringify(await orderLetter(app.db, job, 'https://shop.example'))
    }
    const without = await sale.buyActive()
    await made()
    await app.db.updateTable('orders').set({ auto_renewal: false }).execute()
    await sale.toEnd(orderId)
    await sweep(app.deps)
    await sale.toEnd(orderId, 3 * day)
    await sweep(app.deps)
    const until = shanghaiMinute(new Date((await sale.orderRow(orderId)).ended_at!.getTime() + 7 * day))
    expect(await told(orderId)).toContain(`"备份保留至","${until}（北京时间）"`)
    expect(await told(orderId)).toContain('已完成的备份仍保留一段时间，可以恢复到您的其他服务器')
    expect(await told(without)).not.toContain('备份')
  })

  test('is told in the mail of a refund, too, also of a lost host, where its owner did nothing', async () => {
    const told = async (id: string) => {
      const job = { template: 'orderRefunded', userId: lin.user.id, orderId: id } as const
      return JSON.stringify(await orderLetter(app.db, job, 'https://shop.example'))
    }
    const without = await sale.buyActive()
    await made()
    await admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })
    const lost = (await admin.get(`/hosts/${sale.host.id}/lost-orders`)).body.data
    for (const { id, refund: amount } of lost)
      expect((await admin.post(`/orders/${id}/refund-lost`, { amount }, { key: id })).status).toBe(200)
    const until = shanghaiMinute(new Date((await sale.orderRow(orderId)).ended_at!.getTime() + 7 * day))
    expect(await told(orderId)).toContain('款项已退回您的钱包余额')
    expect(await told(orderId)).toContain(`"备份保留至","${until}（北京时间）"`)
    expect(await told(orderId)).toContain('已完成的备份仍保留一段时间，可以恢复到您的其他服务器')
    expect(await told(without)).not.toContain('备份')
  })

  test('is no data that a mail before the release calls lost for good', async () => {
    const told = async (template: 'orderSuspended' | 'renewalFailed', id: string) =>
      JSON.stringify(await orderLetter(app.db, { template, userId: lin.user.id, orderId: id }, 'https://shop.example'))
    const without = await sale.buyActive()
    await made()
    await app.db.updateTable('orders').set({ status: 'SUSPENDED', suspend_reason: 'unpaid' }).execute()
    for (const template of ['orderSuspended', 'renewalFailed'] as const) {
      expect(await told(template, orderId)).toContain(
        '数据会被清除；已完成的备份仍保留一段时间，可以恢复到您的其他服务器',
      )
      expect(await told(template, orderId)).not.toContain('数据无法找回')
      expect(await told(template, without)).toContain('服务器会被释放，数据无法找回')
    }
  })

  test('needs its host to boot by UEFI where the backup’s system does, as one over its own server does', async () => {
    const id = await made()
    const hosts = (boots_uefi: boolean) => app.db.updateTable('hosts').set({ boots_uefi }).execute()
    const reason = '该备份的系统需要 UEFI 固件，这台服务器所在的宿主机没有'
    await app.db.updateTable('images').set({ firmware: 'uefi' }).execute()
    await hosts(false)
    expect(await elsewhere()).toMatchObject([{ reason }])
    for (const refused of [await bring(id), await lin.post(`${at}/${id}/restore`)])
      expect(refused.body).toMatchObject({ code: 'MOVE_NOT_ALLOWED', message: reason })
    await hosts(true)
    expect(await elsewhere()).toMatchObject([{ reason: null }])
    expect((await bring(id)).status).toBe(200)
    // Over a machine that was made for the BIOS.
    expect((await agent.claim())?.payload).toMatchObject({ machine: { image: { firmware: 'uefi' } } })
  })

  test('needs a disk as large, a system whose login can be proven, and the same owner; protection holds', async () => {
    const id = await made()
    await app.db.updateTable('servers').set({ storage_gb: 20 }).where('id', '=', other).execute()
    const reason = '这台服务器的磁盘小于备份的 40 GB，请先升级配置'
    expect(await elsewhere()).toMatchObject([{ reason }])
    expect((await bring(id)).body).toMatchObject({ code: 'MOVE_NOT_ALLOWED', message: reason })
    await app.db.updateTable('images').set({ readiness: 'guest-agent' }).execute()
    await app.db.updateTable('servers').set({ storage_gb: 40 }).where('id', '=', other).execute()
    expect((await bring(id)).body.message).toBe('该备份的系统只能恢复到原服务器')
    await app.db.updateTable('images').set({ readiness: 'ssh' }).execute()
    await create()
    await agent.serve({ power: 'on', backup: { ...told, isMovable: false } })
    const [{ id: still }] = await list()
    expect((await bring(still)).body.message).toBe('备份时系统中没有可用的客户机代理，只能恢复到原服务器')
    await app.db.updateTable('servers').set({ storage_gb: 40, protected: true }).where('id', '=', other).execute()
    expect((await bring(id)).body.code).toBe('PROTECTED')
    const wang = await person(app, 'wang', { yuan: 500 })
    const foreign = await sale.buyActive({}, wang)
    const { server_id } = await sale.orderRow(foreign)
    expect((await wang.get(`/server-management/${server_id}/backups-elsewhere`)).body.data).toEqual([])
    const theirs = `/server-management/${server_id}/backups/${id}`
    expect((await wang.post(`${theirs}/restore`)).status).toBe(404)
    expect((await call(app, 'DELETE', theirs, { token: wang.token })).status).toBe(404)
    expect((await list()).map((backup: { id: string }) => backup.id)).toContain(id)
    expect((await wang.get(`/server-management/${other}/backups-elsewhere`)).status).toBe(404)
  })
})

describe('deleting', () => {
  test('asks the host to forget it, and takes no place meanwhile', async () => {
    const id = await made()
    expect((await remove(id)).status).toBe(200)
    expect(await read()).toMatchObject({ used: 0, backups: [{ state: 'DELETING' }] })
    expect((await remove(id)).status).toBe(409)
    await sweep(app.deps)
    expect((await agent.serve())?.payload).toEqual({ kind: 'deleteBackup', backupId: id })
    expect(await list()).toEqual([])
    for (const { status, body } of [await remove(id), await lin.post(`${at}/${id}/restore`)])
      expect([status, body.code, body.message]).toEqual([404, 'NOT_FOUND', '备份已不存在'])
  })

  test('that failed is asked for again', async () => {
    const id = await made()
    await remove(id)
    await sweep(app.deps)
    await agent.serve({ ok: false, final: true, message: '备份存储暂时不可用', power: 'on' })
    await sweep(app.deps)
    expect(await agent.claim()).toBeNull()
    app.advance(11 * 60_000)
    await sweep(app.deps)
    await agent.serve()
    expect(await list()).toEqual([])
  })

  test('that fails on and on is asked for ever more seldom, at last once a day', async () => {
    const id = await made()
    await remove(id)
    const asked = async (wantedFor: number, triedBefore: number) => {
      const ago = (ms: number) => new Date(app.deps.now().getTime() - ms)
      await app.db
        .updateTable('backups')
        .set({ forget_at: ago(wantedFor), forget_tried_at: ago(triedBefore) })
        .execute()
      await sweep(app.deps)
      return (await agent.serve({ ok: false, final: true, power: 'on' })) !== null
    }
    const hour = 3_600_000
    expect([await asked(5 * hour, 2 * hour), await asked(5 * hour, 3 * hour)]).toEqual([false, true])
    expect([await asked(30 * day, 23 * hour), await asked(30 * day, 25 * hour)]).toEqual([false, true])
  })

  test('of a server that has ended comes after 7 days, by the host that had it', async () => {
    const id = await made()
    await lin.post(`/orders/${orderId}/refund`, { reason: '不再需要' })
    const request = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    await admin.post(`/refunds/${request.id}/approve`, { reason: '同意' })
    expect((await agent.serve({ power: 'absent' }))?.payload.kind).toBe('destroy')
    await agent.inventory()
    app.advance(7 * day - 60_000)
    await sweep(app.deps)
    expect(await agent.claim()).toBeNull()
    app.advance(120_000)
    await agent.report(serverId, 'off')
    await sweep(app.deps)
    expect((await agent.serve({ power: 'absent' }))?.payload).toEqual({ kind: 'deleteBackup', backupId: id })
    expect(await app.db.selectFrom('backups').select('id').execute()).toEqual([])
  })

  test('is asked of no host that was just retired, though its agent was heard of a moment ago', async () => {
    await made()
    await lin.post(`/orders/${orderId}/refund`, { reason: '不再需要' })
    const request = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    await admin.post(`/refunds/${request.id}/approve`, { reason: '同意' })
    await agent.serve({ power: 'absent' })
    await agent.inventory()
    await admin.put(`/hosts/${sale.host.id}/status`, { status: 'DRAINING' })
    expect((await admin.put(`/hosts/${sale.host.id}/status`, { status: 'RETIRED' })).status).toBe(200)
    app.advance(7 * day + 60_000)
    await app.db
      .updateTable('host_heartbeats')
      .set({ last_seen_at: sql`clock_timestamp()` })
      .execute()
    await sweep(app.deps)
    const asked = app.db.selectFrom('jobs').select('status').where('kind', '=', 'deleteBackup')
    expect(await asked.execute()).toEqual([])
  })

  test('that another host has done meanwhile holds up nothing of a host that comes back', async () => {
    const id = await made()
    await remove(id)
    await sweep(app.deps)
    await admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })
    await forgottenByAnother(id, 11 * 60_000)
    expect(await agent.claim()).toBeNull()
    await app.db.updateTable('hosts').set({ status: 'READY' }).where('id', '=', sale.host.id).execute()
    await stop()
    expect((await agent.claim())?.payload.kind).toBe('stop')
  })

  test('is never asked of a host that is declared lost, however lately it was heard of', async () => {
    const id = await made()
    await admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })
    const other = hostAgent(app, (await addHost(app, sale.shop, { network: '10.9.1' })).token)
    expect((await remove(id)).status).toBe(200)
    for (const host of [agent, other]) await host.report(serverId, 'off')
    await sweep(app.deps)
    expect((await other.serve({ power: 'absent' }))?.payload).toEqual({ kind: 'deleteBackup', backupId: id })
  })

  test('of two of a server by two processes at once: one is asked for, and the other is left for later', async () => {
    const ids = [await made(), await made()]
    for (const id of ids) await remove(id)
    await agent.report(serverId, 'on')
    const [first = '', second = ''] = ids
    const { db, deps, owner } = app
    let late = Promise.resolve()
    await inTx(db, async (tx) => {
      await askToForget(tx, first, deps.now())
      late = inTx(db, (other) => askToForget(other, second, deps.now()))
      await expect.poll(() => lockWaits(owner)).toBe(1)
    })
    await late
    const asked = await db.selectFrom('jobs').select('payload').where('kind', '=', 'deleteBackup').execute()
    expect(asked).toEqual([{ payload: { kind: 'deleteBackup', backupId: first } }])
  })

  test('of a server whose host was lost is done by another, whatever waits for the lost one', async () => {
    const id = await made()
    await admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })
    await lin.post(`/orders/${orderId}/refund`, { reason: '宿主机坏了' })
    const request = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    await admin.post(`/refunds/${request.id}/approve`, { reason: '同意' })
    await forgottenByAnother(id, 7 * day + 60_000)
    expect(await app.db.selectFrom('backups').select('id').execute()).toEqual([])
  })
})

describe('the schedule', () => {
  test('makes one at its hour, and beyond the number forgets its own oldest once the new one is whole', async () => {
    expect((await schedule({ frequency: 'daily', hour: 3 })).status).toBe(200)
    const first = await read()
    expect(first).toMatchObject({ isScheduled: true, schedule: { frequency: 'daily', hour: 3, weekday: null } })
    expect(new Date(first.schedule.nextAt).getUTCHours()).toBe(19)
    for (const _ of [1, 2]) {
      await toSchedule()
      expect((await agent.serve({ power: 'on', backup: told }))?.payload.kind).toBe('backup')
    }
    const [, oldest] = await list()
    await toSchedule()
    const job = (await agent.claim())!
    expect((await read()).used).toBe(2)
    await agent.finish(job, { power: 'on', backup: told })
    expect((await list()).map(({ state }: { state: string }) => state)).toEqual(['READY', 'READY', 'DELETING'])
    await sweep(app.deps)
    expect((await agent.serve())?.payload).toEqual({ kind: 'deleteBackup', backupId: oldest.id })
    expect(await list()).toHaveLength(2)
  })

  test.each([
    ['behind', -400 * day],
    ['ahead', 400 * day],
  ])('keeps the newest whatever its host’s clock says: %s', async (_, skew) => {
    expect((await schedule({ frequency: 'daily', hour: 3 })).status).toBe(200)
    const by = async (skewMs: number) => {
      await toSchedule()
      const [job, now] = [(await agent.claim())!, app.deps.now().getTime()]
      const at = new Date(now + skewMs).toISOString()
      const step = {
        name: 'takeSnapshot',
        label: '固定磁盘状态',
        status: 'done',
        startedAt: at,
        finishedAt: at,
      } as const
      const result = { ok: true, power: 'on', proven: false, backup: { ...told, isMovable: null } } as const
      const { id: jobId, attempt } = job
      await agent.caller.finish({ ...agent.me, jobId, attempt, steps: [step], percentage: 100, result })
      const [{ id }] = (await list()).filter(({ id }: { id: string }) => JSON.stringify(job.payload).includes(id))
      return { id, now }
    }
    const oldest = await by(0)
    const second = await by(skew)
    const newest = await by(0)
    const all = Object.fromEntries((await list()).map((one: { id: string }) => [one.id, one]))
    expect([oldest, second, newest].map(({ id }) => all[id].state)).toEqual(['DELETING', 'READY', 'READY'])
    expect(Math.abs(new Date(all[second.id].takenAt).getTime() - second.now)).toBeLessThan(60_000)
    expect(await findings()).not.toContain('late-backup')
  })

  test('is whole although its host tells no moment at which the disk was fixed', async () => {
    await schedule({ frequency: 'daily', hour: 3 })
    await toSchedule()
    const { id: jobId, attempt } = (await agent.claim())!
    const step = {
      name: 'takeSnapshot',
      label: '固定磁盘状态',
      status: 'done',
      startedAt: null,
      finishedAt: 'never',
    } as const
    const result = { ok: true, power: 'on', proven: false, backup: { ...told, isMovable: null } } as const
    await agent.caller.finish({ ...agent.me, jobId, attempt, steps: [step], percentage: 100, result })
    const [made] = await list()
    expect(made.state).toBe('READY')
    expect(Math.abs(new Date(made.takenAt).getTime() - app.deps.now().getTime())).toBeLessThan(60_000)
  })

  test('that did not come about is tried again an hour later, as the same one', async () => {
    await schedule({ frequency: 'weekly', hour: 3, weekday: 7 })
    await toSchedule()
    const job = (await agent.claim())!
    await stop()
    await agent.finish(job, { ok: false, aborted: true, power: 'off' })
    await agent.serve({ power: 'off' })
    await sweep(app.deps)
    expect(await agent.claim()).toBeNull()
    app.advance(61 * 60_000)
    await agent.report(serverId, 'off')
    await sweep(app.deps)
    const again = (await agent.claim())!
    expect(again.payload).toEqual(job.payload)
    await agent.finish(again, { power: 'off', backup: told })
    expect(await list()).toMatchObject([{ origin: 'SCHEDULE', state: 'READY' }])
  })

  test('that did not come about is forgotten where it was begun, and made anew where backups are kept since', async () => {
    await schedule({ frequency: 'daily', hour: 3 })
    await toSchedule()
    const job = (await agent.claim())!
    await agent.finish(job, { ok: false, final: true, message: '宿主机重启', power: 'on' })
    const moved = { ...repository, url: '/srv/others', version: 1 }
    expect((await admin.put('/backup-repository', moved)).status).toBe(200)
    app.advance(61 * 60_000)
    await agent.report(serverId, 'on')
    await sweep(app.deps)
    const again = (await agent.claim())!
    expect([job.repository?.url, again.repository?.url]).toEqual(['/srv/backups', '/srv/others'])
    expect(again.payload.kind).toBe('backup')
    expect(again.payload).not.toEqual(job.payload)
    await agent.finish(again, { power: 'on', backup: told })
    await sweep(app.deps)
    const gone = (await agent.claim())!
    expect([gone.payload, gone.repository?.url]).toEqual([{ ...job.payload, kind: 'deleteBackup' }, '/srv/backups'])
  })

  test('without a whole one for two periods it is a finding, until there is one', async () => {
    await schedule({ frequency: 'daily', hour: 3 })
    for (const _ of [1, 2, 3]) {
      await toSchedule()
      await agent.serve({ ok: false, final: true, message: '备份存储暂时不可用', power: 'on' })
      app.advance(day)
    }
    await sweep(app.deps)
    expect(await findings()).toContain('late-backup')
    await toSchedule()
    await agent.serve({ power: 'on', backup: told })
    expect(await findings()).not.toContain('late-backup')
  })

  test('rests while a reinstall has left no whole system: it would take the place of what can be brought back', async () => {
    await schedule({ frequency: 'daily', hour: 3 })
    for (const _ of [1, 2]) {
      await toSchedule()
      await agent.serve({ power: 'on', backup: told })
    }
    // On a day of the week that the server's id chooses.
    await app.db
      .updateTable('backup_checks')
      .set({ next_at: new Date(app.deps.now().getTime() + 30 * day) })
      .execute()
    const whole = (await list()).map(({ id }: { id: string }) => id)
    const again = { action: 'reinstall', osName: 'Debian', osVersion: '12', rootPassword: 'Begins-anew-1' }
    expect((await lin.post('/server-management/action', { serverId, ...again })).status).toBe(200)
    await agent.serve({ ok: false, final: true, message: '安装没有完成', power: 'off' })
    expect((await sale.order(orderId)).server.installStatus).toBe('FAILED')
    await toSchedule('off')
    expect(await agent.claim()).toBeNull()
    expect((await list()).map(({ id, state }: { id: string; state: string }) => [id, state])).toEqual(
      whole.map((id: string) => [id, 'READY']),
    )
    expect((await lin.post(`${at}/${whole[0]}/restore`)).status).toBe(200)
    await agent.serve({ power: 'on', proven: true })
    await toSchedule()
    expect((await agent.claim())?.payload.kind).toBe('backup')
  })

  test('rests while the order is suspended', async () => {
    await schedule({ frequency: 'daily', hour: 3 })
    await admin.put(`/orders/${orderId}/status`, { status: 'SUSPENDED' })
    await agent.serve({ power: 'off' })
    await toSchedule('off')
    expect(await agent.claim()).toBeNull()
    expect(await list()).toEqual([])
  })

  test('is not late for the days on which the order was suspended', async () => {
    await schedule({ frequency: 'daily', hour: 3 })
    await admin.put(`/orders/${orderId}/status`, { status: 'SUSPENDED' })
    await agent.serve({ power: 'off' })
    for (const _ of [1, 2, 3, 4]) await toSchedule('off')
    await admin.put(`/orders/${orderId}/status`, { status: 'ACTIVE' })
    await sweep(app.deps)
    expect(await findings()).not.toContain('late-backup')
    await agent.serve()
    app.advance(3 * day)
    await sweep(app.deps)
    expect(await findings()).toContain('late-backup')
  })

  test('is not told as late, nor its check, while its host is declared lost: operators know of that, and none can be made', async () => {
    await made()
    await schedule({ frequency: 'daily', hour: 3 })
    await admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })
    app.advance(15 * day)
    await sweep(app.deps)
    expect((await findings()).toSorted()).toEqual(['lost-servers'])
    await app.db.updateTable('hosts').set({ status: 'READY' }).execute()
    app.advance(day)
    await sweep(app.deps)
    expect(await findings()).toEqual(expect.arrayContaining(['late-backup', 'unchecked-backup']))
  })
})

test('a server’s console says whether backups are kept of it and of its owner’s others, ended ones too, and nobody else’s', async () => {
  const another = await sale.serverOf(await sale.buyActive())
  const chen = await person(app, 'chen', { yuan: 100 })
  const theirs = await sale.buyActive({}, chen)
  const kept = async (id: string, who = lin) => (await who.get(`/server-management/${id}`)).body.data.keptBackups
  const none = { own: false, elsewhere: false }
  expect([await kept(serverId), await kept(another)]).toEqual([none, none])
  await made()
  expect([await kept(serverId), await kept(another)]).toEqual([
    { own: true, elsewhere: false },
    { own: false, elsewhere: true },
  ])
  await sale.toEnd(orderId, 80 * 3_600_000)
  await lin.put(`/orders/${orderId}/auto-renewal`, { autoRenewal: false })
  await sweep(app.deps)
  expect((await sale.order(orderId)).status).toBe('EXPIRED')
  expect(await kept(another)).toEqual({ own: false, elsewhere: true })
  expect(await kept((await chen.get(`/orders/${theirs}`)).body.data.serverId, chen)).toEqual(none)
})

describe('sold', () => {
  test('by the piece and month, beside a configuration that is locked, too', async () => {
    const { priceGroupId } = sale.shop.order
    const quoted = async (backups: number) => lin.post('/orders/quote', { ...sale.shop.order, backups })
    expect((await quoted(3)).body.data).toMatchObject({
      amount: 39,
      lines: [{ amount: 30 }, { label: '备份', units: 3, amount: 9 }],
    })
    expect((await quoted(6)).body).toMatchObject({ code: 'INVALID_INPUT', message: '该套餐最多保留 5 个备份' })
    const page = { cpu_cores: 2, memory: 4, disk_space: 40, network_speed: 100, ip_count: 1 }
    await app.db
      .updateTable('price_groups')
      .set({ sales_page_html: JSON.stringify(page) })
      .where('id', '=', priceGroupId)
      .execute()
    expect((await lin.post('/orders', { ...sale.shop.order, backups: 1 })).body.data).toMatchObject({ backups: 1 })
  })

  test('nowhere while none can be kept; who has some renews them', async () => {
    const { version } = (await admin.get('/backup-repository')).body.data
    await admin.post('/backup-repository/clear', { version })
    expect((await lin.get('/price-groups/active')).body.data[0].mostBackups).toBe(0)
    expect((await lin.post('/orders', { ...sale.shop.order, backups: 1 })).body.message).toBe('该套餐不提供备份')
    expect((await lin.get(`/orders/${orderId}/renewal`)).body.data.amount).toBe(36)
  })

  test('more of them alone: charged for the rest of the period, at once, and nothing is asked of the host', async () => {
    const before = await lin.balance()
    const { data } = (await lin.post(`/orders/${orderId}/upgrade-quote`, { backups: 4 })).body
    expect(data).toMatchObject({ periodBefore: 36, periodAfter: 42, available: true, spec: { backups: 4 } })
    const reply = await lin.post(`/orders/${orderId}/upgrade`, { backups: 4 })
    expect(reply.body.data).toEqual({ jobId: null })
    expect(await lin.balance()).toBeCloseTo(before - data.amount, 5)
    expect(await sale.order(orderId)).toMatchObject({ backups: 4, cpuCores: 2 })
    expect(await agent.claim()).toBeNull()
    expect((await lin.post(`/orders/${orderId}/upgrade`, { backups: 3 })).status).toBe(400)
    expect((await lin.post(`/orders/${orderId}/upgrade`, { backups: 6 })).status).toBe(400)
  })

  test('while another upgrade is under way is refused; together they come with its end', async () => {
    await lin.post(`/orders/${orderId}/upgrade`, { cpuCores: 3, backups: 3 })
    expect((await lin.post(`/orders/${orderId}/upgrade`, { backups: 4 })).body.code).toBe('LOCKED')
    expect((await sale.order(orderId)).backups).toBe(2)
    await agent.serve({ power: 'on', size: { cpuCores: 3, memoryMb: 4096 } })
    expect(await sale.order(orderId)).toMatchObject({ backups: 3, cpuCores: 3 })
  })
})

describe('a backup of a server that was set up on another host', () => {
  test.each([
    ['with its addresses, comes back as it was', true, null],
    ['with other addresses, takes those', false, 'elsewhere'],
  ])('%s', async (_, shared, elsewhere) => {
    const id = await made()
    const other = await addHost(app, sale.shop, { network: '10.9.1' })
    const pool = await app.db
      .selectFrom('host_ip_pools')
      .select('pool_id')
      .where('host_id', '=', sale.host.id)
      .execute()
    for (const { pool_id } of shared ? pool : [])
      await app.db.insertInto('host_ip_pools').values({ host_id: other.id, pool_id }).execute()
    app.advance(1000)
    expect((await admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })).status).toBe(200)
    expect((await admin.post(`/orders/${orderId}/evacuate`)).status).toBe(200)
    const there = hostAgent(app, other.token)
    await there.serve()
    expect((await lin.post(`${at}/${id}/restore`)).status).toBe(200)
    const job = await there.claim()
    const whose = elsewhere ? { hostKey: null, from: serverId } : { hostKey: told.hostKey }
    expect(job).toMatchObject({ payload: { kind: 'restore', backupId: id, ...whose } })
    expect('from' in job!.payload).toBe(elsewhere !== null)
  })
})

describe('the repository', () => {
  test('is never told with its passwords, takes only addresses that restic knows, and is an operator’s alone', async () => {
    expect((await lin.get('/backup-repository')).status).toBe(403)
    const { version } = (await admin.get('/backup-repository')).body.data
    for (const url of ['srv/x', '/srv/../etc', 'rest:https://user:secret@host/', 'ftp://host/x', 's3:https://host'])
      expect((await admin.put('/backup-repository', { ...repository, version, url })).status, url).toBe(400)
    const s3 = { url: 's3:https://s3.example.com/vps', username: 'AKIA1', version }
    expect((await admin.put('/backup-repository', { ...s3, password: 'Keeps-them-2' })).body.message).toBe(
      '请填写登录密码或密钥',
    )
    const whole = { ...s3, password: 'Keeps-them-2', loginPassword: 'key-of-s3', uploadLimitKib: 2048 }
    expect((await admin.put('/backup-repository', whole)).status).toBe(200)
    expect((await admin.put('/backup-repository', whole)).body.code).toBe('CONFLICT')
    const shown = (await admin.get('/backup-repository')).body
    expect(shown.data).toMatchObject({ url: s3.url, username: 'AKIA1', uploadLimitKib: 2048, savedBy: 'boss' })
    const audit = await app.db.selectFrom('audit_log').select('details').execute()
    for (const secret of ['Keeps-them-2', 'key-of-s3']) expect(JSON.stringify([shown, audit])).not.toContain(secret)
    await create()
    expect((await agent.claim())?.repository).toEqual({
      url: s3.url,
      holdsBackups: false,
      password: 'Keeps-them-2',
      environment: { AWS_ACCESS_KEY_ID: 'AKIA1', AWS_SECRET_ACCESS_KEY: 'key-of-s3' },
      uploadLimitKib: 2048,
    })
  })

  test('that moves is used for new ones; what was kept is brought back from where it lies', async () => {
    const id = await made()
    const { version } = (await admin.get('/backup-repository')).body.data
    const rest = { url: 'rest:https://backup.example.com/', username: 'portal', loginPassword: 'p@ss', version }
    expect((await admin.put('/backup-repository', { ...rest, password: 'Keeps-them-2' })).status).toBe(200)
    await lin.post(`${at}/${id}/restore`)
    expect((await agent.serve({ power: 'on', proven: true }))?.repository?.url).toBe('/srv/backups')
    await create()
    expect((await agent.serve({ power: 'on', backup: told }))?.repository?.url).toBe(
      'rest:https://portal:p%40ss@backup.example.com/',
    )
  })

  test('keeps the password that its backups were encrypted with', async () => {
    await made()
    const { version } = (await admin.get('/backup-repository')).body.data
    const other = await admin.put('/backup-repository', { ...repository, password: 'Another-one-1', version })
    expect(other.body.message).toBe('该地址中已有备份，加密密码不能更改')
    const limited = { url: repository.url, uploadLimitKib: 100, version }
    expect((await admin.put('/backup-repository', limited)).status).toBe(200)
  })
})
