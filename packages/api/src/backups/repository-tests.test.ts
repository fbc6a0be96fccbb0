import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { repositoryTestSeconds } from '@vps/shared/backups'
import type { TestApp } from '../testing/app.js'
import type { Person } from '../testing/people.js'
import { openSale, type HostAgent, type Sale } from '../testing/sale.js'

let sale: Sale
let app: TestApp
let admin: Person
let agent: HostAgent
const repository = { url: '/srv/backups', password: 'Keeps-them-1' }

beforeEach(async () => {
  sale = await openSale()
  ;({ app, admin, agent } = sale)
  await save()
})
afterEach(() => app.close())

const view = async () => (await admin.get('/backup-repository')).body.data
async function save(): Promise<void> {
  const { version } = await view()
  expect((await admin.put('/backup-repository', { ...repository, version })).status).toBe(200)
}
const ask = (input: object = {}) => admin.post('/backup-repository/test', input)
const claim = async () =>
  (await agent.caller.claim({ ...agent.me, freeLanes: 0, waitSeconds: 0, running: [] })).repositoryTests
const answer = (id: string, problem: 'login' | null, detail = '') =>
  agent.caller.repositoryTested({ ...agent.me, id, problem, detail })

test('goes to a host that is there with its next claim, once, and its answer is shown', async () => {
  expect((await view()).test).toBeNull()
  expect((await ask()).status).toBe(200)
  expect((await view()).test).toMatchObject({
    state: 'RUNNING',
    testedAt: null,
    problem: null,
    words: '宿主机正在测试',
  })
  const [asked] = await claim()
  expect(asked?.repository).toEqual({ ...repository, environment: {}, uploadLimitKib: 0 })
  expect(await claim()).toEqual([])
  await ask()
  expect(await claim()).toEqual([])
  await answer(asked!.id, null)
  expect((await view()).test).toMatchObject({ state: 'OK', words: '连接正常：可以读取、创建和写入' })
})

test('says in a sentence why it failed, and keeps restic’s words beside it; new settings are untried', async () => {
  await ask()
  const [asked] = await claim()
  await answer(asked!.id, 'login', 'Permission denied (publickey)')
  expect((await view()).test).toMatchObject({
    state: 'FAILED',
    problem: 'login',
    words: expect.stringContaining('拒绝了登录'),
    detail: 'Permission denied (publickey)',
  })
  await save()
  expect((await view()).test).toBeNull()
  await answer(asked!.id, null)
  expect((await view()).test).toBeNull()
})

test('that nobody answers has failed after its time, and may be asked anew', async () => {
  await ask()
  await sql`update backup_repositories set test_asked_at = test_asked_at - make_interval(secs => ${repositoryTestSeconds})`.execute(
    app.db,
  )
  expect((await view()).test).toMatchObject({ state: 'FAILED', problem: 'unanswered' })
  expect(await claim()).toEqual([])
  await ask()
  const [asked] = await claim()
  await answer(asked!.id, null)
  expect((await view()).test).toMatchObject({ state: 'OK' })
})

test('needs settings, and a host that is there; it is an operator’s, and holds no secret', async () => {
  expect((await sale.lin.post('/backup-repository/test', {})).status).toBe(403)
  const other = '019aa000-0000-7000-8000-000000000001'
  expect((await ask({ hostId: other })).body).toMatchObject({ code: 'MOVE_NOT_ALLOWED', message: '所选宿主机不在线' })
  expect((await ask({ hostId: sale.host.id })).status).toBe(200)
  const audit = await app.db.selectFrom('audit_log').select(['action', 'details']).execute()
  expect(audit.map(({ action }) => action)).toContain('backup-repository.test')
  expect(JSON.stringify([audit, await view()])).not.toContain(repository.password)
  const { version } = await view()
  await admin.post('/backup-repository/clear', { version })
  expect((await ask()).body.message).toBe('请先保存备份存储的设置')
})

test('by a host that is handed passwords it cannot have has failed, and holds up none of its jobs', async () => {
  await sql`update machine_secrets set value_enc = 'v1.unknown.x.y.z'`.execute(app.db)
  await ask()
  expect(await claim()).toEqual([])
  expect((await view()).test).toMatchObject({ state: 'FAILED', problem: 'other', detail: '密码无法解密' })
})
