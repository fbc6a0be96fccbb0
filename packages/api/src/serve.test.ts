import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../../tests/setup/free-port.js'
import { oneFile } from '../../../tests/setup/one-file.js'
import { startApp, type TestApp } from './testing/app.js'

let app: TestApp
let program: Awaited<ReturnType<typeof oneFile>>
beforeAll(async () => {
  app = await startApp()
  program = await oneFile('api', 'main')
})
afterAll(async () => {
  program.remove()
  await app.close()
})

test('an API process whose log cannot be written, as on a full disk, serves on and ends as ever', async () => {
  const full = openSync('/dev/full', 'w')
  const PORT = String(await freePort())
  const { databaseUrl } = app.deps.config
  const child = spawn(process.execPath, [program.file], {
    env: { ...process.env, DATABASE_URL: databaseUrl, APP_SECRET: 'a secret only for tests', PORT, LOG_LEVEL: 'trace' },
    stdio: ['ignore', full, 'ignore'],
  })
  const ended = once(child, 'exit')
  const status = () =>
    fetch(`http://127.0.0.1:${PORT}/readyz`).then(
      (reply) => reply.status,
      () => 0,
    )
  await expect.poll(status, { timeout: 100_000 }).toBe(200)
  expect(await status()).toBe(200)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  closeSync(full)
})
