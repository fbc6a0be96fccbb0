import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.js'
import { openSale, type HostAgent, type Sale } from '../testing/sale.js'

let app: TestApp
let agent: HostAgent
let order: Sale['order']
let buy: Sale['buy']
beforeEach(async () => void ({ app, agent, order, buy } = await openSale({ servers: 1 })))
afterEach(() => app.close())

const minute = 60_000

test('a place goes back only after an inventory that began when the clean-up had ended and shows nothing left', async () => {
  const id = await buy()
  const install = (await agent.claim())!
  await agent.finish(install, { ok: false, final: true })
  const freed = async () =>
    (await app.db.selectFrom('placements').select('state').executeTakeFirstOrThrow()).state === 'freed'
  await agent.inventory()
  expect(await freed()).toBe(false)
  const destroy = (await agent.claim())!
  expect(destroy.payload.kind).toBe('destroy')
  const began = new Date(Date.now() - minute)
  await agent.finish(destroy, { power: 'absent' })
  await agent.inventory({}, began)
  expect(await freed()).toBe(false)
  const left = { uuid: install.serverId, name: 'vps', power: 'off' as const, generation: null, macs: [] }
  await agent.inventory({ domains: [left] })
  expect(await freed()).toBe(false)
  await agent.inventory({ volumes: [{ name: `${install.serverId}.qcow2`, bytes: 1 }] })
  expect(await freed()).toBe(false)
  await agent.inventory()
  expect(await freed()).toBe(true)
  const host_ = await app.db.selectFrom('hosts').selectAll().executeTakeFirstOrThrow()
  expect(host_).toMatchObject({ used_cpu: 0, used_memory_mb: 0, used_disk_gb: 0 })
  expect((await order(id)).status).toBe('CANCELLED')
})
