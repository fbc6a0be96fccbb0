import { sql } from 'kysely'
import { heldSeconds } from '@vps/shared/agent'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { addHost, openShop } from '../testing/shop.js'

let app: TestApp
let token: string
beforeEach(async () => {
  app = await startApp()
  token = (await addHost(app, await openShop(app))).token
})
afterEach(() => app.close())

const taken = '该宿主机已有另一个代理在运行'
const findings = () => app.db.selectFrom('findings').select(['kind', 'subject']).execute()
/** By the database's clock. */
const silentFor = (seconds: number) =>
  app.db
    .updateTable('host_heartbeats')
    .set({ last_seen_at: sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})` })
    .execute()

describe('two agents with one token', () => {
  test('the first one keeps the host as long as it is heard, however often the other starts, and one finding says so', async () => {
    const first = hostAgent(app, token)
    await first.inventory()
    let second = hostAgent(app, token)
    for (let starts = 0; starts < 3; starts++) {
      await expect(second.claim()).rejects.toThrow(taken)
      await expect(second.inventory()).rejects.toThrow(taken)
      await first.claim()
      await first.inventory()
      second = hostAgent(app, token, second)
    }
    expect(await findings()).toEqual([{ kind: 'second-agent', subject: 'machine-1' }])
  })

  test('the other one takes the host over when the first is gone, and the first is the second then', async () => {
    const [first, second] = [hostAgent(app, token), hostAgent(app, token)]
    await first.inventory()
    await silentFor(heldSeconds - 1)
    await expect(second.claim()).rejects.toThrow(taken)
    // It may have just booted: nothing shows that two live.
    expect(await findings()).toEqual([])
    await silentFor(heldSeconds + 1)
    await second.claim()
    await expect(first.inventory()).rejects.toThrow(taken)
    await second.inventory()
  })

  test('of two that come at once when it is free, one has it', async () => {
    await hostAgent(app, token).inventory()
    await silentFor(heldSeconds + 1)
    const claims = [hostAgent(app, token), hostAgent(app, token), hostAgent(app, token)].map((one) => one.claim())
    const answers = await Promise.allSettled(claims)
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  })
})

test('an agent that was started again on its own folder works at once, without a finding', async () => {
  let agent = hostAgent(app, token)
  for (let starts = 0; starts < 3; starts++) {
    await agent.inventory()
    agent = hostAgent(app, token, agent)
    await agent.claim()
  }
  expect(await findings()).toEqual([])
})

test('another machine never takes a host over, however silent it is', async () => {
  const agent = hostAgent(app, token)
  await agent.inventory()
  await silentFor(86_400)
  const stranger = { ...agent.me, machineId: 'machine-2' }
  const look = { freeLanes: 4, waitSeconds: 0, running: [] }
  await expect(agent.caller.claim({ ...stranger, ...look })).rejects.toThrow(taken)
  expect(await findings()).toEqual([{ kind: 'second-agent', subject: 'machine-2' }])
})
