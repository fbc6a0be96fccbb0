import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ReverseNameView } from '@vps/shared/reverse-names.contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeNames } from '../schedule/tasks.js'
import { openSale, type Sale } from '../testing/sale.js'
import { addIpv6Pool } from '../testing/shop.js'

/** What else may answer at the name server's address, or in a part of it. */

const [zone4, zone6] = ['0.9.10.in-addr.arpa', '8.b.d.0.1.0.0.2.ip6.arpa']
const [four, six] = ['10.9.0.2', '2001:db8:2::1']
type Answer = { status: number; body?: string; wait?: Promise<void> }

let sale: Sale
let serverId: string
let server: http.Server
let asked: string[] = []
let answer: (zone: string) => Answer
beforeEach(async () => {
  asked = []
  answer = () => ({ status: 204 })
  server = http.createServer((request, response) => {
    const zone = request.url?.includes(zone4) ? zone4 : zone6
    asked.push(zone)
    const { status, body, wait } = answer(zone)
    request.resume().once('end', () => void Promise.resolve(wait).then(() => response.writeHead(status).end(body)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  sale = await openSale({ yuan: 500, addresses: 1 })
  await addIpv6Pool(sale.app, [sale.host.id], { count: 1 })
  serverId = await sale.serverOf(await sale.buyActive())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const saved = { url, key: 'Key-of-the-name-server', zones: [zone4, zone6], version: 0 }
  expect((await sale.admin.put('/reverse-dns', saved)).status).toBe(200)
})
afterEach(async () => {
  await sale.app.close()
  server.close()
  await once(server, 'close')
})

const pathOf = (address = '') => `/server-management/${serverId}/reverse-names${address && `/${address}`}`
const set = (address: string, name: string) => sale.lin.put(pathOf(address), { name })
const names = async (): Promise<ReverseNameView[]> => (await sale.admin.get(pathOf())).body.data.names
const write = () => writeNames(sale.app.deps)

describe('a name', () => {
  test('whose zone the server fails at each time keeps none of another zone from being written', async () => {
    answer = (zone) => (zone === zone4 ? { status: 500, body: '{"error":"Internal Server Error"}' } : { status: 204 })
    await set(four, 'bad.example.com')
    await set(six, 'good.example.com')
    for (let round = 0; round < 5; round++) {
      await write()
      sale.app.advance(3_600_000)
    }
    expect(asked.slice(0, 2)).toContain(zone4)
    expect((await names()).map(({ state }) => state)).toEqual(['FAILED', 'WRITTEN'])
  })

  test('that a process which stops did not come to is written by another at once, and its end waits for one answer', async () => {
    let letGo = () => {}
    const wait = new Promise<void>((resolve) => (letGo = resolve))
    answer = () => ({ status: 204, wait })
    await set(four, 'first.example.com')
    await set(six, 'second.example.com')
    const stopping = new AbortController()
    const round = writeNames({ ...sale.app.deps, stopping })
    await expect.poll(() => asked).toHaveLength(1)
    stopping.abort()
    letGo()
    await round
    expect(asked).toHaveLength(1)
    expect((await names()).map(({ state }) => state).toSorted()).toEqual(['WAITING', 'WRITTEN'])
    await write()
    expect((await names()).map(({ state }) => state)).toEqual(['WRITTEN', 'WRITTEN'])
  })

  test.each([
    ['a page in its place, as while it is maintained,', { status: 200, body: '<html><h1>Back soon</h1></html>' }],
    ['a page without an end', { status: 200, body: `{${' '.repeat(70_000)}}` }],
  ])('that %s took is not told as written, and is once the name server is there', async (_, page) => {
    answer = () => page
    await set(four, 'mail.example.com')
    await write()
    expect((await names())[0]).toMatchObject({ state: 'FAILED', error: '答复的不是 PowerDNS 的 API' })
    answer = () => ({ status: 204 })
    sale.app.advance(3_600_000)
    await write()
    expect((await names())[0]).toMatchObject({ state: 'WRITTEN' })
  })

  test('that waits for a server that is away becomes a finding, which ends with the first that is written, or with the server', async () => {
    const told = () =>
      sale.app.db.selectFrom('findings').select(['kind', 'details']).where('resolved_at', 'is', null).execute()
    const away = [{ kind: 'name-server-away', details: { reason: '名称服务器答复 503' } }]
    answer = () => ({ status: 503 })
    await set(four, 'mail.example.com')
    await write()
    expect(await told()).toEqual(away)
    answer = () => ({ status: 204 })
    sale.app.advance(3_600_000)
    await write()
    expect(await told()).toEqual([])
    answer = () => ({ status: 503 })
    await set(four, 'other.example.com')
    await write()
    expect(await told()).toEqual(away)
    expect((await sale.admin.post('/reverse-dns/clear', { version: 1 })).status).toBe(200)
    expect(await told()).toEqual([])
  })
})
