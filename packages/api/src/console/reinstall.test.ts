import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.js'
import type { Person } from '../testing/people.js'
import { openSale, type HostAgent, type Sale } from '../testing/sale.js'

let app: TestApp
let lin: Person
let admin: Person
let agent: HostAgent
let buyActive: Sale['buyActive']
let serverOf: Sale['serverOf']
beforeEach(async () => void ({ app, lin, admin, agent, buyActive, serverOf } = await openSale()))
afterEach(() => app.close())

describe('reinstalling', () => {
  const body = { osName: 'Debian', osVersion: '12', rootPassword: 'Another-pass-2', sshPort: 2345 }

  test('makes the next generation in the same place, and the new password counts once it is done', async () => {
    const serverId = await serverOf(await buyActive())
    const password = async () => (await lin.get(`/server-management/${serverId}/password`)).body.data.password
    const { status } = await lin.post('/server-management/action', { serverId, action: 'reinstall', ...body })
    expect(status).toBe(200)
    expect(await password()).toBe('Secret-pass-1')
    const job = (await agent.claim())!
    expect(job).toMatchObject({
      generation: { number: 2 },
      secrets: { password: 'Another-pass-2' },
      payload: { kind: 'reinstall', machine: { sshPort: 2345 } },
    })
    await agent.finish(job)
    expect(await password()).toBe('Another-pass-2')
    expect((await lin.get(`/server-management/${serverId}`)).body.data).toMatchObject({
      sshPort: 2345,
      installStatus: 'COMPLETED',
      status: 'ONLINE',
    })
  })

  test('with another system is listed and found by that once it is there, no more by what was ordered', async () => {
    const [now, file] = [app.deps.now(), 'ubuntu-24.04.qcow2']
    const ubuntu = { os_name: 'Ubuntu', os_version: '24.04 LTS', file, created_at: now, updated_at: now }
    await app.db
      .insertInto('images')
      .values({ id: uuidv7(), ...ubuntu })
      .execute()
    await app.db
      .updateTable('hosts')
      .set({ images: ['debian-12.qcow2', file] })
      .execute()
    const id = await buyActive()
    const found = async (search: string) =>
      (await lin.get(`/orders/page?search=${encodeURIComponent(search)}`)).body.data.content.map(
        (order: { id: string }) => order.id,
      )
    const other = { ...body, osName: 'Ubuntu', osVersion: '24.04 LTS' }
    expect((await lin.post(`/server-management/${await serverOf(id)}/install`, other)).status).toBe(200)
    expect((await lin.get(`/orders/${id}`)).body.data).toMatchObject({ osName: 'Debian', osVersion: '12' })
    await agent.serve()
    const shown = { osName: 'Ubuntu', osVersion: '24.04 LTS' }
    expect((await lin.get(`/orders/${id}`)).body.data).toMatchObject(shown)
    expect((await lin.get('/orders')).body.data).toMatchObject([shown])
    expect([await found('ubuntu 24'), await found('debian')]).toEqual([[id], []])
  })

  test('is refused while the server is protected, busy, suspended, or the password is weak', async () => {
    const serverId = await serverOf(await buyActive())
    const send = (change: object = {}) => lin.post(`/server-management/${serverId}/install`, { ...body, ...change })
    expect((await send({ rootPassword: 'weak' })).status).toBe(400)
    expect((await send({ rootPassword: undefined })).body.message).toBe('新密码不能为空')
    expect((await send({ osName: undefined })).body.message).toBe('请选择操作系统及版本')
    await lin.put(`/server-management/${serverId}/protection`, { protected: true })
    expect((await send()).body.code).toBe('PROTECTED')
    await lin.put(`/server-management/${serverId}/protection`, { protected: false })
    await lin.post('/server-management/action', { serverId, action: 'restart' })
    expect((await send()).body.code).toBe('LOCKED')
    await agent.serve()
    await app.db.updateTable('orders').set({ status: 'SUSPENDED', suspend_reason: 'unpaid' }).execute()
    expect((await send()).body.code).toBe('MOVE_NOT_ALLOWED')
  })

  test('one that a power cut replaced before it began leaves all as it was; of one that had begun nobody waits for an end', async () => {
    await app.db.updateTable('price_groups').set({ snapshots: 2 }).execute()
    const serverId = await serverOf(await buyActive())
    const at = `/server-management/${serverId}`
    const ask = () => lin.post(`${at}/install`, body)
    const cut = () => lin.post('/server-management/action', { serverId, action: 'stop', force: true })
    const installStatus = async () => (await lin.get(at)).body.data.installStatus
    await lin.post(`${at}/snapshots`, { name: '更新前' })
    await agent.serve()
    await ask()
    await cut()
    expect(await installStatus()).toBe('COMPLETED')
    await agent.serve({ power: 'off' })
    expect(await installStatus()).toBe('COMPLETED')
    expect((await lin.get(`${at}/snapshots`)).body.data).toMatchObject([{ name: '更新前', state: 'READY' }])
    const [snapshot] = await app.db.selectFrom('snapshots').select('id').execute()
    const { mac } = await app.db.selectFrom('servers').select('mac').executeTakeFirstOrThrow()
    const made = { name: `vps-${serverId}`, power: 'off' as const, generation: { epoch: 0, number: 1 } }
    const size = { cpuCores: 2, memoryMb: 4096 }
    await agent.inventory({
      domains: [{ uuid: serverId, ...made, macs: [mac ?? ''], size, snapshots: [snapshot?.id ?? ''] }],
    })
    const found = await app.db.selectFrom('findings').select('kind').where('resolved_at', 'is', null).execute()
    expect(found).toEqual([])

    await ask()
    const begun = await agent.claim()
    await cut()
    if (begun) await agent.finish(begun, { ok: false, message: '连接失败' })
    expect(await agent.serve({ power: 'off' })).toMatchObject({ payload: { kind: 'stop' } })
    expect(await installStatus()).toBe('FAILED')
    await ask()
    await cut()
    await agent.serve({ power: 'off' })
    expect(await installStatus()).toBe('FAILED')
    await ask()
    await agent.serve()
    expect(await installStatus()).toBe('COMPLETED')
  })

  test('one that failed before it touched the disk leaves the server as it was, with its snapshots, until it is tried again', async () => {
    await app.db.updateTable('price_groups').set({ snapshots: 2 }).execute()
    const serverId = await serverOf(await buyActive())
    const at = `/server-management/${serverId}`
    const installStatus = async () => (await lin.get(at)).body.data.installStatus
    const snapshots = async () => (await lin.get(`${at}/snapshots`)).body.data
    const failWith = async (createDisk: 'pending' | 'failed') => {
      const job = await agent.claim()
      if (!job) throw new Error('no reinstall')
      const steps = [{ name: 'createDisk', label: '创建磁盘', status: createDisk, startedAt: null, finishedAt: null }]
      const result = { ok: false, final: true, aborted: false, power: 'on', message: '镜像已损坏', detail: '' } as const
      await agent.caller.finish({ ...agent.me, jobId: job.id, attempt: job.attempt, steps, percentage: 0, result })
      return job.id
    }
    await lin.post(`${at}/snapshots`, { name: '更新前' })
    await agent.serve()
    await lin.post(`${at}/install`, body)
    await failWith('pending')
    expect(await installStatus()).toBe('COMPLETED')
    expect(await snapshots()).toMatchObject([{ name: '更新前', state: 'READY' }])
    await lin.post(`${at}/install`, body)
    const failed = await failWith('pending')
    expect(await installStatus()).toBe('COMPLETED')
    expect(await snapshots()).toMatchObject([{ name: '更新前', state: 'READY' }])
    expect((await admin.post(`/jobs/${failed}/retry`)).status).toBe(200)
    await agent.serve()
    expect(await installStatus()).toBe('COMPLETED')
    expect(await snapshots()).toEqual([])
    await lin.post(`${at}/install`, body)
    const touched = await failWith('failed')
    expect(await installStatus()).toBe('FAILED')
    expect((await admin.post(`/jobs/${touched}/retry`)).status).toBe(200)
    await failWith('pending')
    expect(await installStatus()).toBe('FAILED')
  })
})
