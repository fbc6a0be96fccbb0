import { randomUUID } from 'node:crypto'
import { fen } from '@vps/shared/money'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { verifyBooks } from '../audit/verify.js'
import { recordFinding } from '../findings/findings.js'
import { startApp, type TestApp } from '../testing/app.js'
import { waitingMails } from '../testing/mails.js'
import { person, type Person } from '../testing/people.js'
import { countOf } from '../testing/rows.js'
import { settlePayment } from './settle-payment.js'
import { startRecharge } from './start-recharge.js'

let app: TestApp
let lin: Person
let admin: Person
beforeEach(async () => {
  app = await startApp()
  lin = await person(app, 'lin')
  admin = await person(app, 'root', { admin: true })
})
afterEach(() => app.close())

const now = () => app.deps.now()

async function paidUnder(...tradeNos: string[]): Promise<string> {
  const asked = {
    money: fen(20_000),
    type: 'alipay',
    name: '我的充值',
    device: 'pc',
    clientIp: '',
    merchant: null,
  } as const
  const id = await inTx(app.db, (tx) => startRecharge(tx, lin.user, asked, now()))
  const { out_trade_no: outTradeNo } = await app.db
    .selectFrom('payments')
    .select('out_trade_no')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  for (const tradeNo of tradeNos)
    await inTx(app.db, (tx) =>
      settlePayment(tx, { outTradeNo, tradeNo, amountFen: fen(20_000), method: 'alipay' }, now()),
    )
  return outTradeNo
}

const open = async () => (await admin.get('/findings')).body.data.content
const credit = (id: string, who = admin) => who.post(`/findings/${id}/credit`, {}, { key: randomUUID() })

test('an operator reads whose it is, and puts it into the balance, once', async () => {
  const number = await paidUnder('T1', 'T2')
  const [told] = await open()
  expect(told).toMatchObject({ kind: 'paid-twice', subject: `${number}/T2`, ownerName: 'lin' })
  expect([await lin.balance(), (await credit(told.id)).status]).toEqual([200, 200])
  expect([await lin.balance(), await open(), (await credit(told.id)).status]).toEqual([400, [], 404])
  const entries = await app.db.selectFrom('ledger_entries').select(['type', 'reference', 'amount_fen']).execute()
  expect(entries).toContainEqual({ type: 'ADJUSTMENT', reference: 'trade:epay:T2', amount_fen: 20_000 })
  expect((await verifyBooks(app.db, now())).flatMap(({ faults }) => faults)).toEqual([])
})

test('its payer is told by mail, as of whatever staff does to a balance', async () => {
  const number = await paidUnder('T1', 'T2')
  const [told] = await open()
  expect((await credit(told.id)).status).toBe(200)
  const [mail] = await waitingMails(app)
  expect(mail).toMatchObject({ to: 'lin@example.com', subject: '余额已增加 ¥200.00' })
  expect(mail?.text).toContain(`充值 ${number} 重复付款，转入余额`)
})

test('from two browsers at once it is credited once', async () => {
  await paidUnder('T1', 'T2')
  const [told] = await open()
  const statuses = (await Promise.all([1, 2, 3, 4].map(() => credit(told.id)))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect([await lin.balance(), await countOf(app, 'ledger_entries')]).toEqual([400, 2])
})

test('each further payment is one of its own, and one that was given back at the gateway is only marked', async () => {
  await paidUnder('T1', 'T2', 'T3')
  const [third, second] = await open()
  expect((await admin.post(`/findings/${second.id}/resolve`)).status).toBe(200)
  expect((await credit(third.id)).status).toBe(200)
  expect([await lin.balance(), await open()]).toEqual([400, []])
})

test('nothing else can be credited so', async () => {
  const number = await paidUnder('T1')
  const other = { hostId: null, kind: 'mismatched-payment', subject: number, details: {} } as const
  await inTx(app.db, (tx) => recordFinding(tx, other, now()))
  const [told] = await open()
  expect([(await credit(told.id)).status, (await credit(told.id, lin)).status]).toEqual([409, 403])
  expect(await lin.balance()).toBe(200)
})
