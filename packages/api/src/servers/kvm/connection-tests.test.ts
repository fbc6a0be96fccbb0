import { inTx } from '../../db/tx.js'
import { sql } from 'kysely'
import {
  awaitConnectionTest,
  claimConnectionTests,
  deleteConnectionTests,
  enqueueConnectionTest,
  enqueueRoutineTests,
  finishConnectionTest,
} from './connection-tests.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../testing/app.js'
import type { Person } from '../../testing/people.js'
import { everyRow } from '../../testing/rows.js'
import { addHost, type Shop } from '../../testing/shop.js'
import { openSale, type HostAgent, type Sale } from '../../testing/sale.js'

let app: TestApp
let lin: Person
let agent: HostAgent
let order: Sale['order']
let buyActive: Sale['buyActive']
let serverOf: Sale['serverOf']
let host: Sale['host']
let shop: Shop
beforeEach(async () => void ({ app, lin, agent, order, buyActive, serverOf, host, shop } = await openSale()))
afterEach(() => app.close())

describe('a running server', () => {
  test('is tried on its SSH port once a minute, by its own host, however many processes ask', async () => {
    const id = await buyActive()
    const tests = async () =>
      (await agent.caller.claim({ ...agent.me, freeLanes: 0, waitSeconds: 0, running: [] })).connectionTests
    await Promise.all([1, 2, 3].map(() => inTx(app.db, (tx) => enqueueRoutineTests(tx, new Date()))))
    await inTx(app.db, (tx) => enqueueRoutineTests(tx, new Date()))
    const [asked, ...more] = await tests()
    expect([asked, more.length]).toMatchObject([{ address: '10.9.0.2', port: 2222 }, expect.any(Number)])
    await agent.caller.connectionTested({
      ...agent.me,
      id: asked!.id,
      sshConnectable: true,
      latencyMs: 4,
      at: new Date().toISOString(),
    })
    await inTx(app.db, (tx) => enqueueRoutineTests(tx, new Date()))
    expect(await tests()).toEqual([])
    const { serverId } = await order(id)
    expect((await lin.get(`/server-management/${serverId}/monitoring`)).body.data.sshConnectable).toBe(true)
  })
})

describe('a connection test', () => {
  const now = () => app.deps.now()
  const ask = (serverId: string, at = now()) => inTx(app.db, (tx) => enqueueConnectionTest(tx, serverId, at))
  const handOut = (hostId: string) => inTx(app.db, (tx) => claimConnectionTests(tx, hostId))
  const finish = (id: string, hostId: string, sshConnectable = true, latencyMs: number | null = 12.6) =>
    inTx(app.db, (tx) => finishConnectionTest(tx, hostId, { id, sshConnectable, latencyMs }))
  const rows = () => app.db.selectFrom('connection_tests').selectAll().orderBy('asked_at').execute()
  const server = () => app.db.selectFrom('servers').selectAll().executeTakeFirstOrThrow()
  let serverId: string
  let hostId: string
  beforeEach(async () => {
    serverId = await serverOf(await buyActive())
    hostId = host.id
  })

  test('that is under way is shared by whoever asks meanwhile, and by nobody after eight seconds', async () => {
    const began = now()
    const after = (ms: number) => new Date(began.getTime() + ms)
    const [first, ...more] = await Promise.all([1, 2, 3, 4].map(() => ask(serverId, began)))
    expect(new Set(more)).toEqual(new Set([first]))
    expect(await ask(serverId, after(7_999))).toBe(first)
    expect(await ask(serverId, after(8_000))).not.toBe(first)
    expect(await rows()).toHaveLength(2)
  })

  test('is of the address and port of the machine, by the host that has it, handed out once', async () => {
    const id = await ask(serverId)
    expect(await handOut((await addHost(app, shop, { network: '10.8.0' })).id)).toEqual([])
    expect(await handOut(hostId)).toEqual([{ id, address: '10.9.0.2', port: 2222 }])
    expect(await handOut(hostId)).toEqual([])
  })

  test('that nobody waits for any more is not handed out', async () => {
    await ask(serverId)
    await app.db
      .updateTable('connection_tests')
      .set({ asked_at: sql<Date>`clock_timestamp() - interval '31 seconds'` })
      .execute()
    expect(await handOut(hostId)).toEqual([])
  })

  test('is answered by its own host alone; the answer is kept with the server', async () => {
    const id = await ask(serverId)
    const other = (await addHost(app, shop, { network: '10.8.0' })).id
    await finish(id, other)
    expect([(await rows())[0]?.done_at, (await server()).ssh_connectable]).toEqual([null, null])
    await finish(id, hostId)
    expect((await rows())[0]).toMatchObject({ ssh_connectable: true, latency_ms: 13, done_at: expect.any(Date) })
    expect(await server()).toMatchObject({ ssh_connectable: true, ssh_checked_at: expect.any(Date) })
    expect(await inTx(app.db, (tx) => awaitConnectionTest(tx, id))).toMatchObject({
      sshConnectable: true,
      latencyMs: 13,
    })
    const refused = await ask(serverId)
    await finish(refused, hostId, false, null)
    expect(await inTx(app.db, (tx) => awaitConnectionTest(tx, refused))).toMatchObject({
      sshConnectable: false,
      latencyMs: null,
    })
    expect((await server()).ssh_connectable).toBe(false)
  })

  test('of a server without a place is refused, and changes nothing', async () => {
    await app.db.updateTable('placements').set({ state: 'releasing', releasing_at: new Date() }).execute()
    const before = await everyRow(app)
    await expect(ask(serverId)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
    expect(await everyRow(app)).toBe(before)
  })

  test('by routine is asked of what runs and is set up, not of what was tried lately', async () => {
    const due = async (change: object) => {
      await app.db.deleteFrom('connection_tests').execute()
      await app.db
        .updateTable('servers')
        .set({ power: 'on', install_status: 'COMPLETED', ssh_checked_at: null, ...change })
        .execute()
      await inTx(app.db, (tx) => enqueueRoutineTests(tx, now()))
      return (await rows()).length
    }
    const ago = (seconds: number) => sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`
    expect(await due({})).toBe(1)
    expect(await due({ power: 'off' })).toBe(0)
    expect(await due({ power: 'unknown' })).toBe(0)
    expect(await due({ install_status: 'INSTALLING' })).toBe(0)
    expect(await due({ ssh_checked_at: ago(40) })).toBe(0)
    expect(await due({ ssh_checked_at: ago(55) })).toBe(1)
  })

  test('is forgotten when it is old, whether it was answered or not', async () => {
    await ask(serverId)
    const forget = (before: Date) => inTx(app.db, (tx) => deleteConnectionTests(tx, before))
    const { asked_at } = (await rows())[0]!
    await forget(asked_at)
    expect(await rows()).toHaveLength(1)
    await forget(new Date(asked_at.getTime() + 1))
    expect(await rows()).toEqual([])
  })
})
