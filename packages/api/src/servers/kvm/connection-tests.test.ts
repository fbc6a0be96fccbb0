import { inTx } from '../../db/tx.js'
import { enqueueRoutineTests } from './connection-tests.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../testing/app.js'
import type { Person } from '../../testing/people.js'
import { openSale, type HostAgent, type Sale } from '../../testing/sale.js'

let app: TestApp
let lin: Person
let agent: HostAgent
let order: Sale['order']
let buyActive: Sale['buyActive']
beforeEach(async () => void ({ app, lin, agent, order, buyActive } = await openSale()))
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
