import { reconcileSeconds } from '@vps/shared/payments'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import type { Queried } from '../gateway.js'
import { enqueueMail } from '../mail/enqueue-mail.js'
import { must } from '../must.js'
import type { TestApp } from '../testing/app.js'
import { openWithGateway } from '../testing/gateway.js'
import type { Person } from '../testing/people.js'
import type { SandboxGateway } from '../../../demo/src/gateway/server.js'
import { runWorker, type Worker } from './run.js'

let gateway: SandboxGateway
let app: TestApp
let lin: Person
let worker: Worker | undefined
beforeEach(async () => {
  ;({ gateway, app, lin } = await openWithGateway())
  gateway.faults.notify = 'drop'
})
afterEach(async () => {
  await worker?.stop()
  await app.close()
  await gateway.stop()
})

const recharge = async (): Promise<string> =>
  (await lin.post('/payment/create', { money: 200, type: 'alipay' })).body.outTradeNo
const write = () => inTx(app.db, (tx) => enqueueMail(tx, { template: 'passwordChanged', userId: lin.user.id }))
const later = () => app.advance(must(reconcileSeconds[0]) * 1000 + 1000)

test('a mail server that is silent, with a mail in each hand of the worker, keeps no recharge from being credited', async () => {
  const letGo: (() => void)[] = []
  const sendMail = () => new Promise<void>((resolve) => void letGo.push(resolve))
  worker = await runWorker({ ...app.deps, sendMail })
  for (let n = 0; n < 3; n++) await write()
  await expect.poll(() => letGo.length).toBe(2)
  await gateway.pay(await recharge())
  later()
  await expect.poll(() => lin.balance()).toBe(200)
  expect(letGo).toHaveLength(2)
  for (const go of letGo) go()
  await expect.poll(() => letGo.length).toBe(3)
  for (const go of letGo) go()
})

test('a gateway that is silent is asked for one recharge at a time, and holds up no mail', async () => {
  for (let n = 0; n < 3; n++) await recharge()
  later()
  const answers: ((answer: Queried) => void)[] = []
  const query = () => new Promise<Queried>((resolve) => answers.push(resolve))
  let sent = 0
  const sendMail = () => Promise.resolve(void sent++)
  worker = await runWorker({ ...app.deps, sendMail, gateway: { ...must(app.deps.gateway), query } })
  await expect.poll(() => answers.length).toBe(1)
  for (let n = 0; n < 3; n++) await write()
  await expect.poll(() => sent).toBe(3)
  expect(answers).toHaveLength(1)
  for (let n = 0; n < 3; n++) {
    await expect.poll(() => answers.length).toBeGreaterThan(n)
    answers[n]?.({ kind: 'unknown', reason: 'nonsense' })
  }
  await expect.poll(() => app.logged()).toContain('nonsense')
})
