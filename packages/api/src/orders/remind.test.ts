import { sweep } from '../schedule/sweep.js'
import type { MailJob } from '../mail/enqueue-mail.js'
import { composeMail } from '../mail/compose-mail.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.js'
import type { Person } from '../testing/people.js'
import { openSale, type Sale } from '../testing/sale.js'

let app: TestApp
let lin: Person
let buyActive: Sale['buyActive']
let recharge: Sale['recharge']
let toEnd: Sale['toEnd']
let mails: Sale['mails']
beforeEach(async () => void ({ app, lin, buyActive, recharge, toEnd, mails } = await openSale({ yuan: 31 })))
afterEach(() => app.close())

const day = 86_400_000
const words = async (mail: MailJob | undefined) =>
  mail && composeMail(app.db, app.deps.vault, mail, 'https://shop.example')

describe('reminders', () => {
  test('come 7, 3 and 1 day before the end, once each, and name the day', async () => {
    const id = await buyActive()
    await recharge(30)
    const seen: number[] = []
    for (const days of [8, 7, 7, 6, 3, 2, 1, 0.5]) {
      await toEnd(id, -days * day)
      await Promise.all([sweep(app.deps), sweep(app.deps)])
      seen.push((await mails()).length)
    }
    expect(seen).toEqual([0, 1, 1, 1, 2, 2, 3, 3])
    const last = await words((await mails()).at(-1))
    expect(last?.subject).toContain('1 天内自动续费')
    expect(last?.text).toContain('请确保余额充足')
  })

  test('say what the balance lacks for all that is renewed until then, and what follows', async () => {
    await recharge(100)
    const ids = [await buyActive(), await buyActive(), await buyActive()]
    await recharge(10)
    for (const [n, id] of ids.entries()) {
      const expires_at = new Date(app.deps.now().getTime() + (2 + n / 10) * day)
      await app.db.updateTable('orders').set({ expires_at }).where('id', '=', id).execute()
    }
    await sweep(app.deps)
    const told = (await mails()).filter((mail) => mail.template === 'orderExpiring')
    expect(told).toMatchObject([
      { days: 3, renewals: { amount: 3000, lacking: 0 } },
      { days: 3, renewals: { amount: 6000, lacking: 900 } },
      { days: 3, renewals: { amount: 9000, lacking: 3900 } },
    ])
    expect((await words(told[0]))?.subject).toContain('3 天内自动续费')
    const short = await words(told[1])
    expect(short?.subject).toContain('余额不足，服务器 3 天内无法自动续费')
    expect(short?.text).toContain('还差 ¥9.00')
    expect(short?.text).toContain('届时自动续费合计：¥60.00')
    expect(short?.text).toContain('72 小时后释放')
    expect(short?.text).toContain('https://shop.example/recharge?amount=9\n')
    // Told by a version before.
    const { renewals: _, ...fromBefore } = told[1]!
    expect((await words(fromBefore))?.text).toContain('请确保余额充足')
  })

  test('begin anew for the end that a renewal brings, and what was overtaken is not mailed', async () => {
    await recharge(100)
    const id = await buyActive({ autoRenewal: false })
    await toEnd(id, -2 * day)
    await sweep(app.deps)
    expect(await mails()).toMatchObject([{ template: 'orderExpiring', days: 3 }])
    await lin.post(`/orders/${id}/renew`)
    expect(await words((await mails())[0])).toBeNull()
    await toEnd(id, -7 * day)
    await sweep(app.deps)
    expect(await mails()).toMatchObject([{ days: 3 }, { days: 7 }])
  })

  test('are not sent for periods that are too short', async () => {
    await buyActive({ billingPeriod: 'DAILY' })
    await sweep(app.deps)
    expect(await mails()).toEqual([])
  })
})
