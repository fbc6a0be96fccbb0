import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../testing/app.js'

let app: TestApp
beforeAll(async () => void (app = await startApp()))
afterAll(() => app.close())

const read = (encoding: string) =>
  app.app.inject({ url: '/api/openapi.json', headers: { 'accept-encoding': encoding } })

test("the API's document is the same packed and as it is, and says for whom it was packed", async () => {
  const [plain, packed] = [await read('identity'), await read('br, gzip')]
  expect(plain.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', vary: 'accept-encoding' })
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.json()).toMatchObject({ openapi: expect.any(String), paths: expect.any(Object) })
  expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
})
