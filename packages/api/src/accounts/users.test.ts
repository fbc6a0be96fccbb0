import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Tx } from '../db/client.js'
import { inTx } from '../db/tx.js'
import { startApp, type TestApp } from '../testing/app.js'
import { person, type Person } from '../testing/people.js'
import { setAccountStatus, setRole } from './users.js'

let app: TestApp
let boss: Person
let partner: Person
beforeEach(async () => {
  app = await startApp()
  boss = await person(app, 'boss', { admin: true })
  partner = await person(app, 'partner', { admin: true })
})
afterEach(() => app.close())

type Act = (tx: Tx, admin: Person, id: string) => Promise<void>
const demote: Act = (tx, { user }, id) => setRole(tx, user, { id, role: 'USER' }, app.deps.now())
const suspend: Act = (tx, { user }, id) =>
  setAccountStatus(tx, user, { id, status: 'suspended', reason: '测试' }, app.deps.now())

test.each([
  ['take the role from each other', demote],
  ['suspend each other', suspend],
])('two administrators who %s at once leave one of them: there is always one', async (_, act) => {
  let second: Promise<PromiseSettledResult<void>[]> | undefined
  await inTx(app.db, async (tx) => {
    await act(tx, boss, partner.user.id)
    // Let in before: it waits for the first, or ran on.
    second = Promise.allSettled([inTx(app.db, (other) => act(other, partner, boss.user.id))])
  })
  expect(await second).toMatchObject([{ status: 'rejected', reason: { code: 'FORBIDDEN' } }])
  expect(await app.db.selectFrom('users').select(['username', 'role', 'status']).orderBy('username').execute()).toEqual(
    [{ username: 'boss', role: 'ADMIN', status: 'active' }, expect.objectContaining({ username: 'partner' })],
  )
})
