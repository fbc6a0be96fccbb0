import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sweep } from '../../schedule/sweep.js'
import type { TestApp } from '../../testing/app.js'
import { openDedicated, type Dedicated } from '../../testing/dedicated.js'
import { call, type Person } from '../../testing/people.js'
import type { Shop } from '../../testing/shop.js'
import type { SshMachine } from '../../testing/ssh-machine.js'

let app: TestApp
let shop: Shop
let lin: Person
let admin: Person
let machine: SshMachine
let serverId: string
let work: Dedicated['work']
let workAll: Dedicated['workAll']
let testAgain: Dedicated['testAgain']
let buy: Dedicated['buy']
let order: Dedicated['order']
let row: Dedicated['row']
let jobsNow: Dedicated['jobsNow']
let suspend: Dedicated['suspend']
let resume: Dedicated['resume']
let close: Dedicated['close']
beforeEach(
  async () =>
    void ({
      app,
      shop,
      lin,
      admin,
      machine,
      serverId,
      work,
      workAll,
      testAgain,
      buy,
      order,
      row,
      jobsNow,
      suspend,
      resume,
      close,
    } = await openDedicated()),
)
afterEach(() => close())

describe('a dedicated server', () => {
  test('is locked by a suspension, so that nobody knows its password, and unlocked by a resumption', async () => {
    const id = await buy()
    await work()
    const set = (status: string) =>
      call(app, 'PUT', `/orders/${id}/status?status=${status}`, { token: admin.token, body: { reason: '测试' } })
    expect((await set('SUSPENDED')).status).toBe(200)
    await work()
    expect(['Secret-pass-1', 'As-delivered-1']).not.toContain(machine.password)
    expect(machine.commands.some((command) => command.includes('pkill'))).toBe(true)
    expect((await set('ACTIVE')).status).toBe(200)
    await work()
    expect(machine.password).toBe('Secret-pass-1')
  })

  test('that could not be locked for three tries is locked once it is reachable again, with a pause and one job', async () => {
    const id = await buy()
    await work()
    await machine.goAway()
    await suspend(id)
    await workAll()
    expect(await jobsNow('FAILED')).toMatchObject([{ kind: 'stop', attempt: 3 }])
    await testAgain()
    app.advance(11 * 60_000)
    await sweep(app.deps)
    expect(await jobsNow('QUEUED')).toEqual([])
    await machine.comeBack()
    await testAgain()
    await Promise.all([sweep(app.deps), sweep(app.deps)])
    expect(await jobsNow('QUEUED')).toMatchObject([{ kind: 'stop', payload: { ssh: 'lock' } }])
    await work()
    expect(machine.password).not.toBe('Secret-pass-1')
    expect((await row()).locked_secret_id).not.toBeNull()
    app.advance(11 * 60_000)
    await testAgain()
    await sweep(app.deps)
    expect(await jobsNow('QUEUED')).toEqual([])
  })

  test('that keeps failing to be locked is not asked more often than every 10 minutes', async () => {
    const id = await buy()
    await work()
    machine.broken = true
    await suspend(id)
    await workAll()
    await testAgain()
    app.advance(9 * 60_000)
    await sweep(app.deps)
    expect(await jobsNow('QUEUED')).toEqual([])
    app.advance(2 * 60_000)
    await sweep(app.deps)
    expect(await jobsNow('QUEUED')).toHaveLength(1)
  })

  test('whose lock was set without our hearing of it is known all the same: locked for sure, and unlocked', async () => {
    const id = await buy()
    await work()
    machine.loseAnswers = true
    await suspend(id)
    await workAll()
    expect(machine.password).not.toBe('Secret-pass-1')
    expect(await row()).toMatchObject({ locked_secret_id: null, power: 'on' })
    machine.loseAnswers = false
    await testAgain()
    expect(await row()).toMatchObject({ ssh_connectable: true })
    app.advance(11 * 60_000)
    await sweep(app.deps)
    await work()
    expect((await row()).locked_secret_id).not.toBeNull()
    await resume(id)
    await work()
    expect(machine.password).toBe('Secret-pass-1')
    expect((await row()).locked_secret_id).toBeNull()
  })

  test('that could not be unlocked when its order came back is unlocked once it is reachable again', async () => {
    const id = await buy()
    await work()
    await suspend(id)
    await work()
    await machine.goAway()
    await resume(id)
    await workAll()
    expect(await jobsNow('FAILED')).toMatchObject([{ kind: 'start' }])
    await machine.comeBack()
    await testAgain()
    app.advance(11 * 60_000)
    await sweep(app.deps)
    await work()
    expect(machine.password).toBe('Secret-pass-1')
    expect((await row()).locked_secret_id).toBeNull()
  })

  test('that was never locked waits for cleaning when its order expires, and is for sale once it was made anew', async () => {
    const id = await buy({ autoRenewal: false })
    await work()
    await machine.goAway()
    app.advance(Date.parse((await order(id)).expiresAt) - app.deps.now().getTime())
    await sweep(app.deps)
    await workAll()
    app.advance(72 * 3600_000)
    await sweep(app.deps)
    expect((await order(id)).status).toBe('EXPIRED')
    expect(await row()).toMatchObject({ is_sold: true, needs_cleaning: true, order_id: null, locked_secret_id: null })
    await machine.comeBack()
    await sweep(app.deps)
    expect([...(await jobsNow('QUEUED')), ...(await jobsNow('RUNNING'))]).toEqual([])
    machine.password = 'Made-anew-11'
    await machine.changeHostKey()
    const dedicated = { groupId: shop.groupId, ip: '127.0.0.1', port: machine.port, username: 'root', isSold: false }
    const made = { operatingSystem: 'debian 12', cpuCores: 4, memory: 8, diskSpace: 100, password: machine.password }
    expect((await admin.put(`/servers/${serverId}`, { ...dedicated, ...made })).status).toBe(200)
    await testAgain()
    expect(await row()).toMatchObject({ is_sold: false, needs_cleaning: false, ssh_connectable: true })
  })

  test('that is refunded while it could not be locked waits for cleaning, and nothing more is asked of it', async () => {
    const id = await buy()
    await work()
    await machine.goAway()
    await lin.post(`/orders/${id}/refund`, { reason: '不再需要' })
    await suspend(id)
    await workAll()
    const request = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    expect((await admin.post(`/refunds/${request.id}/approve`, { reason: '同意' })).status).toBe(200)
    expect(await row()).toMatchObject({ is_sold: true, needs_cleaning: true, order_id: null })
    await machine.comeBack()
    app.advance(11 * 60_000)
    await sweep(app.deps)
    expect(await jobsNow('QUEUED')).toEqual([])
  })
})
