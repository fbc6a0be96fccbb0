import { randomUUID } from 'node:crypto'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { openWithGateway } from '../../testing/gateway.js'
import { outline } from '../../testing/openapi-outline.js'
import { person } from '../../testing/people.js'
import { exportedFiles } from '../exports/lists.js'
import { openApiDocument } from './openapi.js'

/** `npm run openapi` writes it. */
test('the checked-in outline of the REST document is what the table says', async () => {
  const { paths, components } = openApiDocument(exportedFiles)
  await expect(outline(paths, components.schemas)).toMatchFileSnapshot('openapi.txt')
})

type Json = { content: { 'application/json': { schema: object } } }
type Operation = { requestBody?: Json; responses: { 200: Json } }

/** As validators read it: zod forgives a part of `allOf` what another part knows. */
async function fits(path: string, method: string, sent: object, part: 'answer' | 'body' = 'answer'): Promise<boolean> {
  const operation = (openApiDocument(exportedFiles).paths as Record<string, Record<string, Operation>>)[path]?.[method]
  const schema = (part === 'body' ? operation?.requestBody : operation?.responses[200])?.content['application/json']
    .schema
  const judge = fastify({ ajv: { customOptions: { removeAdditional: false, coerceTypes: false } } })
  judge.post('/', (request) => ({ fits: request.validateInput(request.body, schema ?? { not: {} }) }))
  return (await judge.inject({ method: 'POST', url: '/', payload: sent })).json().fits
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

const spec = { cpuCores: 2, memoryGb: 4, storageGb: 40, bandwidthMbps: 100, ipCount: 1 }
const choice = { ...spec, priceGroupId: randomUUID(), osName: 'Debian', osVersion: '12', billingPeriod: 'MONTHLY' }
const again = { osName: 'Debian', osVersion: '12', rootPassword: 'Secret-pass-1' }

const percent = (discountPercentage: number | null | undefined) => ({ discountPercentage })

test.each<[string, object, object[]]>([
  ['/orders/quote', choice, [{ billingPeriod: 'FORTNIGHTLY' }, { sshPort: 70_000 }, { initialPassword: 'short' }]],
  ['/payment/create', { money: 10 }, [{ money: 0.5 }, { money: 10_000.01 }]],
  ['/server-management/{id}/install', again, [{ osName: undefined }, { rootPassword: undefined }, { sshPort: 80_000 }]],
  ['/price-groups/{id}/apply-discount', { discountPercentage: 10 }, [undefined, null, 0].map(percent)],
])(
  'the document knows which values %s takes: a program made from it sends none that are refused',
  async (path, right, wrong) => {
    const { app, close } = await openWithGateway()
    const admin = await person(app, 'boss', { admin: true })
    const send = (body: object) => admin.post(path.replace('{id}', randomUUID()), body)
    expect(await fits(path, 'post', right, 'body')).toBe(true)
    for (const change of wrong) {
      const body = { ...right, ...change }
      const { status, body: answer } = await send(body)
      expect([change, await fits(path, 'post', body, 'body')]).toEqual([change, false])
      expect([change, status, answer.code]).toEqual([change, 400, 'INVALID_INPUT'])
    }
    await close()
  },
)

test('the document says that a day or an hour without a zone is Beijing’s, beside times of UTC', () => {
  expect(openApiDocument(exportedFiles).info.description).toMatch(/UTC）；只有日期或钟点的.+北京时间/)
})

test('every call says what it does and what it belongs to, and asks for a token unless everybody may make it', () => {
  type Said = { summary?: string; tags: string[]; security: object[] }
  const { paths, components, tags } = openApiDocument(exportedFiles)
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

test('every file that a list can be downloaded as is in the document, with the list’s own conditions', async () => {
  type Said = { get: { parameters: { name: string }[]; responses: { 200: { content: object } } } }
  const { app, lin, close } = await openWithGateway()
  const admin = await person(app, 'boss', { admin: true })
  const paths = openApiDocument(exportedFiles).paths as Record<string, Said>
  for (const [path, who, type] of [
    ['/exports/orders', admin, 'text/csv'],
    ['/exports/ip-pools.xlsx', admin, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['/transactions/export', lin, 'text/csv'],
  ] as const) {
    expect(Object.keys(paths[path]?.get.responses[200].content ?? {})).toEqual([type])
    const { status, raw } = await who.get(path)
    expect([status, String(raw.headers['content-type']).split(';')[0]]).toEqual([200, type])
  }
  const asked = paths['/exports/orders']?.get.parameters.map(({ name }) => name)
  expect(asked).toEqual(expect.arrayContaining(['search', 'status']))
  expect(asked).not.toContain('page')
  await close()
})

test('every address of ours is in the document, but for the gateway’s and its own', async () => {
  const { app, close } = await openWithGateway()
  const documented = Object.keys(openApiDocument(exportedFiles).paths).map(
    (path) => `/api${path.replaceAll(/{\w+}/g, ':')}`,
  )
  const served = addressesOf(app.app.printRoutes({ commonPrefix: false })).filter((path) => path.startsWith('/api/'))
  const others = served.filter((path) => !documented.includes(path))
  expect(others.toSorted()).toEqual(['/api/openapi.json', '/api/payment/notify'])
  expect(documented.filter((path) => !served.includes(path))).toEqual([])
  await close()
})

/** Of Fastify's picture of its tree; a parameter may have a name for each of its routes. */
function addressesOf(picture: string): string[] {
  const parents: string[] = []
  return picture.split('\n').flatMap((line) => {
    const [, drawn = '', part = '', methods] = /^([│├└─\s]*)(\S*)(?: \((.+)\))?$/.exec(line) ?? []
    const depth = drawn.length / 4 - 1
    const address = `${parents[depth - 1] ?? ''}${part.replaceAll(/:[\w|:]+/g, ':')}`
    parents[depth] = address
    return methods ? [address] : []
  })
}

test('what a field takes beside its values is said with it', () => {
  type Body = { requestBody: { content: { 'application/json': { schema: { properties: Record<string, object> } } } } }
  const paths = openApiDocument(exportedFiles).paths as Record<string, Record<string, Body>>
  const said = (path: string, method: string, field: string) =>
    paths[path]?.[method]?.requestBody.content['application/json'].schema.properties[field]
  const description = expect.stringMatching(/SEMIANNUAL.+YEARLY/)
  expect(said('/orders/quote', 'post', 'billingPeriod')).toMatchObject({ description })
  expect(said('/auth/profile', 'put', 'newPassword')).toMatchObject({ description: expect.stringMatching('8 个字符') })
})
