import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import cookie from '@fastify/cookie'
import { createTRPCClient, httpBatchLink, httpLink, TRPCClientError } from '@trpc/client'
import { initTRPC } from '@trpc/server'
import { fastifyTRPCPlugin, type FastifyTRPCPluginOptions } from '@trpc/server/adapters/fastify'
import fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../testing/app.js'
import { person, type Person } from '../../testing/people.js'
import { openShop, type Shop } from '../../testing/shop.js'
import { httpContext } from '../caller.js'
import { registerProcedures } from './procedures.js'
import { appRouter, type AppRouter } from './app-router.js'

let app: TestApp
let shop: Shop
let lin: Person
/** tRPC's own adapter over the same router and rows. */
let theirs: FastifyInstance
let url: string
beforeAll(async () => {
  app = await startApp()
  shop = await openShop(app)
  lin = await person(app, 'lin', { yuan: 7 })
  theirs = fastify({ routerOptions: { maxParamLength: 5000 } })
  const createContext = ({
    req,
    res,
  }: {
    req: Parameters<typeof httpContext>[2]
    res: Parameters<typeof httpContext>[3]
  }) => httpContext(app.deps, req.method === 'GET' ? 'query' : 'act', req, res)
  const trpcOptions = { router: appRouter, maxBatchSize: 20, createContext }
  await theirs.register(cookie)
  await theirs.register(fastifyTRPCPlugin, {
    prefix: '/trpc',
    trpcOptions,
  } satisfies FastifyTRPCPluginOptions<AppRouter>)
  url = `${await app.app.listen({ port: 0, host: '127.0.0.1' })}/trpc`
})
afterAll(async () => {
  await theirs.close()
  await app.close()
})

const query = (path: string, input?: unknown, more = '') =>
  ({
    method: 'GET',
    url: `/trpc/${path}?${input === undefined ? '' : `input=${encodeURIComponent(JSON.stringify(input))}&`}${more}`,
  }) as const
const mutation = (path: string, payload: unknown, more = '') =>
  ({
    method: 'POST',
    url: `/trpc/${path}?${more}`,
    headers: { 'content-type': 'application/json' },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  }) as const
const nobody = '01900000-0000-7000-8000-000000000000'

const requests: Record<string, () => InjectOptions> = {
  'a query without an input': () => query('wallet.get'),
  'a query with an input': () => query('orders.get', { id: nobody }),
  'an input that its contract refuses': () => query('orders.get', { id: 5 }),
  'an input that is no JSON': () => ({ method: 'GET', url: '/trpc/orders.get?input={' }),
  'an input that cannot be stored': () => query('orders.get', { id: 'a\0' }),
  'an empty input': () => ({ method: 'GET', url: '/trpc/wallet.get?input=' }),
  'a mutation': () => mutation('orders.quote', shop.order),
  'a mutation without a body': () => ({
    method: 'POST',
    url: '/trpc/accounts.devices',
    headers: { 'content-type': 'application/json' },
  }),
  'a mutation that its contract refuses': () => mutation('orders.place', {}),
  'a body that is no JSON': () => mutation('orders.place', '{'),
  'a body that is null': () => mutation('orders.place', 'null'),
  'a content type with parameters': () => ({
    ...mutation('orders.quote', shop.order),
    headers: { 'content-type': 'Application/JSON; charset=utf-8' },
  }),
  'a body that is no JSON by its type': () => ({
    ...mutation('orders.quote', 'x'),
    headers: { 'content-type': 'text/plain' },
  }),
  'a body without a type': () => ({ method: 'POST', url: '/trpc/orders.quote' }),
  'a query that is posted': () => mutation('wallet.get', {}),
  'a mutation that is got': () => query('orders.place', {}),
  'another method': () => ({ ...mutation('wallet.get', {}), method: 'PUT' }),
  'no method of ours': () => ({ ...mutation('orders.place', {}), method: 'DELETE' }),
  'a look at the head': () => ({ method: 'HEAD', url: '/trpc/wallet.get' }),
  'no procedure': () => query('nothing.here'),
  'a name of every object': () => query('constructor'),
  'a router': () => query('orders'),
  'a batch of queries': () => query('wallet.get,accounts.me', {}, 'batch=1'),
  'a batch of one': () => query('wallet.get', { 0: null }, 'batch=1'),
  'a batch without an input': () => query('wallet.get,accounts.me', undefined, 'batch=1'),
  'a batch some of which is refused': () => query('wallet.get,orders.get,nothing', { 1: { id: nobody } }, 'batch=1'),
  'a batch all of which is refused alike': () =>
    query('orders.get,orders.get', { 0: { id: nobody }, 1: { id: nobody } }, 'batch=1'),
  'a batch of mutations': () => mutation('orders.quote,orders.quote', { 0: shop.order, 1: {} }, 'batch=1'),
  'a batch of both kinds': () => query('wallet.get,orders.place', {}, 'batch=1'),
  'a batch whose input is an array': () => query('wallet.get', [null], 'batch=1'),
  'a batch whose input is no JSON': () => ({ method: 'GET', url: '/trpc/wallet.get,accounts.me?batch=1&input={' }),
  'a batch that is too large': () => query(Array.from({ length: 21 }, () => 'wallet.get').join(','), {}, 'batch=1'),
  'names in a row that are no batch': () => query('wallet.get,accounts.me', {}),
}

test.each(Object.keys(requests))('%s is answered as by tRPC’s own adapter, by somebody and by nobody', async (name) => {
  const asked = requests[name]!()
  for (const headers of [{}, { authorization: `Bearer ${lin.token}` }]) {
    const sent = { ...asked, headers: { ...asked.headers, ...headers } }
    const [mine, other] = [await app.app.inject(sent), await theirs.inject(sent)]
    expect([mine.statusCode, said(mine.body)]).toEqual([other.statusCode, said(other.body)])
    expect(mine.headers.allow).toBe(other.headers.allow)
    if (mine.body !== '') expect(mine.headers['content-type']).toMatch(/^application\/json/)
  }
})

const said = (body: string): unknown => (body === '' ? '' : JSON.parse(body))

test('the clients of tRPC are understood, alone and in batches that hold a refusal', async () => {
  const headers = { Authorization: `Bearer ${lin.token}` }
  for (const link of [httpLink({ url, headers }), httpBatchLink({ url, headers, maxItems: 20 })]) {
    const client = createTRPCClient<AppRouter>({ links: [link] })
    const [wallet, me, missing, refused] = await Promise.allSettled([
      client.wallet.get.query(),
      client.accounts.me.query(),
      client.orders.get.query({ id: nobody }),
      client.orders.pay.mutate({ id: nobody }),
    ])
    expect([wallet, me]).toMatchObject([{ value: { balance: 7 } }, { value: { username: 'lin' } }])
    for (const each of [missing, refused]) {
      expect(each.status === 'rejected' && each.reason).toBeInstanceOf(TRPCClientError)
      expect(each).toMatchObject({ reason: { data: { httpStatus: 404, code: 'NOT_FOUND' } } })
    }
  }
})

test('a body beyond the limit is refused with a sentence', async () => {
  const large = await app.app.inject(mutation('orders.quote', { note: 'x'.repeat(300_000) }))
  expect([large.statusCode, large.json().code]).toEqual([413, 'BODY_TOO_LARGE'])
})

test('a held call ends when its client leaves', async () => {
  const t = initTRPC.create()
  let begin = () => {}
  const begun = new Promise<void>((resolve) => (begin = resolve))
  let end = () => {}
  const left = new Promise<void>((resolve) => (end = resolve))
  const router = t.router({
    wait: t.procedure.mutation(async ({ signal }) => {
      signal!.addEventListener('abort', () => end())
      begin()
      await left
    }),
  })
  const held = fastify()
  await registerProcedures(held, { prefix: '/agent', router, context: () => ({}), onError() {} })
  await held.listen({ port: 0, host: '127.0.0.1' })
  const { port } = held.server.address() as AddressInfo
  const headers = { 'content-type': 'application/json' }
  const asked = httpRequest({ port, path: '/agent/wait', method: 'POST', headers })
  asked.on('error', () => {})
  asked.end('{"a":1}')
  await begun
  asked.destroy()
  await expect(left).resolves.toBeUndefined()
  await held.close()
})
