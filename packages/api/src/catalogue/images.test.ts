import { createHash } from 'node:crypto'
import type { ImageTransfer, InventoryTold } from '@vps/shared/agent.contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { onCommit } from '../db/tx.js'
import type { Notification } from '../notifications/notification.js'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { call, person, type Person } from '../testing/people.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let admin: Person
let lin: Person
let host: { id: string; token: string }
let agent: ReturnType<typeof hostAgent>
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  admin = await person(app, 'boss', { admin: true })
  lin = await person(app, 'lin', { yuan: 100 })
  host = await addHost(app, shop)
  agent = hostAgent(app, host.token)
})
afterEach(() => app.close())

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const url = 'https://mirror.example.com/debian-13.qcow2?token=geheim'
const debian13 = { osName: 'Debian', osVersion: '13', file: 'debian-13.qcow2', url, sha256: hashOf('13') }

const list = async () => (await admin.get('/images')).body.data
const find = async (file: string) => (await list()).find((image: { file: string }) => image.file === file)
const presence = async () => (await find(debian13.file)).hosts[0]
const add = async (change: object = {}) => {
  expect((await admin.post('/images', { ...debian13, ...change })).status).toBe(200)
  return find(debian13.file)
}
const save = (id: string, change: object) => admin.put(`/images/${id}`, { ...debian13, ...change })
const remove = (id: string) => call(app, 'DELETE', `/images/${id}`, { token: admin.token })

const here = (...images: InventoryTold['images']) => agent.inventory({ images })
const whole = (sha256?: string | null) => ({
  file: debian13.file,
  bytes: 10,
  ...(sha256 === undefined ? {} : { sha256 }),
})
const told = (...transfers: ImageTransfer[]) =>
  agent.caller.report({
    ...agent.me,
    at: new Date().toISOString(),
    host: { cpuUsage: 1, memoryUsage: 1, diskUsage: 1, load1: 1 },
    domains: [],
    transfers,
  })
const coming = (change: Partial<ImageTransfer>): ImageTransfer => ({
  file: debian13.file,
  bytes: 0,
  totalBytes: null,
  status: 'running',
  error: null,
  ...change,
})
const findings = async () => (await admin.get('/findings')).body.data.content
const buy = () => lin.post('/orders', { ...shop.order, osVersion: '13' })

describe('an image with an address', () => {
  test.each([
    ['needs a checksum', { sha256: '' }, { sha256: '使用下载地址时必须填写 SHA-256 校验和' }],
    ['comes by http or https', { url: 'file:///etc/passwd' }, { url: '请输入以 http:// 或 https:// 开头的下载地址' }],
    ['has an address that is one', { url: 'https://' }, { url: '请输入以 http:// 或 https:// 开头的下载地址' }],
    ['has a name that hosts look for', { file: 'debian.part' }, { file: '文件名需以 .qcow2、.img、.raw 或 .iso 结尾' }],
  ])('%s', async (_name, change, errors) => {
    const { status, body } = await admin.post('/images', { ...debian13, ...change })
    expect([status, body.code, body.errors]).toEqual([400, 'INVALID_INPUT', errors])
  })

  test('is wanted from every host while it is active, in its order; one without an address never is', async () => {
    const { id } = await add({ sortOrder: 2 })
    await admin.post('/images', { ...debian13, osVersion: '14', file: 'debian-14.qcow2', sortOrder: 1 })
    const wanted = async () => (await agent.inventory()).images.map(({ file }) => file)
    expect(await wanted()).toEqual(['debian-14.qcow2', 'debian-13.qcow2'])
    expect((await agent.inventory()).images[1]).toEqual({ file: debian13.file, url, sha256: debian13.sha256 })
    await save(id, { isActive: false })
    expect(await wanted()).toEqual(['debian-14.qcow2'])
  })

  test('is told of each host from waiting to ready, with how far it is and why it failed', async () => {
    expect((await add()).hosts).toEqual([
      {
        hostId: host.id,
        hostName: 'host-10.9.0',
        alive: true,
        lastSeenAt: expect.any(String),
        status: 'waiting',
        bytes: 0,
        totalBytes: null,
        error: null,
      },
    ])
    await told(coming({ bytes: 30, totalBytes: 100 }))
    expect(await presence()).toMatchObject({ status: 'running', bytes: 30, totalBytes: 100 })
    await told(coming({ status: 'failed', bytes: 30, totalBytes: 100, error: '60 秒内没有收到数据' }))
    expect(await presence()).toMatchObject({ status: 'failed', error: '60 秒内没有收到数据' })
    await here(whole(debian13.sha256))
    expect(await presence()).toMatchObject({ status: 'ready', error: null })
    await told()
    expect(await presence()).toMatchObject({ status: 'ready' })
    await here()
    expect(await presence()).toMatchObject({ status: 'waiting' })
  })

  test('is sold only where a host has it, whole and checked', async () => {
    await add()
    const { body } = await buy()
    const pay = () => lin.post(`/orders/${body.data.id}/pay`)
    for (const files of [[], [whole(null)], [whole(hashOf('another'))]]) {
      await here(...files)
      expect((await pay()).body.code).toBe('NO_STOCK')
    }
    await here(whole(debian13.sha256))
    expect((await pay()).status).toBe(200)
    expect((await agent.claim())?.payload).toMatchObject({
      machine: { image: { file: debian13.file, sha256: debian13.sha256 } },
    })
  })

  test('is not offered to a server whose host is still fetching it, and the owner reads why', async () => {
    const { body } = await lin.post('/orders', shop.order)
    await lin.post(`/orders/${body.data.id}/pay`)
    await agent.serve()
    await add()
    const { serverId } = (await lin.get(`/orders/${body.data.id}`)).body.data
    const wish = { action: 'reinstall', osName: 'Debian', osVersion: '13', rootPassword: 'Another-pass-2' }
    const reinstall = () => lin.post('/server-management/action', { serverId, ...wish })
    expect((await reinstall()).body).toMatchObject({
      code: 'NOT_SUPPORTED',
      message: '服务器所在的宿主机暂时没有可用的该系统镜像，请稍后再试或选择其他系统',
    })
    await here(whole(debian13.sha256))
    expect((await reinstall()).status).toBe(200)
  })

  test('stays ready when its agent starts anew and has not read it yet', async () => {
    await add()
    await here(whole(debian13.sha256))
    await here(whole(null))
    expect(await presence()).toMatchObject({ status: 'ready' })
  })

  test('counts by its name on a host whose agent is older and fetches nothing', async () => {
    await add()
    await here(whole())
    expect(await presence()).toMatchObject({ status: 'ready' })
  })

  test('is no host’s any more once it means another content, until one has seen that', async () => {
    const { id } = await add()
    await here(whole(debian13.sha256))
    const next = hashOf('13.1')
    expect((await save(id, { sha256: next })).status).toBe(200)
    expect(await presence()).toMatchObject({ status: 'waiting' })
    await here(whole(debian13.sha256))
    expect(await presence()).toMatchObject({ status: 'waiting' })
    await here(whole(next))
    expect(await presence()).toMatchObject({ status: 'ready' })
  })

  test('that only moves to another address stays where it is', async () => {
    const { id } = await add()
    await here(whole(debian13.sha256))
    await save(id, { url: 'http://other.example.com/debian-13.qcow2' })
    expect(await presence()).toMatchObject({ status: 'ready' })
  })

  test('takes over a file that lay there by hand only when its content is right', async () => {
    await here(whole(null))
    await add()
    expect(await presence()).toMatchObject({ status: 'waiting' })
    await here(whole(null))
    expect(await presence()).toMatchObject({ status: 'waiting' })
  })
})

test('an image without an address is where its file is, unless its checksum is known to be another', async () => {
  await add({ url: null, sha256: null })
  expect(await presence()).toMatchObject({ status: 'none' })
  await here(whole(null))
  expect(await presence()).toMatchObject({ status: 'ready' })
  const { id } = await find(debian13.file)
  await save(id, { url: null })
  await here(whole(hashOf('another')))
  expect(await presence()).toMatchObject({ status: 'none' })
})

test('operators are told of a transfer when it changed, and of nothing when it did not', async () => {
  const heard: Notification[] = []
  onCommit(app.db, (notifications) => heard.push(...notifications))
  const ofImages = () => heard.filter((one) => 'shop' in one && one.shop === 'image')
  await told(coming({ bytes: 5 }))
  await told(coming({ bytes: 5 }))
  expect(ofImages()).toHaveLength(1)
  await told()
  expect(ofImages()).toHaveLength(2)
})

test('edited by two operators: the later save is 409 and told what changed', async () => {
  const { id, version } = await add()
  expect((await save(id, { minDiskGb: 8, version })).status).toBe(200)
  const late = await save(id, { sortOrder: 4, version })
  expect([late.status, late.body.code, late.body.errors]).toEqual([
    409,
    'CONFLICT',
    { minDiskGb: '已被修改为：8', sortOrder: '已被修改为：0' },
  ])
  expect((await find(debian13.file)).version).toBe(version + 1)
})

test('the audit log has what was before and after, and no secret of an address', async () => {
  const { id } = await add()
  await save(id, { url: 'https://me:hidden@mirror.example.com/new.qcow2', minDiskGb: 8 })
  await remove(id)
  const entries = await app.db
    .selectFrom('audit_log')
    .select(['action', 'details'])
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute()
  expect(entries).toMatchObject([
    { action: 'image.create', details: { after: { url: 'https://mirror.example.com/debian-13.qcow2?…' } } },
    {
      action: 'image.update',
      details: {
        before: { url: 'https://mirror.example.com/debian-13.qcow2?…', min_disk_gb: 5 },
        after: { url: 'https://mirror.example.com/new.qcow2', min_disk_gb: 8 },
      },
    },
    { action: 'image.delete', details: { before: { os_name: 'Debian', os_version: '13', file: debian13.file } } },
  ])
  expect(JSON.stringify(entries)).not.toMatch(/geheim|hidden/)
})

test('an image whose base was changed on a host is not sold there and is a finding, until the base is as it was', async () => {
  await add({ url: null, sha256: null })
  const sha256 = hashOf('13')
  await here(whole(sha256))
  expect(await presence()).toMatchObject({ status: 'ready' })
  const order = (await buy()).body.data
  const pay = () => lin.post(`/orders/${order.id}/pay`)

  await agent.inventory({ images: [whole(sha256)], changedBases: [{ sha256, disks: 2 }] })
  expect(await presence()).toMatchObject({ status: 'none' })
  expect((await pay()).body.code).toBe('NO_STOCK')
  expect(await findings()).toMatchObject([
    { kind: 'changed-base', subject: sha256, details: { images: [debian13.file], disks: 2 } },
  ])

  await here(whole(sha256))
  expect(await presence()).toMatchObject({ status: 'ready' })
  expect(await findings()).toEqual([])
  expect((await pay()).status).toBe(200)
})

describe('deleting', () => {
  test('is refused while an order waits or a server lives, and says what stands in the way', async () => {
    const { body } = await lin.post('/orders', shop.order)
    const refused = async () => (await remove(shop.imageId)).body
    expect(await refused()).toMatchObject({
      code: 'IN_USE',
      message: '仍有 1 个未完成的订单使用此镜像，无法删除；如需停止销售，可以改为停用',
    })
    await lin.post(`/orders/${body.data.id}/pay`)
    expect((await refused()).message).toBe(
      '仍有 1 台服务器、1 个未完成的订单、1 个任务使用此镜像，无法删除；如需停止销售，可以改为停用',
    )
    await agent.serve()
    expect((await refused()).message).toMatch(/^仍有 1 台服务器使用此镜像/)
  })

  test('leaves what was sold with it as it was, and frees its name and its file', async () => {
    const { body } = await lin.post('/orders', shop.order)
    const orderId = body.data.id
    await lin.post(`/orders/${orderId}/pay`)
    await agent.serve()
    await lin.post(`/orders/${orderId}/refund`, { reason: '不再需要' })
    const refund = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    expect((await admin.post(`/refunds/${refund.id}/approve`, { reason: '同意' })).status).toBe(200)
    await agent.serve({ power: 'absent' })
    expect((await remove(shop.imageId)).status).toBe(200)

    expect((await lin.get(`/orders/${orderId}`)).body.data).toMatchObject({
      osName: 'Debian',
      osVersion: '12',
      username: 'root',
    })
    expect((await list()).map((image: { file: string }) => image.file)).not.toContain('debian-12.qcow2')
    expect((await lin.post('/orders', shop.order)).body.code).toBe('UNKNOWN_IMAGE')
    expect((await remove(shop.imageId)).status).toBe(404)
    const again = { osName: 'Debian', osVersion: '12', file: 'debian-12.qcow2' }
    expect((await admin.post('/images', again)).status).toBe(200)
    expect((await lin.post('/orders', shop.order)).status).toBe(200)
  })

  test('ends the transfer of what nobody wants any more', async () => {
    const { id } = await add()
    await remove(id)
    expect((await agent.inventory()).images).toEqual([])
  })
})
