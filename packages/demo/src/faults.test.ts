import { build } from '@vps/api/build'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startApp, type TestApp } from '../../api/src/testing/app.js'
import { hostAgent } from '../../api/src/testing/host.js'
import { addHost, openShop } from '../../api/src/testing/shop.js'
import { registerFaults } from './faults.js'
import { startSandboxGateway, type SandboxGateway } from './gateway/server.js'

let app: TestApp
let gateway: SandboxGateway
let server: Awaited<ReturnType<typeof build>>
let nowMs = 0
let hostId: string
let cut: Agent
let other: Agent

type Agent = { token: string; me: ReturnType<typeof hostAgent>['me'] }
const agentOf = (token: string): Agent => ({ token, me: hostAgent(app, token).me })

beforeEach(async () => {
  gateway = await startSandboxGateway({ pid: '1001', key: 'a key' })
  app = await startApp()
  const shop = await openShop(app)
  const host = await addHost(app, shop)
  hostId = host.id
  cut = agentOf(host.token)
  other = agentOf((await addHost(app, shop, { network: '10.9.1' })).token)
  const epay = { url: gateway.url, pid: '1001', key: 'a key', confirm: 'query' } as const
  const deps = { ...app.deps, config: { ...app.deps.config, epay } }
  server = await build(deps)
  registerFaults(server, deps, () => nowMs)
})
afterEach(async () => {
  await server.close()
  await gateway.stop()
  await app.close()
})

const press = (path: string) =>
  server.inject({ method: 'POST', url: path, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
const page = async () => (await server.inject({ url: '/dev/faults' })).body
const beat = ({ token, me }: Agent) =>
  server.inject({
    method: 'POST',
    url: '/agent/claim',
    headers: { authorization: `Bearer ${token}` },
    payload: { ...me, freeLanes: 4, waitSeconds: 0, running: [] },
  })

test('a host that was cut off is not heard for three minutes or until it is put back; the others are', async () => {
  expect((await press(`/dev/faults/hosts/${hostId}`)).statusCode).toBe(303)
  expect([(await beat(cut)).statusCode, (await beat(other)).statusCode]).toEqual([503, 200])
  const { body, headers } = await server.inject({ url: '/dev/faults' })
  expect(body).toContain('断开中，还有 180 秒')
  expect(headers['referrer-policy']).toBe('same-origin')
  nowMs += 180_000
  expect((await beat(cut)).statusCode).toBe(200)
  await press(`/dev/faults/hosts/${hostId}`)
  expect((await beat(cut)).statusCode).toBe(503)
  await press(`/dev/faults/hosts/${hostId}`)
  expect((await beat(cut)).statusCode).toBe(200)
})

test('a late gateway neither tells of a payment nor admits it, until it is put back', async () => {
  await press('/dev/faults/gateway')
  expect(gateway.faults).toMatchObject({ notify: 'drop', query: 'unpaid' })
  expect(await page()).toContain('迟到中，还有 120 秒')
  await press('/dev/faults/gateway')
  expect(gateway.faults).toMatchObject({ notify: 'normal', query: 'normal' })
})

test('a form of another site plays nothing', async () => {
  const reply = await server.inject({
    method: 'POST',
    url: '/dev/faults/gateway',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://elsewhere.example' },
  })
  expect(reply.statusCode).toBe(403)
  expect(gateway.faults.notify).toBe('normal')
})

test('a late gateway that is gone when it should be on time again ends no shop', async () => {
  const unheard: unknown[] = []
  const hear = (error: unknown) => void unheard.push(error)
  process.on('unhandledRejection', hear)
  const warn = vi.spyOn(app.deps.log, 'warn')
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  await press('/dev/faults/gateway')
  nowMs += 121_000
  await gateway.stop()
  vi.advanceTimersByTime(121_000)
  vi.useRealTimers()
  await expect.poll(() => warn.mock.calls.map(([, words]) => words)).toEqual(['the gateway was not told'])
  expect(unheard).toEqual([])
  process.off('unhandledRejection', hear)
})
