import { protocolVersion } from '@vps/shared/agent'
import { alertAfterMinutes } from '@vps/shared/alerts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { composeMail } from '../mail/compose-mail.js'
import { onCommit } from '../db/tx.js'
import type { Notification } from '../notifications/notification.js'
import { must } from '../must.js'
import { sweep } from '../schedule/sweep.js'
import { hostAgent } from '../testing/host.js'
import { openSale, type Sale } from '../testing/sale.js'
import { admitAgent, findHostByToken } from './hosts.js'
import { readHost } from './queries.js'

let sale: Sale
beforeEach(async () => {
  sale = await openSale()
  await sale.agent.claim()
  await report()
})
afterEach(() => sale.app.close())

const now = () => sale.app.deps.now()
const all = () =>
  sale.app.db.selectFrom('findings').selectAll().orderBy('first_seen_at').orderBy('kind').orderBy('id').execute()
const open = async () => (await all()).filter(({ resolved_at }) => resolved_at === null).map(({ kind }) => kind)
/** Its next start, of another program. */
const startOf = (protocol: number, agentVersion = '0.9.0') => ({
  ...hostAgent(sale.app, sale.host.token, sale.agent).me,
  protocol,
  agentVersion,
})
type Me = ReturnType<typeof startOf>
/** Below the first protocol nothing comes over the wire, so the door is asked itself. */
const admit = async (me: Me) =>
  admitAgent(sale.app.db, must(await findHostByToken(sale.app.db, sale.host.token)), me, now())
const ask = (me: Me, token = sale.host.token) =>
  hostAgent(sale.app, token).caller.claim({ ...me, freeLanes: 4, waitSeconds: 0, running: [] })
/** One that is served tells that all is well. */
const report = ({ caller, me }: Pick<Sale['agent'], 'caller' | 'me'> = sale.agent) => {
  const host = { cpuUsage: 10, memoryUsage: 20, diskUsage: 30, load1: 1 }
  return caller.report({ ...me, at: new Date().toISOString(), host, domains: [] })
}
const silentFor = (seconds: number) =>
  sale.app.db
    .updateTable('host_heartbeats')
    .set({ last_seen_at: sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})` })
    .execute()

const tooOld = '代理版本过旧，请升级'
const tooNew = '代理版本比门户新，请先升级门户'

describe('an agent whose protocol is not served', () => {
  test('is refused each time, and one finding says which, of what version, and what is served', async () => {
    const me = startOf(protocolVersion - 2)
    for (let calls = 0; calls < 3; calls++) await expect(admit(me)).rejects.toThrow(tooOld)
    expect(await all()).toMatchObject([
      {
        host_id: sale.host.id,
        kind: 'outdated-agent',
        subject: sale.host.id,
        details: { agentVersion: '0.9.0', agentProtocol: protocolVersion - 2, servedProtocols: [protocolVersion] },
        resolved_at: null,
      },
    ])
  })

  test('newer than the API is another kind, for the other side is to be upgraded', async () => {
    const me = startOf(protocolVersion + 1, '2.0.0')
    for (let calls = 0; calls < 3; calls++) await expect(ask(me)).rejects.toThrow(tooNew)
    expect(await all()).toMatchObject([
      { kind: 'newer-agent', details: { agentVersion: '2.0.0', agentProtocol: protocolVersion + 1 } },
    ])
  })

  test('is told of once by calls that come at once, and is written again once a minute at most', async () => {
    const me = startOf(protocolVersion - 2)
    const heard: Notification[] = []
    onCommit(sale.app.db, (notifications) => heard.push(...notifications))
    await Promise.allSettled([admit(me), admit(me), admit(me), admit(me)])
    expect(await open()).toEqual(['outdated-agent'])
    const first = await all()
    heard.splice(0)
    sale.app.advance(59_000)
    await expect(admit(me)).rejects.toThrow(tooOld)
    expect([await all(), heard]).toEqual([first, []])
    sale.app.advance(2_000)
    await expect(admit(me)).rejects.toThrow(tooOld)
    const [again] = await all()
    expect(again?.first_seen_at).toEqual(first[0]?.first_seen_at)
    expect(again?.last_seen_at.getTime()).toBeGreaterThan(must(first[0]).last_seen_at.getTime())
  })

  test('that is replaced by one that is too new is not told of as too old any more', async () => {
    await expect(admit(startOf(protocolVersion - 2))).rejects.toThrow(tooOld)
    await expect(ask(startOf(protocolVersion + 1))).rejects.toThrow(tooNew)
    expect(await open()).toEqual(['newer-agent'])
  })

  test('shows at its host, which takes nothing new, and is over with the first report of one that is served', async () => {
    const next = hostAgent(sale.app, sale.host.token, sale.agent)
    await expect(ask({ ...next.me, protocol: protocolVersion + 1 })).rejects.toThrow(tooNew)
    expect((await readHost(sale.app.db, sale.host.id)).trouble).toMatchObject({
      level: 'away',
      kinds: ['newer-agent'],
    })
    const id = await sale.place()
    expect((await sale.lin.post(`/orders/${id}/pay`)).body).toMatchObject({ code: 'NO_STOCK' })
    // The API was upgraded: the same start goes on.
    await next.claim()
    await report(next)
    expect(await open()).toEqual([])
    expect((await readHost(sale.app.db, sale.host.id)).trouble).toBeNull()
    expect((await sale.lin.post(`/orders/${id}/pay`)).status).toBe(200)
  })

  test('is over too where the one that is served cannot reach its hypervisor, and where it is the same start', async () => {
    // For a moment a process of the version before answered.
    await expect(ask({ ...sale.agent.me, protocol: protocolVersion + 1 })).rejects.toThrow(tooNew)
    expect(await open()).toEqual(['newer-agent'])
    await sale.agent.reportAway('libvirt')
    expect(await open()).toEqual(['libvirt-away'])
  })
})

describe('nothing is said of a host', () => {
  test('by whoever has no token of it', async () => {
    const me = startOf(protocolVersion + 1)
    for (const token of ['', 'no such token at all', sale.host.id])
      await expect(ask(me, token)).rejects.toThrow('请先登录')
    const { caller } = hostAgent(sale.app, '')
    const capacity = {
      hypervisor: 'virsh',
      hypervisorVersion: '9',
      cpuCores: 8,
      memoryMb: 16_000,
      diskGb: 500,
    } as const
    const enrolment = { enrolmentToken: 'no such token at all', hostname: 'host-10.9.0', capacity }
    await expect(caller.enrol({ ...me, ...enrolment })).rejects.toThrow(tooNew)
    expect(await all()).toEqual([])
  })

  test('by the agent of one that was retired or whose token was revoked; what was said is over with a host', async () => {
    const me = startOf(protocolVersion + 1)
    await expect(ask(me)).rejects.toThrow(tooNew)
    expect(await open()).toEqual(['newer-agent'])
    for (const status of ['DRAINING', 'RETIRED'])
      expect((await sale.admin.put(`/hosts/${sale.host.id}/status`, { status })).status).toBe(200)
    await sweep(sale.app.deps)
    expect(await open()).toEqual([])
    await expect(ask(me)).rejects.toThrow('请先登录')
    await sweep(sale.app.deps)
    expect(await open()).toEqual([])
  })

  test('by a second agent while the host’s own is heard, or on another machine: that is what is said', async () => {
    const others = [
      { ...startOf(protocolVersion - 2), before: [] },
      { ...startOf(protocolVersion - 2), machineId: 'machine-2' },
    ]
    for (const other of others) await expect(admit(other)).rejects.toThrow(tooOld)
    expect(await open()).toEqual(['second-agent', 'second-agent'])
    expect((await readHost(sale.app.db, sale.host.id)).trouble).toBeNull()
  })
})

describe('administrators are mailed', () => {
  const letters = async () => {
    await sweep(sale.app.deps)
    const { db, vault, config } = sale.app.deps
    const mails = (await sale.alerts()).filter(({ userId }) => userId === sale.admin.user.id)
    await sql`delete from graphile_worker._private_jobs where payload->>'template' = 'operatorAlert'`.execute(db)
    return Promise.all(mails.map((mail) => composeMail(db, vault, mail, config.publicUrl)))
  }

  test('why a host is not heard, not that it is not, and what to do', async () => {
    await expect(admit(startOf(protocolVersion - 2))).rejects.toThrow(tooOld)
    // Its silence began before it was refused, and is not told first.
    await silentFor(alertAfterMinutes * 60 + 20)
    sale.app.advance((alertAfterMinutes - 1) * 60_000)
    expect(await letters()).toEqual([])
    sale.app.advance(60_000)
    const [letter, ...more] = await letters()
    expect(more).toEqual([])
    expect(letter).toMatchObject({ subject: '告警：代理版本过旧 host-10.9.0' })
    expect(letter?.text).toContain('systemctl restart vps-agent')
  })

  test('of a silence that was told before its end, not when it turns out why', async () => {
    await silentFor(alertAfterMinutes * 60)
    expect((await letters()).map((letter) => letter?.subject)).toEqual(['告警：宿主机失联 host-10.9.0'])
    await expect(admit(startOf(protocolVersion - 2))).rejects.toThrow(tooOld)
    sale.app.advance(60 * 60_000)
    expect((await letters()).map((letter) => letter?.subject)).toEqual(['告警：代理版本过旧 host-10.9.0'])
  })
})
