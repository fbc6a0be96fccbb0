import { expect, test, vi } from 'vitest'
import { startApp } from '../../testing/app.js'

test('the documentation opens though its parts could not be loaded at its first visit, as when open files are short', async () => {
  const { app, close } = await startApp()
  const visit = async () => (await app.inject({ url: '/docs/' })).statusCode
  vi.doMock('@fastify/swagger', () => Promise.reject(new Error('EMFILE')))
  expect(await visit()).toBe(500)
  vi.doUnmock('@fastify/swagger')
  expect(await visit()).toBe(200)
  await close()
})
