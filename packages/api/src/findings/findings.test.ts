import { randomUUID } from 'node:crypto'
import { noFirewall } from '@vps/shared/firewall'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { call } from '../testing/people.js'
import { everyRow } from '../testing/rows.js'
import { openSale, type Sale } from '../testing/sale.js'
import { recordFinding, reconcileFindings, resolveOf, resolveStale } from './findings.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale()))
afterEach(() => sale.app.close())

const now = () => sale.app.deps.now()
const all = () => sale.app.db.selectFrom('findings').selectAll().orderBy('first_seen_at').orderBy('subject').execute()
const open = async () => (await all()).filter(({ resolved_at }) => resolved_at === null).map(({ subject }) => subject)
const stray = (subject: string, details: object = {}) =>
  ({ kind: 'stray-domain', subject, details: { ...details } }) as const
const look = (...subjects: string[]) => {
  sale.app.advance(1000)
  return inTx(sale.app.db, (tx) =>
    reconcileFindings(
      tx,
      { hostId: sale.host.id, kinds: ['stray-domain', 'stray-volume'], seen: subjects.map((one) => stray(one)) },
      now(),
    ),
  )
}
const note = (finding: object = {}) => {
  sale.app.advance(1000)
  return inTx(sale.app.db, (tx) =>
    recordFinding(tx, { hostId: sale.host.id, kind: 'second-agent', subject: 'm', details: {}, ...finding }, now()),
  )
}

test('a domain that no place explains becomes a finding, and is resolved when it is gone', async () => {
  const domain = { uuid: sale.lin.user.id, name: 'stray', power: 'on' as const, generation: null, macs: [] }
  await sale.agent.inventory({ domains: [domain] })
  await sale.agent.inventory({ domains: [domain] })
  expect(await open()).toEqual([domain.uuid])
  await sale.agent.inventory()
  expect(await open()).toEqual([])
})

test('what an act changed while a host was read, and what is told late, is no difference', async () => {
  const began = new Date()
  const serverId = await sale.serverOf(await sale.buyActive())
  await sale.agent.inventory({}, began)
  expect(await open()).toEqual([])
  await sale.agent.inventory()
  expect(await open()).toEqual([serverId])
})

describe('a finding', () => {
  test('seen again is the same, with its first moment and its newest details', async () => {
    await note({ details: { n: 1 } })
    await note({ details: { n: 2 } })
    const [finding, ...more] = await all()
    expect(more).toEqual([])
    expect(finding).toMatchObject({ details: { n: 2 }, resolved_at: null })
    expect(finding!.last_seen_at.getTime()).toBeGreaterThan(finding!.first_seen_at.getTime())
  })

  test('of the shop as a whole is one, too, however many processes note it at once, and goes by its own subject', async () => {
    const clock = { hostId: null, kind: 'wrong-clock' } as const
    await Promise.all([1, 2, 3].map(() => note({ ...clock, subject: 'api-1' })))
    await note({ ...clock, subject: 'api-2' })
    expect(await open()).toEqual(['api-1', 'api-2'])
    await inTx(sale.app.db, (tx) => resolveOf(tx, 'brake', 'api-1', now()))
    expect(await open()).toHaveLength(2)
    await inTx(sale.app.db, (tx) => resolveOf(tx, 'wrong-clock', 'api-1', now()))
    expect(await open()).toEqual(['api-2'])
  })

  test('that resolved and is seen again is a new one', async () => {
    for (const seen of [['a'], [], ['a']]) await look(...seen)
    expect((await all()).map(({ resolved_at }) => resolved_at === null)).toEqual([false, true])
  })

  test('is one, however often one look tells it; what a look does not tell has gone, of its kinds and its host alone', async () => {
    await note()
    await look('a', 'a', 'b')
    expect(await open()).toEqual(['m', 'a', 'b'])
    await look('b', 'c')
    expect(await open()).toEqual(['m', 'b', 'c'])
    await look()
    expect(await open()).toEqual(['m'])
  })

  test('that nobody looks for is over ten minutes after it last happened', async () => {
    await note()
    const { last_seen_at } = (await all())[0]!
    const settle = (ms: number) =>
      inTx(sale.app.db, (tx) => resolveStale(tx, sale.host.id, ['second-agent'], new Date(last_seen_at.getTime() + ms)))
    await settle(600_000)
    expect(await open()).toEqual(['m'])
    await settle(600_001)
    expect(await open()).toEqual([])
  })

  test('tells of thousands of differences as one thing more, and keeps the first thousand', async () => {
    const domains = Array.from({ length: 1_001 }, (_, n) => ({
      uuid: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
      name: `d${n}`,
      power: 'on' as const,
      generation: null,
      macs: [],
    }))
    await sale.agent.inventory({ domains: domains.slice(0, 1_000) })
    expect(await open()).toHaveLength(1_000)
    await sale.agent.inventory({ domains })
    const many = (await all()).find(({ kind }) => kind === 'many-differences')
    expect([(await open()).length, many?.details]).toEqual([1_001, { found: 1_001, shown: 1_000 }])
  })
})

describe('an operator', () => {
  const list = async (query = '') => (await sale.admin.get(`/findings?${query}`)).body.data.content
  const act = (what: 'clean' | 'redefine' | 'apply-firewall' | 'resolve', id: string, who = sale.admin) =>
    who.post(`/findings/${id}/${what}`)
  const domain = (uuid: string, more: object = {}) => ({
    uuid,
    name: uuid,
    power: 'on' as const,
    generation: null,
    macs: [],
    ...more,
  })

  test('reads what is open, or everything, what was found last first', async () => {
    await look('a')
    await look('b')
    expect((await list()).map(({ subject }: { subject: string }) => subject)).toEqual(['b'])
    expect((await list('open=false')).map(({ subject }: { subject: string }) => subject)).toEqual(['b', 'a'])
    expect((await list())[0]).toMatchObject({ hostName: 'host-10.9.0', cleanable: false, resolvedAt: null })
    expect(await list('kind=paid-twice')).toEqual([])
    expect(await list('kind=stray-domain&open=false')).toHaveLength(2)
    expect((await sale.lin.get('/findings')).status).toBe(403)
  })

  test('resolves one once; what is not there, or over, is not found, and customers resolve nothing', async () => {
    await look('a')
    const [{ id }] = await list()
    expect((await act('resolve', id, sale.lin)).status).toBe(403)
    expect((await act('resolve', id)).status).toBe(200)
    expect((await sale.admin.get(`/findings/${id}`)).body.data).toMatchObject({
      subject: 'a',
      resolvedAt: expect.any(String),
    })
    expect((await sale.admin.get(`/findings/${randomUUID()}`)).status).toBe(404)
    expect((await act('resolve', id)).body.message).toBe('该发现项已处理或不存在')
    const before = await everyRow(sale.app)
    for (const what of ['resolve', 'clean', 'redefine', 'apply-firewall'] as const)
      for (const which of [id, randomUUID()]) expect((await act(what, which)).body.code).toBe('NOT_FOUND')
    expect((await call(sale.app, 'POST', `/findings/${id}/resolve`)).status).toBe(401)
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('cleans only what was a server of ours and has no place there, with a sentence for the rest', async () => {
    const serverId = await sale.serverOf(await sale.buyActive())
    await note({ kind: 'stray-domain', subject: uuidv7() })
    await note({ kind: 'stray-volume', subject: 'backup.qcow2' })
    await note({ kind: 'stray-domain', subject: serverId })
    await note({ kind: 'missing-domain', subject: serverId })
    const before = await everyRow(sale.app)
    const messages: string[] = []
    for (const { id } of (await list()).toReversed()) {
      const { status, body } = await act('clean', id)
      expect([status, body.code]).toEqual([409, 'NOT_SUPPORTED'])
      messages.push(body.message)
    }
    const foreign = '不是本系统创建的对象，请在宿主机上处理'
    expect(messages).toEqual([foreign, foreign, '该服务器在这台宿主机上仍有位置，不能清理', foreign])
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('cleans what a server left behind, once, beside no other act on it there', async () => {
    const id = await sale.buyActive()
    const serverId = await sale.serverOf(id)
    await sale.app.db.updateTable('placements').set({ state: 'freed', releasing_at: now(), freed_at: now() }).execute()
    await sale.agent.inventory({ volumes: [{ name: `${serverId}.0.1.qcow2`, bytes: 1 }] })
    const [finding] = await list()
    expect(finding).toMatchObject({ kind: 'stray-volume', serverId, orderId: id, cleanable: true })
    const replies = await Promise.all([1, 2, 3].map(() => act('clean', finding.id)))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    const job = await sale.agent.claim()
    expect(job).toMatchObject({ serverId, payload: { kind: 'destroy' }, secrets: null })
    await sale.agent.finish(job!, { power: 'absent' })
    await sale.agent.inventory()
    expect(await open()).toEqual([])
  })

  test('has a missing machine defined anew, running as its order says, and no other kind of finding', async () => {
    const orderId = await sale.buyActive()
    const serverId = await sale.serverOf(orderId)
    await sale.agent.inventory({ domains: [domain(uuidv7())] })
    const found = await list()
    const byKind = (kind: string) => found.find((one: { kind: string }) => one.kind === kind).id
    expect((await act('redefine', byKind('stray-domain'))).body.code).toBe('NOT_SUPPORTED')
    await sale.app.db.updateTable('orders').set({ status: 'SUSPENDED', suspend_reason: 'unpaid' }).execute()
    expect((await act('redefine', byKind('missing-domain'))).status).toBe(200)
    expect((await act('redefine', byKind('missing-domain'))).body.code).toBe('LOCKED')
    const job = await sale.agent.claim()
    expect(job).toMatchObject({
      serverId,
      payload: { kind: 'redefine', start: false, machine: { sshPort: 2222, sshKeys: [] } },
    })
    await sale.agent.finish(job!)
    await sale.app.db.updateTable('placements').set({ state: 'releasing', releasing_at: now() }).execute()
    const before = await everyRow(sale.app)
    expect((await act('redefine', byKind('missing-domain'))).body.code).toBe('NOT_SUPPORTED')
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('has the rules that were saved last applied again, and told once', async () => {
    const serverId = await sale.serverOf(await sale.buyActive())
    const rules = { server_id: serverId, revision: 4, applied_revision: 4, firewall: JSON.stringify(noFirewall) }
    await sale.app.db
      .insertInto('firewalls')
      .values({ ...rules, updated_at: now() })
      .execute()
    const changed = { hostId: sale.host.id, kind: 'changed-firewall', subject: serverId, details: {} } as const
    await inTx(sale.app.db, (tx) => recordFinding(tx, changed, now()))
    const [{ id }] = await list()
    expect((await act('redefine', id)).body.code).toBe('NOT_SUPPORTED')
    const replies = await Promise.all([1, 2, 3].map(() => act('apply-firewall', id)))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    const job = await sale.agent.claim()
    expect(job).toMatchObject({ serverId, payload: { kind: 'applyFirewall', revision: 4, firewall: noFirewall } })
  })
})
