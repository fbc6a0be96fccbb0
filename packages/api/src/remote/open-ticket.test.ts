import { remoteLimits } from '@vps/shared/remote'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { person } from '../testing/people.js'
import { addReached, openSale, type Sale } from '../testing/sale.js'
import { beginMinute } from '../testing/app.js'
import { tidyRemoteConsoles } from './remote-consoles.js'

let sale: Sale
let orderId: string
let serverId: string
beforeEach(async () => {
  sale = await openSale()
  orderId = await sale.buyActive()
  serverId = await sale.serverOf(orderId)
})
afterEach(() => sale.app.close())

const ask = (who = sale.lin, kind = 'screen') => who.post('/server-management/remote', { serverId, kind })
const tickets = () => sale.app.db.selectFrom('remote_consoles').selectAll().execute()
const setOrder = (status: 'SUSPENDED' | 'PROCESSING' | 'PAID') =>
  sale.app.owner
    .updateTable('orders')
    .set({ status, suspend_reason: status === 'SUSPENDED' ? 'admin' : null })
    .execute()

test('a ticket for the owner and for an administrator, kept as a hash alone', async () => {
  for (const who of [sale.lin, sale.admin]) {
    const { status, body } = await ask(who)
    expect(status).toBe(200)
    expect(body.data.ticket).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(await tickets())).not.toContain(body.data.ticket)
    expect(sale.app.logged()).not.toContain(body.data.ticket)
  }
  expect((await tickets()).map((row) => row.user_id).toSorted()).toEqual(
    [sale.lin.user.id, sale.admin.user.id].toSorted(),
  )
})

test('nobody else gets one, and is told no more than of a server that is not there', async () => {
  const chen = await person(sale.app, 'chen')
  expect((await ask(chen)).status).toBe(400)
  expect(await tickets()).toEqual([])
})

test('none for what is neither screen nor serial line', async () => {
  expect((await ask(sale.lin, 'camera')).status).toBe(400)
})

test('while the order is suspended its owner gets none, and an administrator does', async () => {
  await setOrder('SUSPENDED')
  expect((await ask()).body).toMatchObject({
    code: 'MOVE_NOT_ALLOWED',
    message: '订单未处于活跃状态，不能打开远程连接',
  })
  expect((await ask(sale.admin)).status).toBe(200)
})

test('while the machine is being set up its owner sees it', async () => {
  serverId = await sale.serverOf(await sale.buy())
  expect((await ask()).status).toBe(200)
  await sale.agent.claim()
  expect((await ask()).status).toBe(200)
})

test('a dedicated server has none, and a silent host is said to be silent', async () => {
  const dedicated = await addReached(sale)
  const asked = await sale.admin.post('/server-management/remote', { serverId: dedicated, kind: 'screen' })
  expect(asked.body).toMatchObject({ code: 'NOT_SUPPORTED', message: '独立服务器没有远程连接，请使用 SSH' })
  await sale.app.owner
    .updateTable('host_heartbeats')
    .set({ last_seen_at: new Date(Date.now() - 120_000) })
    .execute()
  expect((await ask()).body).toMatchObject({
    code: 'AGENT_TIMEOUT',
    message: '宿主机没有响应，暂时无法打开远程连接',
  })
})

test('sixty a minute are enough for anybody', async () => {
  beginMinute(sale.app)
  for (let n = 0; n < 60; n++) expect((await ask()).status).toBe(200)
  expect((await ask()).status).toBe(429)
  expect((await ask(sale.admin)).status).toBe(200)
})

test('a console whose process died is over in the audit log a while after it could have lasted, once', async () => {
  await ask()
  const { now } = sale.app.deps
  const tidy = () => inTx(sale.app.db, (tx) => tidyRemoteConsoles(tx, new Date(0), now()))
  const ends = () =>
    sale.app.db
      .selectFrom('audit_log')
      .select(['actor_id', 'details'])
      .where('action', '=', 'server.end-remote')
      .execute()
  await sale.app.db.updateTable('remote_consoles').set({ opened_at: now() }).execute()
  sale.app.advance(remoteLimits.openSeconds * 1000)
  await tidy()
  expect([(await tickets())[0]?.ended_why, await ends()]).toEqual([null, []])
  sale.app.advance((remoteLimits.openSeconds + 1) * 1000)
  await tidy()
  await tidy()
  expect(await tickets()).toMatchObject([{ ended_why: 'over', ended_at: expect.any(Date) }])
  expect(await ends()).toMatchObject([{ actor_id: sale.lin.user.id, details: { kind: 'screen', why: 'over' } }])
})
