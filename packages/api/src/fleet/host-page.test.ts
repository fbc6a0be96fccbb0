import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSale, type Sale } from '../testing/sale.js'
import { addHost } from '../testing/shop.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale({ servers: 3, addresses: 5 })))
afterEach(() => sale.app.close())

const read = async (path: string) => (await sale.admin.get(path)).body.data
const ago = (days: number) => new Date(sale.app.deps.now().getTime() - days * 86_400_000)
const since = (days: number) =>
  sale.app.db
    .updateTable('hosts')
    .set({ created_at: ago(days) })
    .execute()
const growth = () => read(`/hosts/${sale.host.id}/growth`)

describe('what came to a host in a month', () => {
  test('is not told of one that was not there that long', async () => {
    await since(29)
    await sale.buyActive()
    expect(await growth()).toBeNull()
    expect((await sale.admin.get(`/hosts/${randomUUID()}/growth`)).body.code).toBe('NOT_FOUND')
    expect((await sale.lin.get(`/hosts/${sale.host.id}/growth`)).status).toBe(403)
  })

  test('is what came and stayed, less what was there before and went', async () => {
    await since(40)
    expect(await growth()).toEqual({ servers: 0, cpuCores: 0, memoryMb: 0, diskGb: 0 })
    const [old] = [await sale.serverOf(await sale.buyActive()), await sale.buyActive()]
    expect(await growth()).toMatchObject({ servers: 2, cpuCores: 4 })
    const place = sale.app.db.updateTable('placements').where('server_id', '=', old)
    await place.set({ created_at: ago(31) }).execute()
    expect(await growth()).toMatchObject({ servers: 1, cpuCores: 2 })
    await place.set({ state: 'releasing', releasing_at: ago(0) }).execute()
    expect(await growth()).toMatchObject({ servers: 1 })
    await place.set({ state: 'freed', freed_at: ago(0) }).execute()
    expect(await growth()).toEqual({ servers: 0, cpuCores: 0, memoryMb: 0, diskGb: 0 })
    await place.set({ created_at: ago(2) }).execute()
    expect(await growth()).toMatchObject({ servers: 1 })
  })
})

describe('of one host alone are read', () => {
  test('its servers, its jobs and the addresses of its servers, each with what it belongs to', async () => {
    const id = await sale.buyActive({ ipCount: 2 })
    const other = await addHost(sale.app, sale.shop, { network: '10.8.0', name: 'kvm-2' })
    const { number } = await sale.orderRow(id)
    const mine = await read(`/servers?hostId=${sale.host.id}`)
    expect(mine.content).toMatchObject([{ orderId: id, hostId: sale.host.id }])
    expect((await read(`/servers?hostId=${other.id}`)).content).toEqual([])
    expect((await read(`/jobs?hostId=${sale.host.id}`)).content).toMatchObject([
      { hostId: sale.host.id, orderNumber: number, ownerName: 'lin', ownerId: sale.lin.user.id },
    ])
    const addresses = await read(`/hosts/${sale.host.id}/addresses`)
    expect(addresses).toMatchObject({ totalElements: 2 })
    expect(addresses.content[0]).toMatchObject({ state: 'used', poolName: 'host-10.9.0', orderId: id })
    expect((await read(`/hosts/${other.id}/addresses`)).content).toEqual([])
    expect((await sale.lin.get(`/hosts/${sale.host.id}/addresses`)).status).toBe(403)
  })

  test('its findings, by the days on which they were found', async () => {
    await sale.agent.inventory({ volumes: [{ name: 'left-behind.qcow2', bytes: 1 }] })
    const other = await addHost(sale.app, sale.shop, { network: '10.8.0', name: 'kvm-2' })
    const subjects = async (query: string) =>
      (await read(`/findings?${query}`)).content.map(({ subject }: { subject: string }) => subject)
    expect(await subjects(`hostId=${sale.host.id}`)).toEqual(['left-behind.qcow2'])
    expect(await subjects(`hostId=${other.id}`)).toEqual([])
    expect(await subjects('from=2020-01-01')).toEqual(['left-behind.qcow2'])
    expect(await subjects('to=2020-01-01')).toEqual([])
  })

  test('what was done to it, with the name of what it was done to', async () => {
    await sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'DRAINING' })
    const { content } = await read(`/audit?subjectKind=host&subjectId=${sale.host.id}`)
    expect(content[0]).toMatchObject({
      action: 'host.move',
      subjectName: 'host-10.9.0',
      actorName: 'boss',
      actorId: sale.admin.user.id,
    })
    expect((await read(`/audit?subjectKind=order&subjectId=${sale.host.id}`)).content).toEqual([])
    expect((await read('/audit?to=2020-01-01')).content).toEqual([])
  })
})

test('a host is found by a part of its name in the search of everything', async () => {
  expect((await read('/search?text=host-10')).hosts).toMatchObject([{ id: sale.host.id, name: 'host-10.9.0' }])
})
