import { randomUUID } from 'node:crypto'
import { protocolVersion } from '@vps/shared/agent'
import fc, { type Arbitrary } from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../testing/app.js'
import { arbitraryOf } from '../testing/arbitrary.js'
import { hostAgent } from '../testing/host.js'
import { person, type Person } from '../testing/people.js'
import { addHost, openShop } from '../testing/shop.js'
import { agentRouter } from './agents/router.js'
import { describeProcedure, inputSchema } from '../trpc/describe.js'
import { openApiDocument } from './rest/openapi.js'
import { appRouter } from './trpc/app-router.js'

/**
 * All addresses of OpenAPI and all procedures, with inputs from their schemas. FUZZ_RUNS asks for more, SEED repeats a
 * failure.
 */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 10)
/** A test of a server's connection waits eight seconds for an agent, and each run may ask for one. */
const patientMs = 240_000 + numRuns * 8_000
const seed = process.env['SEED'] ? { seed: Number(process.env['SEED']) } : {}

let app: TestApp
let boss: Person
let hostToken: string
let known: Record<string, Arbitrary<unknown>>
beforeAll(async () => {
  // In the demo, with nothing allowed, no generated address is ever contacted.
  app = await startApp({ config: { demo: true, allowedNetworks: [] } })
  const shop = await openShop(app)
  const host = await addHost(app, shop)
  hostToken = host.token
  boss = await person(app, 'boss', { admin: true, yuan: 100_000 })
  const order = (await boss.post('/orders', shop.order)).body.data
  await boss.post(`/orders/${order.id}/pay`)
  await hostAgent(app, hostToken).serve()
  const { serverId } = (await boss.get(`/orders/${order.id}`)).body.data
  const ids = [
    order.id,
    serverId,
    shop.groupId,
    shop.categoryId,
    shop.priceGroupId,
    shop.imageId,
    host.id,
    boss.user.id,
  ]
  known = {
    ...Object.fromEntries(
      Object.entries({ ...shop.order, serverId, groupId: shop.groupId }).map(([name, value]) => [
        name,
        fc.constant(value),
      ]),
    ),
    id: fc.constantFrom(...ids),
    userId: fc.constant(boss.user.id),
    categoryId: fc.constant(shop.categoryId),
    serverGroupId: fc.constant(shop.groupId),
    protocol: fc.constant(protocolVersion),
    machineId: fc.constant('machine-1'),
    waitSeconds: fc.constant(0),
  }
})
afterAll(() => app.close())

async function repair(): Promise<void> {
  await sql`with s as (update sessions set revoked_at = null where revoked_at is not null)
    delete from rate_limits`.execute(app.db)
}

/** No agent answers a connection test here. */
function judge(what: string, { statusCode, body }: LightMyRequestResponse): void {
  if (statusCode === 504 && body.includes('AGENT_TIMEOUT')) return
  expect(statusCode, `${what}: ${body}`).toBeLessThan(500)
  if (statusCode < 400) return
  const answer = JSON.parse(body) as { code?: string; error?: { data?: { code?: string } } }
  expect(answer.code ?? answer.error?.data?.code, `${what}: ${body}`).toMatch(/^[A-Z_]+$/)
  const said = (answer.error?.data ?? answer) as { message?: string; errors?: Record<string, string> }
  for (const sentence of [said.message, ...Object.values(said.errors ?? {})])
    expect(sentence, `${what}: ${body}`).toMatch(/\p{Script=Han}/u)
}

async function fuzz(input: Arbitrary<unknown>, send: (input: unknown) => Promise<void>): Promise<number> {
  let answered = 0
  const property = fc.asyncProperty(input, async (one) => {
    await repair()
    await send(one)
    answered++
  })
  await fc.assert(property, { numRuns, ...seed })
  return answered
}

type Operation = {
  parameters?: { name: string; in: 'path' | 'query' | 'header'; schema: object }[]
  requestBody?: { content: { 'application/json': { schema: object } } }
}
const { paths } = openApiDocument([]) as { paths: Record<string, Record<string, Operation>> }
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, operation]) => [`${method.toUpperCase()} ${path}`, path, method, operation] as const,
  ),
)

describe('REST', () => {
  test.each(operations)(
    '%s answers whatever it is sent',
    async (_name, path, method, { parameters = [], requestBody }) => {
      const named = (place: string) =>
        fc.record(
          Object.fromEntries(
            parameters
              .filter((one) => one.in === place)
              .map((one) => [one.name, arbitraryOf(one.schema, known, one.name)]),
          ),
          { requiredKeys: place === 'path' ? undefined : [] } as object,
        )
      const body = requestBody
        ? arbitraryOf(requestBody.content['application/json'].schema, known)
        : fc.constant(undefined)
      const answered = await fuzz(fc.record({ path: named('path'), query: named('query'), body }), async (one) => {
        const sent = one as { path: Record<string, unknown>; query: Record<string, unknown>; body: unknown }
        const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(sent.path[name]))
        const query = Object.entries(sent.query).map(([name, value]) => `${name}=${encoded(value)}`)
        const answer = await app.app.inject({
          method: method.toUpperCase() as 'POST',
          url: `/api${filled}?${query.join('&')}`,
          headers: {
            authorization: `Bearer ${boss.token}`,
            ...(sent.body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(sent.body === undefined ? {} : { payload: JSON.stringify(sent.body) }),
        })
        judge(`${method} ${filled}`, answer)
      })
      expect(answered).toBe(numRuns)
    },
    patientMs,
  )
})

/** A lone surrogate has no encoding in an address. */
const wellFormed = (text: string) => text.replaceAll(/\p{Surrogate}/gu, '\ufffd')
const encoded = (value: unknown) =>
  encodeURIComponent(wellFormed(typeof value === 'string' ? value : JSON.stringify(value)))

const procedures = (router: { _def: { procedures: object } }) =>
  Object.keys(router._def.procedures).filter((path) => path !== 'live')

describe('tRPC', () => {
  test.each(procedures(appRouter))(
    '%s answers whatever it is sent',
    async (path) => {
      const { type, input } = describeProcedure(appRouter, path)
      const answered = await fuzz(input ? arbitraryOf(inputSchema(input), known) : fc.jsonValue(), async (one) => {
        const text = JSON.stringify(one)
        const headers = { authorization: `Bearer ${boss.token}`, 'content-type': 'application/json' }
        judge(
          path,
          type === 'query'
            ? await app.app.inject({ url: `/trpc/${path}?input=${encodeURIComponent(wellFormed(text))}`, headers })
            : await app.app.inject({ method: 'POST', url: `/trpc/${path}`, headers, payload: text }),
        )
      })
      expect(answered).toBe(numRuns)
    },
    patientMs,
  )
})

describe('agents', () => {
  test.each(procedures(agentRouter))(
    '%s answers whatever it is sent',
    async (path) => {
      const { input } = describeProcedure(agentRouter, path)
      const instanceId = randomUUID()
      const mine = { ...known, instanceId: fc.constant(instanceId) }
      const answered = await fuzz(arbitraryOf(inputSchema(input!), mine), async (one) => {
        const headers = { authorization: `Bearer ${hostToken}`, 'content-type': 'application/json' }
        const answer = await app.app.inject({
          method: 'POST',
          url: `/agent/${path}`,
          headers,
          payload: JSON.stringify(one),
        })
        judge(path, answer)
      })
      expect(answered).toBe(numRuns)
    },
    patientMs,
  )
})
