import { fen } from '@vps/shared/money'
import { startOfShanghaiMonth } from '@vps/shared/time'
import type { EntryType } from '@vps/shared/wallet'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifyBooks } from '../audit/verify.js'
import { inTx } from '../db/tx.js'
import { startApp, type TestApp } from '../testing/app.js'
import { person, type Person } from '../testing/people.js'
import { postEntry } from './post-entry.js'

let app: TestApp
let lin: Person
let admin: Person
beforeEach(async () => {
  app = await startApp()
  lin = await person(app, 'lin', { yuan: 100 })
  admin = await person(app, 'boss', { admin: true })
})
afterEach(() => app.close())

const adjust = (query: string, key = 'k') => admin.put(`/wallet/balance?${query}`, undefined, { key })
const entries = () =>
  app.db.selectFrom('ledger_entries').selectAll().where('user_id', '=', lin.user.id).orderBy('seq').execute()

describe('opening a wallet', () => {
  test('that is there changes nothing, however often it is asked for', async () => {
    const before = (await lin.get('/wallet')).body.data
    const replies = await Promise.all(Array.from({ length: 10 }, () => lin.post('/wallet')))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect((await lin.get('/wallet')).body.data).toEqual(before)
    expect(await app.db.selectFrom('wallets').select('id').where('user_id', '=', lin.user.id).execute()).toHaveLength(1)
    expect(await entries()).toHaveLength(1)
  })
})

test('what this month cost is what orders took since it began in Shanghai, less what they gave back', async () => {
  const begun = startOfShanghaiMonth(app.deps.now())
  const post = (type: EntryType, amount: number, at: Date) => {
    const entry = { userId: lin.user.id, type, amount: fen(amount), reference: uuidv7(), description: '测试' }
    return inTx(app.db, (tx) => postEntry(tx, entry, at))
  }
  // An entry comes after the wallet's last.
  await app.db
    .updateTable('wallets')
    .set({ updated_at: new Date(0) })
    .execute()
  await post('ORDER_PAYMENT', -700, new Date(begun.getTime() - 1))
  await post('ORDER_PAYMENT', -2900, begun)
  await post('ORDER_PAYMENT', -800, app.deps.now())
  await post('REFUND', 500, app.deps.now())
  await post('ADJUSTMENT', -100, app.deps.now())
  expect((await lin.get('/wallet/month')).body.data).toEqual({ balance: 60, cost: 32 })
  const mei = await person(app, 'mei')
  expect((await mei.get('/wallet/month')).body.data).toEqual({ balance: 0, cost: 0 })
})

describe('an administrator’s adjustment', () => {
  test('gives and takes, each with its reason in the ledger and in the log', async () => {
    expect((await adjust(`amount=5.5&userId=${lin.user.id}&reason=补偿`, 'a')).status).toBe(200)
    expect((await adjust(`amount=-0.01&userId=${lin.user.id}&reason=更正`, 'b')).status).toBe(200)
    expect(await lin.balance()).toBe(105.49)
    expect((await entries()).map(({ amount_fen, type }) => [type, amount_fen])).toEqual([
      ['RECHARGE', 10_000],
      ['ADJUSTMENT', 550],
      ['ADJUSTMENT', -1],
    ])
    const log = await app.db
      .selectFrom('audit_log')
      .select(['actor_id', 'details'])
      .where('action', 'like', 'wallet%')
      .execute()
    expect(log).toHaveLength(2)
    expect(new Set(log.map(({ actor_id }) => actor_id))).toEqual(new Set([admin.user.id]))
    expect(JSON.stringify(log)).toContain('补偿')
  })

  test('never takes more than there is, and tells staff how much that is instead of asking them to recharge', async () => {
    const { status, body } = await adjust(`amount=-100.01&userId=${lin.user.id}&reason=x`)
    const message = '余额只有 ¥100.00，不足以扣减'
    expect([status, body.code, body.message]).toEqual([402, 'INSUFFICIENT_BALANCE', message])
    expect(await lin.balance()).toBe(100)
    expect(await entries()).toHaveLength(1)
  })

  test.each(['0', '0.001', '1e9', 'NaN', '', 'abc', '100000000.01'])(
    'of %j is refused, and changes nothing',
    async (amount) => {
      expect((await adjust(`amount=${amount}&userId=${lin.user.id}&reason=x`)).status).toBe(400)
      expect(await lin.balance()).toBe(100)
    },
  )

  test('for nobody, or by a customer, is refused', async () => {
    const nobody = '01900000-0000-7000-8000-000000000000'
    expect((await adjust(`amount=1&userId=${nobody}&reason=x`)).status).toBe(400)
    const mine = await lin.put(`/wallet/balance?amount=1&userId=${lin.user.id}&reason=x`, undefined, { key: 'k' })
    expect(mine.status).toBe(403)
    expect(await lin.balance()).toBe(100)
  })

  test('of a balance that is another than was shown is refused: two of the staff do not make one promise good twice', async () => {
    const promise = `amount=10&balance=100&userId=${lin.user.id}&reason=补偿`
    const [one, two] = [await adjust(promise, 'one'), await adjust(promise, 'two')]
    expect([one.status, two.status, two.body.code]).toEqual([200, 409, 'STATE_CHANGED'])
    expect(two.body.message).toBe('余额已变为 ¥110.00，请核对后再提交')
    expect((await adjust(promise, 'one')).status).toBe(200)
    expect(await lin.balance()).toBe(110)
    const mei = await person(app, 'mei')
    expect((await adjust(`amount=1&balance=0&userId=${mei.user.id}&reason=x`, 'mei')).status).toBe(200)
  })

  test('fifty at once, half of them taking, leave the books right and the balance never below zero', async () => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        adjust(`amount=${n % 2 === 0 ? -30 : 10}&userId=${lin.user.id}&reason=x`, `many-${n}`),
      ),
    )
    const sum = replies.reduce((total, { status }, n) => total + (status === 200 ? (n % 2 === 0 ? -30 : 10) : 0), 100)
    expect(await lin.balance()).toBe(sum)
    expect((await entries()).every(({ after_fen }) => after_fen >= 0)).toBe(true)
    const verdicts = await verifyBooks(app.db, app.deps.now(), 'moved')
    expect(verdicts.flatMap(({ faults }) => faults)).toEqual([])
  })
})

test('a customer reads the own ledger and never another’s', async () => {
  const zhao = await person(app, 'zhao', { yuan: 7 })
  const [own] = (await lin.get('/transactions/user')).body.data
  expect((await lin.get(`/transactions/number/${own.transactionNumber}`)).status).toBe(200)
  expect((await zhao.get(`/transactions/number/${own.transactionNumber}`)).status).toBe(404)
  expect((await zhao.get('/transactions/user')).body.data).toHaveLength(1)
  expect((await zhao.get('/wallet')).body.data.balance).toBe(7)
})
