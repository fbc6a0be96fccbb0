import { fen } from '@vps/shared/money'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { finishCreation, startRecharge } from '../payments/start-recharge.js'
import type { TestApp } from '../testing/app.js'
import { openWithGateway } from '../testing/gateway.js'
import { person, type Person } from '../testing/people.js'
import { createStatus } from './read-status.js'
import { lookAtServices } from './look.js'

const minute = 60_000
const asked = { money: fen(1000), type: 'alipay', name: '', device: 'pc', clientIp: '', merchant: null } as const
const refused = { kind: 'refused', message: '单笔金额超限' } as const
const created = { kind: 'created', qrCode: 'qr', payUrl: null, tradeNo: null } as const

let app: TestApp
let lin: Person
let close: () => Promise<void>
beforeEach(async () => void ({ app, lin, close } = await openWithGateway()))
afterEach(() => close())

const start = (who = lin) => inTx(app.db, (tx) => startRecharge(tx, who.user, asked, app.deps.now()))
async function state(): Promise<string | undefined> {
  await lookAtServices(app.deps, app.deps.now())
  return (await createStatus(app.db, app.deps.now())).services.find(({ key }) => key === 'payments')?.state
}

test('recharging is disturbed while the gateway takes few of the attempts, and not for what is long past', async () => {
  expect(await state()).toBe('good')
  const first = await start()
  app.advance(minute)
  expect(await state()).toBe('disturbed')
  const second = await start()
  for (const id of [first, second]) await inTx(app.db, (tx) => finishCreation(tx, id, created, app.deps.now()))
  await app.db.updateTable('payments').set({ next_check_at: null }).execute()
  app.advance(minute)
  expect(await state()).toBe('good')
  await start()
  await app.db.updateTable('payments').set({ next_check_at: null }).execute()
  app.advance(20 * minute)
  expect(await state()).toBe('good')
})

test('recharging is disturbed while nobody asks the gateway what became of a payment', async () => {
  const id = await start()
  await inTx(app.db, (tx) => finishCreation(tx, id, created, app.deps.now()))
  app.advance(11 * minute)
  expect(await state()).toBe('disturbed')
})

test('what the gateway refuses one customer, however often, is not a disturbance; what it refuses two is', async () => {
  const refuse = async (who?: Person) => {
    const id = await start(who)
    await inTx(app.db, (tx) => finishCreation(tx, id, refused, app.deps.now()))
  }
  await refuse()
  await refuse()
  app.advance(minute)
  expect(await state()).toBe('good')
  await refuse(await person(app, 'wang'))
  app.advance(minute)
  expect(await state()).toBe('disturbed')
})
