import { sweep } from '../schedule/sweep.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.js'
import type { Person } from '../testing/people.js'
import { openSale, type HostAgent, type Sale } from '../testing/sale.js'

let app: TestApp
let lin: Person
let admin: Person
let agent: HostAgent
let order: Sale['order']
let buyActive: Sale['buyActive']
let toEnd: Sale['toEnd']
beforeEach(async () => void ({ app, lin, admin, agent, order, buyActive, toEnd } = await openSale({ yuan: 31 })))
afterEach(() => app.close())

describe('a server that is not as its order asks', () => {
  test('runs although suspended: it is stopped again, but only when a host has just seen it', async () => {
    const id = await buyActive()
    await toEnd(id)
    await sweep(app.deps)
    await agent.serve({ ok: false, final: true, power: 'unknown' })
    app.advance(20 * 60_000)
    await app.db
      .updateTable('host_heartbeats')
      .set({ inventory_at: new Date(0) })
      .execute()
    await sweep(app.deps)
    expect(await agent.claim()).toBeNull()
    await agent.report((await order(id)).serverId, 'on')
    await Promise.all([sweep(app.deps), sweep(app.deps)])
    expect((await agent.serve({ power: 'off' }))?.payload.kind).toBe('stop')
    app.advance(20 * 60_000)
    await sweep(app.deps)
    expect(await agent.claim()).toBeNull()
  })

  test('is off although its order came back: its start is asked for again; one that its owner stopped stays off', async () => {
    const id = await buyActive()
    const { serverId } = await order(id)
    await admin.put(`/orders/${id}/status?status=SUSPENDED`)
    await agent.serve({ power: 'off' })
    await admin.put(`/orders/${id}/status?status=ACTIVE`)
    await agent.serve({ ok: false, final: true, power: 'off' })
    app.advance(20 * 60_000)
    await agent.report(serverId, 'off')
    await sweep(app.deps)
    expect((await agent.serve())?.payload.kind).toBe('start')
    await lin.post('/server-management/action', { serverId, action: 'stop' })
    await agent.serve({ power: 'off' })
    app.advance(20 * 60_000)
    await agent.report(serverId, 'off')
    await sweep(app.deps)
    expect(await agent.claim()).toBeNull()
  })
})
