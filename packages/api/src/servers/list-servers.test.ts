import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { call } from '../testing/people.js'
import { addReached, enteredMachine, openSale, type Sale } from '../testing/sale.js'

let sale: Sale
let machine: string
let dedicated: string
beforeEach(async () => {
  sale = await openSale()
  machine = await sale.serverOf(await sale.buyActive())
  sale.app.advance(1000)
  dedicated = await addReached(sale, { operatingSystem: 'Rocky 9', networkSpeed: '10 Gbps' })
})
afterEach(() => sale.app.close())

const list = async (query = '') => (await sale.admin.get(`/servers?${query}`)).body.data
const ids = async (query: string) => (await list(query)).content.map(({ id }: { id: string }) => id)

describe('every server', () => {
  test('is listed newest first, with who has it, where it is and what it runs; never with a password', async () => {
    const { content, totalElements } = await list()
    expect(totalElements).toBe(2)
    expect(content).toMatchObject([
      {
        id: dedicated,
        driver: 'ssh',
        ip: '203.0.113.9',
        isSold: false,
        needsCleaning: false,
        operatingSystem: 'Rocky 9',
        networkSpeed: '10 Gbps',
        orderNumber: null,
        ownerName: null,
        hostName: null,
      },
      {
        id: machine,
        driver: 'kvm',
        ip: '10.9.0.2',
        port: 2222,
        isSold: true,
        operatingSystem: 'Debian 12',
        networkSpeed: '100 Mbps',
        ownerName: 'lin',
        hostName: 'host-10.9.0',
        groupName: '香港',
      },
    ])
    const { raw } = await sale.admin.get('/servers')
    for (const password of ['Secret-pass-1', 'As-delivered-1']) expect(raw.body).not.toContain(password)
  })

  test('is found by name, address and system of either kind, by group, page by page', async () => {
    expect(await ids('search=203.0.113')).toEqual([dedicated])
    expect(await ids('search=10.9.0.2')).toEqual([machine])
    expect(await ids('search=ROCKY')).toEqual([dedicated])
    expect(await ids('search=debian')).toEqual([machine])
    expect(await ids(`search=${encodeURIComponent('香港')}`)).toEqual([machine])
    expect(await ids(`search=${encodeURIComponent('%')}`)).toEqual([])
    expect(await ids(`groupId=${sale.shop.groupId}&size=1&page=1`)).toEqual([machine])
    expect(await ids(`groupId=${randomUUID()}`)).toEqual([])
  })

  test('is not listed any more once it was released', async () => {
    await sale.app.db.updateTable('servers').set({ released_at: new Date() }).where('id', '=', machine).execute()
    expect(await ids('')).toEqual([dedicated])
    expect((await sale.admin.get(`/servers/${machine}`)).status).toBe(200)
  })

  test('is read by administrators alone', async () => {
    for (const path of ['/servers', `/servers/${machine}`]) {
      expect((await sale.lin.get(path)).status).toBe(403)
      expect((await call(sale.app, 'GET', path)).status).toBe(401)
    }
    expect((await sale.admin.get(`/servers/${randomUUID()}`)).body.code).toBe('NOT_FOUND')
  })
})

describe('the status of a server', () => {
  const status = async (id: string) => (await sale.admin.get(`/servers/${id}`)).body.data
  const set = (change: object) => sale.app.db.updateTable('servers').set(change).where('id', '=', dedicated).execute()

  test('is what the administrator said until the first test, then what the tests saw', async () => {
    await sale.app.db.updateTable('dedicated_servers').set({ initial_status: 'ONLINE' }).execute()
    await set({ ssh_checked_at: null, power: 'unknown' })
    expect(await status(dedicated)).toMatchObject({ status: 'ONLINE', power: 'on' })
    await set({ ssh_checked_at: sale.app.deps.now(), power: 'off' })
    expect(await status(dedicated)).toMatchObject({ status: 'OFFLINE', power: 'off' })
    await set({ power: 'on' })
    expect(await status(dedicated)).toMatchObject({ status: 'ONLINE', power: 'on' })
    sale.app.advance(61_000)
    expect(await status(dedicated)).toMatchObject({ status: 'OFFLINE', power: 'unknown' })
  })

  test('is what its host told of a virtual machine, as long as that is fresh', async () => {
    await sale.agent.report(machine, 'on')
    expect(await status(machine)).toMatchObject({ status: 'ONLINE', power: 'on' })
    await sale.agent.report(machine, 'off')
    expect(await status(machine)).toMatchObject({ status: 'OFFLINE', power: 'off' })
    sale.app.advance(62_000)
    expect((await status(machine)).power).toBe('unknown')
  })
})

describe('a dedicated server', () => {
  const said = (more: object = {}) => ({ ...enteredMachine, groupId: sale.shop.groupId, ...more })

  test('is not kept by hand where it is a virtual machine', async () => {
    const message = '虚拟机由系统管理，不能手动编辑或删除'
    const replies = [
      await sale.admin.put(`/servers/${machine}`, said()),
      await call(sale.app, 'DELETE', `/servers/${machine}`, { token: sale.admin.token }),
    ]
    for (const { status, body } of replies)
      expect([status, body.code, body.message]).toEqual([409, 'NOT_SUPPORTED', message])
  })
})
