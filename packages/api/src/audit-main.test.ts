import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { oneFile } from '../../../tests/setup/one-file.js'
import { seedDemo } from '../../demo/src/seed.js'
import { startApp, type TestApp } from './testing/app.js'

let app: TestApp
beforeEach(async () => {
  app = await startApp({ env: { DEMO: '1' } })
})
afterEach(() => app.close())

let program: Awaited<ReturnType<typeof oneFile>>
beforeAll(async () => {
  program = await oneFile('api', 'audit-main')
})
afterAll(() => program.remove())

async function audit(databaseUrl: string): Promise<{ code: number; printed: string }> {
  const env = { ...process.env, DATABASE_URL: databaseUrl, APP_SECRET: 'a secret only for tests', NODE_ENV: 'test' }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program.file], { env, timeout: 100_000 })
    return { code: 0, printed: stdout }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, printed: stdout + stderr }
  }
}

test('npm run audit finds nothing wrong in the demo’s data, and says what is once something is', async () => {
  await seedDemo(app.deps, { enrolmentTokens: ['enrol-me'], seedFolder: null, customers: 0 })
  const { databaseUrl } = app.deps.config
  const clean = await audit(databaseUrl)
  expect(clean.printed).toContain('checks hold.')
  expect(clean.code).toBe(0)
  // Past the reminder table: an order unrenewed for a month.
  await sql`update orders set expires_at = expires_at - interval '60 day' where status = 'ACTIVE'`.execute(app.db)
  const faulty = await audit(databaseUrl)
  expect(faulty.code).toBe(1)
  expect(faulty.printed).toMatch(
    /WRONG {2}everything that was due is done\n {7}- order V\S+ has been ACTIVE past its time/,
  )
})

test('npm run audit on a database of another version says so in one sentence', async () => {
  const { rows } = await sql<{
    name: string
  }>`delete from migration_checksums where name = (select max(name) from migration_checksums)
    returning name`.execute(app.owner)
  const [last] = rows
  expect(await audit(app.deps.config.databaseUrl)).toEqual({
    code: 1,
    printed: expect.stringMatching(new RegExp(`^The database of DATABASE_URL lacks ${last?.name}.sql.*\n$`)),
  })
})

test('npm run audit without a database says so in one sentence', async () => {
  expect(await audit('')).toEqual({ code: 1, printed: 'DATABASE_URL is not set.\n' })
})
