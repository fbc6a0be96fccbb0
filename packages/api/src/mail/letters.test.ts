/** Every order mail over real SMTP, in both parts, from an order that has lived it. */
import { fen } from '@vps/shared/money'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openMailbox, type Mailbox, type ReceivedMail } from '../../../demo/src/mailbox.js'
import { inTx } from '../db/tx.js'
import { closeDeps, openDeps, type Deps } from '../deps.js'
import { sweep } from '../schedule/sweep.js'
import { taskList } from '../schedule/tasks.js'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { person, type Person } from '../testing/people.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'
import { postEntry } from '../wallet/post-entry.js'
import { composeMail } from './compose-mail.js'
import type { MailJob } from './enqueue-mail.js'

let app: TestApp
let sender: Deps
let mailbox: Mailbox
let shop: Shop
let lin: Person
let admin: Person
let agent: ReturnType<typeof hostAgent>
beforeEach(async () => {
  app = await startApp({ env: { PUBLIC_URL: 'https://shop.example' } })
  mailbox = await openMailbox(app.deps.now)
  sender = await openDeps({ ...app.deps.config, smtpUrl: mailbox.smtpUrl }, { now: app.deps.now, log: app.deps.log })
  shop = await openShop(app)
  lin = await person(app, 'lin', { yuan: 31 })
  admin = await person(app, 'boss', { admin: true })
  agent = hostAgent(app, (await addHost(app, shop, { servers: 3 })).token)
})
afterEach(async () => {
  await closeDeps(sender)
  await mailbox.close()
  await app.close()
})

const day = 86_400_000
const order = async (id: string) => (await lin.get(`/orders/${id}`)).body.data

async function buy(more: object = {}): Promise<string> {
  const { body } = await lin.post('/orders', { ...shop.order, ...more })
  expect((await lin.post(`/orders/${body.data.id}/pay`)).status).toBe(200)
  return body.data.id
}

async function buyActive(more: object = {}): Promise<string> {
  const id = await buy(more)
  await agent.serve()
  return id
}

async function toEnd(id: string, after = 0): Promise<void> {
  app.advance(Date.parse((await order(id)).expiresAt) + after - app.deps.now().getTime())
  await sweep(app.deps)
}

async function arrived(subject: string): Promise<ReceivedMail> {
  const { rows } = await sql<{ payload: MailJob }>`
    with waiting as (delete from graphile_worker._private_jobs returning id, payload)
    select payload from waiting order by id`.execute(app.db)
  for (const { payload } of rows) await taskList(sender).send_mail(payload)
  const mail = mailbox.list().find((one) => one.subject === subject)
  expect(
    mail,
    `${subject} among ${mailbox
      .list()
      .map((one) => one.subject)
      .join(', ')}`,
  ).toBeDefined()
  return mail!
}

const visible = (mail: ReceivedMail) =>
  mail
    .html!.replace(/<head>.*<\/head>/s, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

function expectBoth(mail: ReceivedMail, ...words: string[]): void {
  for (const word of words) {
    expect(mail.text).toContain(word)
    expect(visible(mail)).toContain(word)
  }
}

/** Cells that count what is left are 14 wide, unlike the mark's. */
const litCells = ({ html }: ReceivedMail) => ({
  good: html!.match(/width:14px[^"]*#57d483/g)?.length ?? 0,
  none: html!.match(/width:14px[^"]*#393e68/g)?.length ?? 0,
})

function expectLink(mail: ReceivedMail, label: string, path: string): void {
  expect(mail.text).toContain(`${label}：https://shop.example${path}`)
  expect(mail.html).toContain(`href="https://shop.example${path}"`)
  expect(visible(mail)).toContain(label)
}

/** Minute in Shanghai, not by the product's own way. */
const onShanghaiClock = (at: string | number) =>
  `${new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'short' }).format(new Date(at))}（北京时间）`

const recharge = (amount: number) =>
  inTx(app.db, (tx) => {
    const entry = { type: 'ADJUSTMENT', reference: 'late', description: '补款' } as const
    return postEntry(tx, { userId: lin.user.id, amount: fen(amount), ...entry }, app.deps.now())
  })

describe('a mail', () => {
  test('tells that a server is ready: what it is, what was paid, until when, and the way to its console', async () => {
    const id = await buyActive()
    const { serverName, orderNumber, expiresAt } = await order(id)
    const mail = await arrived(`服务器已开通：${serverName}`)
    expect(mail.to).toEqual(['lin@example.com'])
    expectBoth(
      mail,
      'lin，您好：',
      `服务器 ${serverName} 已安装完成，并已验证可以登录。`,
      orderNumber,
      '2 核 / 4 GB / 40 GB',
      'Debian 12',
      '¥30.00（按月）',
      onShanghaiClock(expiresAt),
    )
    expectLink(mail, '打开控制台', `/server-manage/${id}`)
    expect(`${mail.text}${mail.html}`).not.toContain('Secret-pass-1')
  })

  test('tells that a server is set up again on another host: what is lost, what stays, and where its password is', async () => {
    const id = await buyActive()
    const { serverName, expiresAt } = await order(id)
    const lost = await app.db.selectFrom('hosts').select('id').executeTakeFirstOrThrow()
    await addHost(app, shop, { network: '10.9.1' })
    expect((await admin.put(`/hosts/${lost.id}/status`, { status: 'LOST' })).status).toBe(200)
    expect((await admin.post(`/orders/${id}/evacuate`)).status).toBe(200)
    const mail = await arrived(`服务器正在重建：${serverName}`)
    expectBoth(
      mail,
      `很抱歉，服务器 ${serverName} 所在的宿主机已损坏，其中的数据无法找回。`,
      'IP 地址已更换，登录密码为控制台中显示的密码，费用与到期时间不变',
      '10.9.1.2',
      onShanghaiClock(expiresAt),
    )
    expectLink(mail, '打开控制台', `/server-manage/${id}`)
  })

  test('tells that a renewal failed for want of money, until when the data is kept, and where to recharge', async () => {
    const id = await buyActive()
    const { serverName, expiresAt } = await order(id)
    await toEnd(id)
    const mail = await arrived(`自动续费失败：${serverName}`)
    expectBoth(
      mail,
      '因余额不足未能完成，服务器已暂停，数据保留至到期后 72 小时',
      onShanghaiClock(expiresAt),
      onShanghaiClock(Date.parse(expiresAt) + 3 * day),
    )
    expectLink(mail, '立即充值', '/recharge')
    expect((await order(id)).status).toBe('SUSPENDED')
  })

  test('that comes again late in the grace promises no more of it than is left', async () => {
    const id = await buyActive()
    const { serverName, expiresAt } = await order(id)
    await toEnd(id)
    await arrived(`自动续费失败：${serverName}`)
    await toEnd(id, 2 * day)
    await recharge(100)
    await sweep(app.deps)
    const again = await arrived(`自动续费失败：${serverName}`)
    expect(mailbox.list()).toHaveLength(2)
    expectBoth(again, '数据保留至到期后 72 小时', onShanghaiClock(Date.parse(expiresAt) + 3 * day))
    expect(again.text).not.toContain('数据保留 72 小时')
  })

  test('reminds 7, 3 and 1 day before the end, of the balance or of renewing', async () => {
    const renewed = await buyActive()
    await recharge(3000)
    const { serverName, expiresAt } = await order(renewed)
    for (const days of [7, 3, 1]) {
      await toEnd(renewed, -days * day)
      const mail = await arrived(`服务器 ${days} 天内自动续费：${serverName}`)
      expectBoth(mail, '请确保余额充足', '自动续费', '已开启', onShanghaiClock(expiresAt))
      expect(litCells(mail)).toEqual({ good: days, none: 7 - days })
      expectLink(mail, '立即充值', '/recharge')
    }
    await lin.put(`/orders/${renewed}/auto-renewal`, { autoRenewal: false })
    await sql`delete from order_reminders`.execute(app.db)
    await sweep(app.deps)
    const mail = await arrived(`服务器 1 天内到期：${serverName}`)
    expectBoth(mail, '到期未续费将暂停服务，72 小时后释放并清除数据', '未开启', onShanghaiClock(expiresAt))
    expectLink(mail, '立即续费', `/orders?orderId=${renewed}`)
    expect(mailbox.list()).toHaveLength(5)
  })

  test('tells of the end of a period without renewal, and of the release', async () => {
    const id = await buyActive({ billingPeriod: 'DAILY', autoRenewal: false })
    const { serverName, expiresAt } = await order(id)
    await toEnd(id)
    const ended = await arrived(`服务器已到期：${serverName}`)
    expectBoth(
      ended,
      '已到期并暂停，数据保留至到期后 72 小时，在此之前续费即可恢复',
      onShanghaiClock(Date.parse(expiresAt) + 3 * day),
    )
    expectLink(ended, '立即续费', `/orders?orderId=${id}`)
    await agent.serve({ power: 'off' })
    await toEnd(id, 3 * day)
    const released = await arrived(`服务器已释放：${serverName}`)
    expectBoth(released, '到期后未在 72 小时内续费，服务器已释放，数据不再保留。', onShanghaiClock(expiresAt))
    // Its host, or who cleans a dedicated server, has it still.
    expect(await agent.claim()).toMatchObject({ payload: { kind: 'destroy' } })
    expect(released.text).not.toContain('已清除')
    expectLink(released, '重新购买', '/sales')
    expect((await order(id)).status).toBe('EXPIRED')
  })

  test('tells why an administrator suspended a server, and that it is back', async () => {
    const id = await buyActive()
    const { serverName, expiresAt } = await order(id)
    await admin.put(`/orders/${id}/status?status=SUSPENDED`, { reason: '对外攻击' })
    const suspended = await arrived(`服务器已暂停：${serverName}`)
    expectBoth(suspended, '已被管理员暂停，数据保留至到期后 72 小时。', '对外攻击', '请联系客服')
    expectBoth(suspended, onShanghaiClock(Date.parse(expiresAt) + 3 * day))
    expect(suspended.html).not.toContain('href=')
    await agent.serve({ power: 'off' })
    await admin.put(`/orders/${id}/status?status=ACTIVE`)
    const resumed = await arrived(`服务器已恢复：${serverName}`)
    expectBoth(resumed, '的暂停已解除，即将恢复运行，数据和 IP 地址不变。', onShanghaiClock(expiresAt))
    expect(await agent.claim()).toMatchObject({ payload: { kind: 'start' } })
    expectLink(resumed, '打开控制台', `/server-manage/${id}`)
  })

  test('tells that a server could not be set up and that the whole price is back', async () => {
    const id = await buy()
    const { orderNumber } = await order(id)
    app.advance(31 * 60_000)
    await sweep(app.deps)
    const mail = await arrived(`服务器未能开通，已全额退款：${orderNumber}`)
    expectBoth(mail, '未能开通，订单已取消，款项已全额退回您的钱包余额。', '¥30.00', '安装超过 30 分钟未完成')
    expectLink(mail, '查看交易记录', '/transactions')
    expect(await lin.balance()).toBe(31)
  })

  test('tells what an approved refund gave back, which is not always what the order cost', async () => {
    const id = await buyActive({ billingPeriod: 'DAILY' })
    const { orderNumber } = await order(id)
    await lin.post(`/orders/${id}/renew`)
    await lin.post(`/orders/${id}/refund`, { reason: '不再需要' })
    const [request] = (await admin.get('/refunds')).body.data.content
    expect((await admin.post(`/refunds/${request.id}/approve`, { reason: '同意' })).status).toBe(200)
    const mail = await arrived(`订单已退款：${orderNumber}`)
    expectBoth(mail, '已取消，款项已退回您的钱包余额。', '¥2.00', '退款申请已批准')
  })

  test('carries what a customer wrote as text, never as markup', async () => {
    const id = await buyActive()
    const name = '<img src=x onerror="a()"> 猫&狗'
    expect((await lin.put(`/orders/${id}/server-name`, { serverName: name })).status).toBe(200)
    await admin.put(`/orders/${id}/status?status=SUSPENDED`, { reason: '<b>"请停止"</b>' })
    const mail = await arrived(`服务器已暂停：${name}`)
    expectBoth(mail, name, '<b>"请停止"</b>')
    expect(mail.html).not.toMatch(/<img|<b>/)
  })

  test('fetches nothing and shows its first line behind the subject', async () => {
    const id = await buyActive()
    const mail = await arrived(`服务器已开通：${(await order(id)).serverName}`)
    expect(mail.html).not.toMatch(/<img|<link|<script|url\(|@import|src=/)
    const shownFirst = visible(mail).trimStart()
    expect(shownFirst).toMatch(/^服务器 \S+ 已安装完成/)
  })
})

test('who asked for the money back is told that it was refused, why, and what goes on', async () => {
  const id = await buyActive()
  const { orderNumber } = await order(id)
  const askAndRefuse = async (reason: string) => {
    expect((await lin.post(`/orders/${id}/refund`, { reason: '不需要了' })).status).toBe(200)
    const open = app.db.selectFrom('refund_requests').select('id').where('status', '=', 'PENDING')
    const { id: request } = await open.executeTakeFirstOrThrow()
    expect((await admin.post(`/refunds/${request}/reject`, { reason })).status).toBe(200)
  }
  await askAndRefuse('超出流量的服务器不退款')
  const mail = await arrived(`退款申请未通过：${orderNumber}`)
  expect(mail.to).toEqual(['lin@example.com'])
  expectBoth(mail, orderNumber, '超出流量的服务器不退款', '服务器可以继续使用', '自动续费照常进行')
  expectLink(mail, '打开控制台', `/server-manage/${id}`)
  app.advance(1000)
  await lin.put(`/orders/${id}/auto-renewal`, { autoRenewal: false })
  await askAndRefuse('与上次相同')
  await arrived(`退款申请未通过：${orderNumber}`)
  const again = mailbox.list().filter(({ subject }) => subject.startsWith('退款申请未通过'))
  expect(again).toHaveLength(2)
  const texts = again.map(({ text }) => text).filter((text) => text?.includes('与上次相同'))
  expect(texts).toHaveLength(1)
  expect(texts[0]).not.toContain('自动续费照常进行')
})

test('whose balance an administrator changed is told by how much, why, and what is left', async () => {
  const adjust = async (amount: number, reason: string) =>
    expect((await admin.put('/wallet/balance', { userId: lin.user.id, amount, reason })).status).toBe(200)
  await adjust(-4.5, '重复入账')
  const mail = await arrived('余额已扣减 ¥4.50')
  expect(mail.to).toEqual(['lin@example.com'])
  expectBoth(mail, 'lin，您好：', '-¥4.50', '管理员调整：重复入账', '¥26.50')
  expectLink(mail, '查看交易记录', '/transactions')
  await adjust(3, '故障补偿')
  expectBoth(await arrived('余额已增加 ¥3.00'), '+¥3.00', '管理员调整：故障补偿', '¥29.50')
})

test('a reset mail holds no six-digit number but the code, whatever its reader is called', async () => {
  await person(app, 'lin_123456')
  const user = await app.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'lin_123456')
    .executeTakeFirstOrThrow()
  const job = {
    template: 'resetCode',
    userId: user.id,
    address: 'lin@example.com',
    code: app.deps.vault.seal('987654'),
  } as const
  const mail = await composeMail(app.db, app.deps.vault, job, 'https://shop.example')
  expect(mail?.text.match(/\d{6}/g)).toEqual(['987654'])
  expect(mail?.html.replaceAll(/<style>.*?<\/style>|style="[^"]*"/gs, '').match(/\d{6}/g)).toEqual(['987654'])
})

test('what a mail says of a cancelled order follows its cause, not the first words of its reason', async () => {
  const id = await buy()
  expect((await admin.put(`/orders/${id}/status`, { status: 'CANCELLED', reason: '安装' })).status).toBe(200)
  await app.db.updateTable('orders').set({ cancel_reason: '安装失败的样子' }).where('id', '=', id).execute()
  const job = { template: 'orderRefunded', userId: lin.user.id, orderId: id } as const
  const mail = await composeMail(app.db, app.deps.vault, job, 'https://shop.example')
  expect(mail?.subject).toContain('订单已退款')
  await app.db
    .updateTable('orders')
    .set({ cancel_cause: 'set-up-overdue', cancel_reason: '很久' })
    .where('id', '=', id)
    .execute()
  expect((await composeMail(app.db, app.deps.vault, job, 'https://shop.example'))?.subject).toContain('服务器未能开通')
})

test('a mail of a suspension, or of its end, that was overtaken while it waited is not sent', async () => {
  const id = await buyActive()
  const words = (template: 'renewalFailed' | 'orderSuspended' | 'orderResumed') =>
    composeMail(app.db, app.deps.vault, { template, userId: lin.user.id, orderId: id }, 'https://shop.example')
  await toEnd(id)
  expect([await words('renewalFailed'), await words('orderResumed')]).toEqual([expect.anything(), null])
  await app.db
    .updateTable('price_groups')
    .set({ monthly_fen: fen(100) })
    .execute()
  expect((await lin.post(`/orders/${id}/renew`)).status).toBe(200)
  expect([await words('renewalFailed'), await words('orderSuspended')]).toEqual([null, null])
  expect(await words('orderResumed')).not.toBeNull()
})

test('a mail that a server is ready, or that its renewal failed for want of money, is not sent once it is not so any more', async () => {
  const id = await buyActive()
  const words = async (template: 'orderActive' | 'renewalFailed') => {
    const job = { template, userId: lin.user.id, orderId: id }
    return (await composeMail(app.db, app.deps.vault, job, 'https://shop.example'))?.subject ?? null
  }
  expect(await words('orderActive')).toContain('服务器已开通')
  expect((await admin.put(`/orders/${id}/status?status=SUSPENDED`, { reason: '对外攻击' })).status).toBe(200)
  expect([await words('orderActive'), await words('renewalFailed')]).toEqual([null, null])
  expect((await lin.post(`/orders/${id}/refund`, { reason: '不需要了' })).status).toBe(200)
  const { id: request } = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
  expect((await admin.post(`/refunds/${request}/approve`, { reason: '同意' })).status).toBe(200)
  expect(await words('orderActive')).toBeNull()
})
