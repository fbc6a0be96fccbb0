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
