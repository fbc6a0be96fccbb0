import fastify from 'fastify'
import { expect, test } from 'vitest'
import { openWithGateway } from '../../testing/gateway.js'
import { outline } from '../../testing/openapi-outline.js'
import { person } from '../../testing/people.js'
import { openApiDocument } from './openapi.js'

/** `npm run openapi` writes it. */
test('the checked-in outline of the REST document is what the table says', async () => {
  const { paths, components } = openApiDocument()
  await expect(outline(paths, components.schemas)).toMatchFileSnapshot('openapi.txt')
})

type Operation = { responses: { 200: { content: { 'application/json': { schema: object } } } } }

/** As validators read it: zod forgives a part of `allOf` what another part knows. */
async function fits(path: string, method: string, answer: object): Promise<boolean> {
  const paths = openApiDocument().paths as Record<string, Record<string, Operation>>
  const schema = paths[path]?.[method]?.responses[200].content['application/json'].schema
  const judge = fastify({ ajv: { customOptions: { removeAdditional: false, coerceTypes: false } } })
  judge.post('/', (request) => ({ fits: request.validateInput(request.body, schema ?? { not: {} }) }))
  return (await judge.inject({ method: 'POST', url: '/', payload: answer })).json().fits
}

test('an answer with fields beside `success` is one that the document lets through', async () => {
  const { app, lin, close } = await openWithGateway()
  const admin = await person(app, 'boss', { admin: true })
  const { body: created } = await lin.post('/payment/create', { money: 20, type: 'alipay' })
  expect(await fits('/payment/create', 'post', created)).toBe(true)
  const { body: asked } = await lin.get(`/payment/order/${created.outTradeNo}`)
  expect(await fits('/payment/order/{outTradeNo}', 'get', asked)).toBe(true)
  const { body: free } = await admin.get('/price-groups/check-name?name=x')
  expect(await fits('/price-groups/check-name', 'get', free)).toBe(true)
  expect(await fits('/price-groups/check-name', 'get', { ...free, more: 1 })).toBe(false)
  await close()
})

test('every call says what it does and what it belongs to, and asks for a token unless everybody may make it', () => {
  type Said = { summary?: string; tags: string[]; security: object[] }
  const { paths, components, tags } = openApiDocument()
  const said = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods as Record<string, Said>).map((call) => ({ path, ...call })),
  )
  expect(said.filter((call) => !call.summary)).toEqual([])
  const named = new Set(tags.map(({ name }) => name))
  expect(said.filter((call) => !named.has(call.tags[0] ?? ''))).toEqual([])
  const token = Object.keys(components['securitySchemes'] ?? {}).map((name) => ({ [name]: [] }))
  const of = (path: string) => said.find((call) => call.path === path)?.security
  expect([of('/orders'), of('/hosts'), of('/groups/active')]).toEqual([token, token, []])
})
