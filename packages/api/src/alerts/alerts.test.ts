import { alertAfterMinutes, alertPauseMinutes } from '@vps/shared/alerts'
import type { FindingKind } from '@vps/shared/findings'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { recordFinding, resolveOf } from '../findings/findings.js'
import { composeMail } from '../mail/compose-mail.js'
import type { AlertMail } from '../mail/enqueue-mail.js'
import { sweep } from '../schedule/sweep.js'
import { tidy } from '../schedule/tidy.js'
import { person, type Person } from '../testing/people.js'
import { openSale, type Sale } from '../testing/sale.js'
import { findAlerts, tellAdministrators } from './alerts.js'

let sale: Sale
let second: Person
beforeEach(async () => {
  sale = await openSale()
  second = await person(sale.app, 'deputy', { admin: true })
})
afterEach(() => sale.app.close())

const minute = 60_000
const pass = (minutes: number) => sale.app.advance(minutes * minute)
const now = () => sale.app.deps.now()
const find = (kind: FindingKind, subject: string, hostId: string | null = sale.host.id) =>
  inTx(sale.app.db, (tx) => recordFinding(tx, { hostId, kind, subject, details: {} }, now()))
const resolve = (kind: FindingKind, subject: string) => inTx(sale.app.db, (tx) => resolveOf(tx, kind, subject, now()))

/** By the database's clock. */
const silentFor = (minutes: number) =>
  sale.app.db
    .updateTable('host_heartbeats')
    .set({ last_seen_at: sql<Date>`clock_timestamp() - make_interval(mins => ${minutes}::int)` })
    .execute()

/** Sent since the last look, to whom it may concern. */
async function told(): Promise<AlertMail[]> {
  await sweep(sale.app.deps)
  const alerts = await sale.alerts()
  await sql`delete from graphile_worker._private_jobs where payload->>'template' = 'operatorAlert'`.execute(sale.app.db)
  return alerts
}

/** In the one mail that the first administrator got. */
async function toldNames() {
  const mine = (await told()).filter(({ userId }) => userId === sale.admin.user.id)
  expect(mine.length, 'mails').toBeLessThan(2)
  const names = (list: AlertMail['begun']) => list.map(({ finding, host, subject }) => [finding, host, subject])
  return mine[0] && { begun: names(mine[0].begun), ended: names(mine[0].ended) }
}

test('a finding that lasts is told to every administrator once, and to no customer', async () => {
  await find('stray-domain', 'guest-7')
  pass(alertAfterMinutes - 1)
  expect(await told()).toEqual([])
  pass(1)
  const mails = await told()
  expect(mails.map(({ userId }) => userId).toSorted()).toEqual([sale.admin.user.id, second.user.id].toSorted())
  expect(mails[0]).toMatchObject({
    begun: [{ finding: 'stray-domain', host: 'host-10.9.0', subject: 'guest-7' }],
    ended: [],
    counts: { begun: 1, ended: 0 },
  })
  pass(24 * 60)
  expect(await told()).toEqual([])
})

test('what is over before it lasted is never told', async () => {
  await find('stray-domain', 'guest-7')
  pass(alertAfterMinutes - 1)
  await resolve('stray-domain', 'guest-7')
  pass(60)
  expect(await told()).toEqual([])
})

test('a host that is silent for minutes is told of, and that it is heard again', async () => {
  await silentFor(alertAfterMinutes - 1)
  expect(await toldNames()).toBeUndefined()
  await silentFor(alertAfterMinutes)
  expect(await toldNames()).toEqual({ begun: [[null, 'host-10.9.0', null]], ended: [] })
  pass(alertPauseMinutes)
  expect(await toldNames()).toBeUndefined()
  await silentFor(0)
  expect(await toldNames()).toEqual({ begun: [], ended: [[null, 'host-10.9.0', null]] })
  pass(alertPauseMinutes)
  expect(await toldNames()).toBeUndefined()
})

test('a host that never connected, is in maintenance, lost or retired is not silent', async () => {
  const declare = (status: 'MAINTENANCE' | 'LOST' | 'RETIRED' | 'READY') =>
    sale.app.db.updateTable('hosts').set({ status }).execute()
  await silentFor(60)
  for (const status of ['MAINTENANCE', 'LOST', 'RETIRED'] as const) {
    await declare(status)
    expect(await toldNames(), status).toBeUndefined()
  }
  await declare('READY')
  await sale.app.db.deleteFrom('host_heartbeats').execute()
  expect(await toldNames()).toBeUndefined()
})

test('what begins and ends within the pause stands in one mail after it', async () => {
  await find('stray-domain', 'first')
  pass(alertAfterMinutes)
  expect(await toldNames()).toMatchObject({ begun: [['stray-domain', 'host-10.9.0', 'first']] })
  await resolve('stray-domain', 'first')
  await find('brake', 'grace over', null)
  await find('libvirt-away', sale.host.id)
  pass(alertPauseMinutes - 1)
  expect(await toldNames()).toBeUndefined()
  pass(1)
  const { begun, ended } = (await toldNames()) ?? {}
  expect(begun?.toSorted()).toEqual([
    ['brake', null, 'grace over'],
    ['libvirt-away', 'host-10.9.0', null],
  ])
  expect(ended).toEqual([['stray-domain', 'host-10.9.0', 'first']])
})

test('what was over and begins again is told again', async () => {
  for (const round of ['first', 'again']) {
    await find('stray-domain', 'guest-7')
    pass(alertAfterMinutes)
    expect(await toldNames(), round).toMatchObject({ begun: [['stray-domain', 'host-10.9.0', 'guest-7']] })
    await resolve('stray-domain', 'guest-7')
    pass(alertPauseMinutes)
    expect(await toldNames(), round).toMatchObject({ ended: [['stray-domain', 'host-10.9.0', 'guest-7']] })
    pass(alertPauseMinutes)
  }
})

test('processes that look at one time tell once', async () => {
  await find('stray-domain', 'guest-7')
  pass(alertAfterMinutes)
  const moment = now()
  expect(await findAlerts(sale.app.db, moment)).toHaveLength(1)
  await Promise.all([1, 2, 3].map(() => inTx(sale.app.db, (tx) => tellAdministrators(tx, 'alerts', moment))))
  expect(await told()).toHaveLength(2)
})

test('an administrator who wants none gets none, nor one who may not sign in; what they missed is not told later', async () => {
  expect((await second.get('/alerts')).body.data).toEqual({ mailed: true, email: 'deputy@example.com', fault: null })
  expect((await second.put('/alerts', { mailed: false })).status).toBe(200)
  expect((await second.get('/alerts')).body.data).toMatchObject({ mailed: false })
  expect((await sale.admin.get('/alerts')).body.data).toMatchObject({ mailed: true })
  await find('stray-domain', 'guest-7')
  pass(alertAfterMinutes)
  expect((await told()).map(({ userId }) => userId)).toEqual([sale.admin.user.id])

  expect((await second.put('/alerts', { mailed: true })).status).toBe(200)
  await sale.app.db.updateTable('users').set({ status: 'suspended' }).where('id', '=', sale.admin.user.id).execute()
  pass(alertPauseMinutes)
  expect(await told()).toEqual([])
  await find('stray-domain', 'guest-8')
  pass(alertAfterMinutes)
  expect((await told()).map(({ userId }) => userId)).toEqual([second.user.id])
})

test('the wish is audited where it changes, and is no customer’s', async () => {
  for (const mailed of [true, false, false, true]) expect((await second.put('/alerts', { mailed })).status).toBe(200)
  const entries = await sale.app.db
    .selectFrom('audit_log')
    .select('action')
    .where('actor_id', '=', second.user.id)
    .where('action', 'like', 'account.%-alerts')
    .orderBy('id')
    .execute()
  expect(entries.map(({ action }) => action)).toEqual(['account.refuse-alerts', 'account.take-alerts'])
  expect((await sale.lin.get('/alerts')).status).toBe(403)
  expect((await sale.lin.put('/alerts', { mailed: true })).status).toBe(403)
})

test('of very many the first are named, the rest counted', async () => {
  for (let n = 10; n < 35; n++) await find('stray-domain', `guest-${n}`)
  pass(alertAfterMinutes)
  const [mail] = await told()
  expect(mail).toMatchObject({ counts: { begun: 25, ended: 0 } })
  expect(mail?.begun).toHaveLength(20)
  const { db, vault, config } = sale.app.deps
  const words = mail && (await composeMail(db, vault, mail, config.publicUrl))
  expect(words).toMatchObject({ subject: '告警：多余的虚拟机 host-10.9.0 等 25 项' })
  expect(words?.text).toContain('其余：另有 5 项')
})

test('the mail says what, where, since when and the way there', async () => {
  const id = await sale.buyActive()
  const serverId = await sale.serverOf(id)
  await sale.app.db.updateTable('servers').set({ name: '<b>web</b>' }).where('id', '=', serverId).execute()
  await find('hung-domain', serverId)
  pass(alertAfterMinutes)
  const { db, vault, config } = sale.app.deps
  const compose = async () => {
    const mail = (await told()).find(({ userId }) => userId === sale.admin.user.id)
    return mail && (await composeMail(db, vault, mail, config.publicUrl))
  }
  const worse = await compose()
  expect(worse).toMatchObject({ to: 'boss@example.com', subject: '告警：没有响应的虚拟机 host-10.9.0' })
  expect(worse?.text).toMatch(
    /没有响应的虚拟机：host-10\.9\.0 · <b>web<\/b>，始于 \d{4}-\d\d-\d\d \d\d:\d\d（北京时间）/,
  )
  expect(worse?.text).toContain(`查看发现项：${config.publicUrl}/findings`)
  expect(worse?.text).toContain('先检查宿主机的存储')
  expect(worse?.html).toContain('&lt;b&gt;web&lt;/b&gt;')
  await resolve('hung-domain', serverId)
  pass(alertPauseMinutes)
  const better = await compose()
  expect(better).toMatchObject({ subject: '告警解除：没有响应的虚拟机 host-10.9.0' })
  expect(better?.text).toContain('已解除：没有响应的虚拟机：host-10.9.0 · <b>web</b>')
})

test('the mail of a silent host leads to it, of several to the list, and says what to look at', async () => {
  await silentFor(alertAfterMinutes)
  const [mail] = await told()
  const { db, vault, config } = sale.app.deps
  const words = mail && (await composeMail(db, vault, mail, config.publicUrl))
  expect(words).toMatchObject({ subject: '告警：宿主机失联 host-10.9.0' })
  expect(words?.text).toContain('systemctl status vps-agent')
  expect(words?.text).toContain(`查看宿主机：${config.publicUrl}/hosts/${sale.host.id}\n`)
  const others = [
    { ...mail!.begun[0]!, hostId: second.user.id },
    { ...mail!.begun[0]!, hostId: null },
  ]
  for (const other of others) {
    const several = await composeMail(db, vault, { ...mail!, begun: [...mail!.begun, other] }, config.publicUrl)
    expect(several?.text).toContain(`查看宿主机：${config.publicUrl}/hosts\n`)
  }
})

test('what was told is forgotten a month after it was over, and not while it lasts', async () => {
  await find('stray-domain', 'over')
  await find('stray-domain', 'lasting')
  pass(alertAfterMinutes)
  await told()
  await resolve('stray-domain', 'over')
  pass(alertPauseMinutes)
  await told()
  const count = async () => (await sale.app.db.selectFrom('alerts').select('id').execute()).length
  pass(29 * 24 * 60)
  await inTx(sale.app.db, (tx) => tidy(tx, now()))
  expect(await count()).toBe(2)
  pass(2 * 24 * 60)
  await inTx(sale.app.db, (tx) => tidy(tx, now()))
  expect(await count()).toBe(1)
})
