import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.js'
import { capacity } from '../testing/host.js'
import { openSale, type Sale } from '../testing/sale.js'

let app: TestApp
let sale: Sale
beforeEach(async () => {
  sale = await openSale()
  app = sale.app
})
afterEach(() => app.close())

const file = 'debian-12.qcow2'
const told = (more: { bootsUefi?: boolean } = {}) => sale.agent.inventory({ capacity: { ...capacity, ...more } })
const find = async () =>
  (await sale.admin.get('/images')).body.data.find((image: { file: string }) => image.file === file)
async function save(change: object) {
  const { hosts: _hosts, id, version: _version, ...image } = await find()
  return sale.admin.put(`/images/${id}`, { ...image, ...change })
}
const presence = async () => (await find()).hosts[0].status
const pay = async () => (await sale.lin.post(`/orders/${await sale.place()}/pay`)).status

test('an image for UEFI is placed only where the host has told that it can, which one of before cannot', async () => {
  await told()
  expect((await save({ firmware: 'uefi' })).status).toBe(200)
  expect(await pay()).toBe(409)
  for (const more of [{}, { bootsUefi: false }]) {
    await told(more)
    expect([await presence(), await pay()]).toEqual(['no-uefi', 409])
  }
  await told({ bootsUefi: true })
  expect([await presence(), await pay()]).toEqual(['ready', 200])
  const job = await sale.agent.claim()
  expect(job?.payload).toMatchObject({ kind: 'install', machine: { image: { file, firmware: 'uefi' } } })
})

test('a host that has lost its firmware takes no more of them, until it has it again', async () => {
  await save({ firmware: 'uefi' })
  await told({ bootsUefi: true })
  await told()
  expect(await pay()).toBe(409)
  await told({ bootsUefi: true })
  expect([await presence(), await pay()]).toEqual(['ready', 200])
})

test('a system that machines, backups or orders need becomes no disc and no rescue system', async () => {
  await told()
  await sale.buyActive()
  for (const change of [{ kind: 'iso', file: 'debian.iso' }, { kind: 'rescue' }]) {
    const { status, body } = await save(change)
    expect([status, body.code]).toEqual([409, 'IN_USE'])
    expect(body.message).toBe('仍有 1 台服务器使用此镜像，无法更改用途；可以为它另建一个镜像')
  }
  await app.db.updateTable('servers').set({ released_at: app.deps.now() }).execute()
  expect((await save({ kind: 'rescue' })).status).toBe(200)
})

test('what machines or backups were made with stays, and nothing but a system can want UEFI', async () => {
  await told()
  const id = await sale.buyActive()
  const kept = await save({ firmware: 'uefi', sortOrder: 3 })
  expect([kept.status, kept.body.code, kept.body.message]).toEqual([
    409,
    'IN_USE',
    '仍有 1 台服务器使用此镜像，无法更改固件；可以为它另建一个镜像',
  ])
  expect((await save({ sortOrder: 3 })).status).toBe(200)
  const server = await app.db.selectFrom('servers').select(['id', 'image_id']).executeTakeFirstOrThrow()
  expect(server.id).toBe(await sale.serverOf(id))
  for (const kind of ['rescue', 'iso'] as const) {
    const refused = await save({ kind, firmware: 'uefi', ...(kind === 'iso' ? { file: 'debian.iso' } : {}) })
    expect([refused.status, refused.body.errors.firmware]).toEqual([400, '只有客户的系统可以使用 UEFI 固件'])
  }
})
