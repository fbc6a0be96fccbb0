import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { oneFile } from '../../../tests/setup/one-file.js'
import { repository } from './repository.js'
import { startApp, type TestApp } from './testing/app.js'
import { hostAgent } from './testing/host.js'
import { call, person } from './testing/people.js'
import { addHost, openShop } from './testing/shop.js'
import { openVault } from './vault.js'

let app: TestApp
let program: Awaited<ReturnType<typeof oneFile>>
beforeAll(async () => {
  app = await startApp()
  program = await oneFile('api', 'admin')
})
afterAll(async () => {
  program.remove()
  await app.close()
})

async function admin(
  args: string[],
  input = '',
  secret = 'a secret only for tests',
  more: Record<string, string> = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [program.file, ...args], {
    env: { ...process.env, DATABASE_URL: app.deps.config.databaseUrl, APP_SECRET: secret, ...more },
  })
  child.stdin.end(input)
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: child.exitCode ?? (await new Promise((resolve) => child.once('exit', resolve))), out, err }
}
const signIn = (password: string) => call(app, 'POST', '/auth/login', { body: { username: 'boss', password } })

test('the first administrator is made, gets another password, and loses the role by command once there is another', async () => {
  expect(await admin(['create', 'boss', 'boss@example.com'], 'First-pass-1\n')).toMatchObject({ code: 0, err: '' })
  const first = await signIn('First-pass-1')
  expect(first.body).toMatchObject({ role: 'ADMIN', isAdmin: true })
  expect((await admin(['create', 'boss', 'other@example.com'], 'First-pass-1')).err).toBe('用户已存在\n')
  expect((await admin(['reset-password', 'boss'], 'Second-pass-1')).code).toBe(0)
  expect((await call(app, 'GET', '/auth/profile', { token: first.body.token })).status).toBe(401)
  expect((await signIn('Second-pass-1')).status).toBe(200)
  const alone = await admin(['grant', 'boss', 'USER'])
  expect(alone).toMatchObject({ code: 1, err: 'boss is the only active administrator: grant ADMIN to another first\n' })
  expect((await signIn('Second-pass-1')).body.role).toBe('ADMIN')
  await admin(['create', 'second', 'second@example.com'], 'Other-pass-1')
  expect((await admin(['grant', 'BOSS', 'USER'])).code).toBe(0)
  expect((await signIn('Second-pass-1')).body.role).toBe('USER')
  expect((await admin(['grant', 'nobody', 'ADMIN'])).code).toBe(1)
})

test('who lost the authenticator signs in by password alone again, by command', async () => {
  expect((await admin(['clear-second-factor', 'boss'])).out).toBe('boss has no second factor.\n')
  const { token } = (await signIn('Second-pass-1')).body
  const prepared = await call(app, 'POST', '/auth/second-factor/prepare', {
    token,
    body: { currentPassword: 'Second-pass-1' },
  })
  const verificationCode = new TOTP({ secret: prepared.body.data.secret }).generate()
  await call(app, 'POST', '/auth/second-factor/enable', { token, body: { verificationCode } })
  expect((await signIn('Second-pass-1')).body.code).toBe('SECOND_FACTOR_REQUIRED')
  expect(await admin(['clear-second-factor', 'BOSS'])).toMatchObject({
    code: 0,
    out: 'BOSS signs in by password alone now, and is told so by mail.\n',
  })
  expect((await signIn('Second-pass-1')).status).toBe(200)
  expect((await admin(['clear-second-factor', 'nobody'])).code).toBe(1)
})

test('at a terminal the password is asked for, taken at Enter, and not shown', async () => {
  const typed = `${process.execPath} ${program.file} create typist typist@example.com`
  const child = spawn('script', ['--quiet', '--return', '--command', typed, '/dev/null'], {
    env: { ...process.env, DATABASE_URL: app.deps.config.databaseUrl, APP_SECRET: 'a secret only for tests' },
  })
  let shown = ''
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString()
    if (shown.endsWith('Password: ')) child.stdin.write('Typed-pass-1\r')
  })
  const ended = await Promise.race([once(child, 'exit'), setTimeout(100_000, ['still there'])])
  child.kill()
  expect([ended[0], shown.replaceAll('\r', '')]).toEqual([0, 'Password: \ntypist is an administrator now.\n'])
  const body = { username: 'typist', password: 'Typed-pass-1' }
  expect((await call(app, 'POST', '/auth/login', { body })).status).toBe(200)
})

test('migrate, with the owner, gives the application what a table lacks', async () => {
  await sql`create table later (id int)`.execute(app.owner)
  expect(await admin(['migrate'], '', undefined, { DATABASE_OWNER_URL: app.ownerUrl })).toEqual({
    code: 0,
    out: 'The schema is up to date.\n',
    err: '',
  })
  expect((await sql`select * from later`.execute(app.db)).rows).toEqual([])
})

test('after a restored back-up every new job carries a higher epoch', async () => {
  const epoch = async () => Number(/The epoch is (\d+) now/.exec((await admin(['after-restore'])).out)?.[1])
  const first = await epoch()
  expect(first).toBeGreaterThan(0)
  expect(await epoch()).toBeGreaterThan(first)
})

test('after a restored back-up nothing is placed on a host before its agent has told what is there', async () => {
  const host = await addHost(app, await openShop(app))
  const images = async () =>
    (await app.db.selectFrom('hosts').select('images').where('id', '=', host.id).executeTakeFirstOrThrow()).images
  expect(await images()).not.toEqual([])
  await admin(['after-restore'])
  expect(await images()).toEqual([])
  const agent = hostAgent(app, host.token)
  await agent.report('0190f3c0-0000-7000-8000-000000000001', 'on')
  expect(await images()).toEqual([])
  await agent.inventory()
  expect(await images()).toEqual(['debian-12.qcow2'])
})

test('after a restored back-up no free address is given out by one host that a machine on another may have since', async () => {
  const free = async () =>
    (await app.db.selectFrom('addresses').select('address').where('reserved', '=', false).execute()).length
  const before = await free()
  const hosts = await app.db.selectFrom('hosts').select('id').execute()
  expect([hosts.length > 0, before > 0]).toEqual([true, true])
  expect((await admin(['after-restore'])).out).toContain('once every host of their pool has told')
  expect(await free()).toBe(0)
})

test('after a restored back-up nothing is wiped or given back before an operator has looked: renewals and set-ups since are not in it', async () => {
  const told = await admin(['after-restore'])
  expect(told.out).toContain('until an administrator lets them go on')
  const open = await app.db
    .selectFrom('findings')
    .select(['kind', 'subject'])
    .where('resolved_at', 'is', null)
    .execute()
  expect(open).toEqual(
    expect.arrayContaining(['grace over', 'set-up overdue'].map((subject) => ({ kind: 'brake', subject }))),
  )
})

test('after a restored back-up nobody is signed in: it may have brought back sessions that had been ended', async () => {
  const lin = await person(app, 'lin')
  expect((await lin.get('/auth/profile')).status).toBe(200)
  expect((await admin(['after-restore'])).out).toContain('everybody has to sign in again')
  expect((await lin.get('/auth/profile')).status).toBe(401)
})

test('after a restored back-up every reverse name is written anew: the name server may have a later one', async () => {
  const row = { address: '10.9.0.2', written: 'a.example', updated_at: new Date() }
  await app.db.insertInto('reverse_names').values(row).execute()
  await admin(['after-restore'])
  const rows = await app.db.selectFrom('reverse_names').select(['revision', 'due_at']).execute()
  expect(rows).toEqual([{ revision: 2, due_at: expect.any(Date) }])
})

test('rotate-secret seals every stored password anew with the first key', async () => {
  await app.db
    .insertInto('machine_secrets')
    .values({
      id: '0190f3c0-0000-7000-8000-000000000001',
      value_enc: app.deps.vault.seal('Secret-pass-1', '0190f3c0-0000-7000-8000-000000000001').valueEnc,
      created_at: new Date(),
    })
    .execute()
  const rotated = await admin(['rotate-secret'], '', 'a newer secret of tests,a secret only for tests')
  expect([rotated.code, rotated.out]).toEqual([0, expect.stringContaining('1 passwords were sealed anew')])
  const row = await app.db.selectFrom('machine_secrets').select(['id', 'value_enc']).executeTakeFirstOrThrow()
  expect(openVault(['a newer secret of tests']).open({ id: row.id, valueEnc: row.value_enc })).toBe('Secret-pass-1')
})

test('rotate-secret lets no old key go while a password is left that it cannot open, and without any key that opens one it refuses', async () => {
  const id = '0190f3c0-0000-7000-8000-000000000002'
  const lost = openVault(['a secret that is not told']).seal('Secret-pass-2', id).valueEnc
  await app.db.insertInto('machine_secrets').values({ id, value_enc: lost, created_at: new Date() }).execute()
  const rotated = await admin(['rotate-secret'], '', 'a newest secret of tests,a newer secret of tests')
  expect(rotated.out).toContain('1 passwords were sealed anew. 1 could not be opened by any key')
  expect(rotated.out).not.toContain('can go')
  const refused = await admin(['rotate-secret'], '', 'a mistyped secret of tests')
  expect(refused).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^APP_SECRET opens none of the stored/),
  })
  await app.db.deleteFrom('machine_secrets').where('id', '=', id).execute()
  await admin(['rotate-secret'], '', 'a newer secret of tests,a newest secret of tests')
})

test('another secret comes in by the README’s steps without a process meeting what it cannot open, restarted one after another', async () => {
  const readme = await readFile(path.join(repository, 'README.md'), 'utf8')
  const words = [...readme.matchAll(/`APP_SECRET=((?:OLD|NEW)(?:,(?:OLD|NEW))?)`/g)].map((found) => found[1] ?? '')
  const secretOf: Record<string, string> = { OLD: 'a secret only for tests', NEW: 'a newer secret of tests' }
  const steps = ['OLD', ...words].map((word) => openVault(word.split(',').map((name) => secretOf[name] ?? '')))
  expect(words).not.toEqual([])
  for (const [n, later] of steps.slice(1).entries()) {
    const sooner = steps[n]
    expect(sooner?.open(later.seal('Secret-pass-1')), `sealed at step ${n + 2}, opened at ${n + 1}`).toBe(
      'Secret-pass-1',
    )
    expect(later.open(sooner?.seal('Secret-pass-1') ?? { id: '', valueEnc: '' })).toBe('Secret-pass-1')
  }
})

test('what a command does not take is refused, and nothing is done: who asks for help ends no session', async () => {
  const lin = await person(app, 'lin_help')
  for (const args of [
    ['after-restore', '--help'],
    ['rotate-secret', '--dry-run'],
    ['reset-password', 'lin_help', 'pass'],
  ])
    expect(await admin(args, 'Other-pass-1')).toMatchObject({ code: 1, err: expect.stringContaining('usage:') })
  expect((await lin.get('/auth/profile')).status).toBe(200)
})

test('without a command it says what it can do', async () => {
  const { code, err } = await admin([])
  expect([code, err.includes('usage: npm run admin')]).toEqual([1, true])
})

test('a command that lacks something, or has it wrong, says which, and does nothing', async () => {
  const before = await app.db.selectFrom('users').select('id').execute()
  const saidOf = async (...args: string[]) => (await admin(args, 'short')).err.split('\n')[0]
  expect(await saidOf('create')).toBe('USERNAME: 此字段为必填项')
  expect(await saidOf('create', 'third')).toBe('EMAIL: 此字段为必填项')
  expect(await saidOf('create', 'third', 'third')).toBe('EMAIL: 请输入有效的邮箱地址')
  expect(await saidOf('create', 'third', 'third@example.com')).toBe('the password: 最少需要 6 个字符')
  expect(await saidOf('reset-password')).toBe('USERNAME: 此字段为必填项')
  expect(await saidOf('grant', 'a b', 'ADMIN')).toBe('USERNAME: 用户名需为3-20个字母、数字或下划线')
  expect(await app.db.selectFrom('users').select('id').execute()).toEqual(before)
})
