import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.js'
import { openSale, type HostAgent, type Sale } from '../testing/sale.js'
import { sweep } from '../schedule/sweep.js'

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

test('while only what is written over is left of a machine, nothing more is asked of its host; then its place goes back', async () => {
  await buy()
  const install = (await agent.claim())!
  await agent.finish(install, { ok: false, final: true })
  expect((await agent.serve({ power: 'absent' }))?.payload.kind).toBe('destroy')
  const wiping = { name: `${install.serverId}.1.1.qcow2.a1b2c3d4.wiping`, bytes: 1 }
  const askedAgain = async (volumes: { name: string; bytes: number }[]) => {
    await agent.inventory({ volumes })
    app.advance(11 * minute)
    await sweep(app.deps)
    return (await agent.serve({ power: 'absent' }))?.payload.kind ?? null
  }
  expect(await askedAgain([wiping])).toBeNull()
  expect(await askedAgain([wiping, { name: `${install.serverId}.1.1.qcow2`, bytes: 1 }])).toBe('destroy')
  expect(await askedAgain([wiping])).toBeNull()
  expect(await askedAgain([])).toBeNull()
  expect((await app.db.selectFrom('placements').select('state').executeTakeFirstOrThrow()).state).toBe('freed')
})

test('a host whose clock is late gives a place back once it is past the end of the clean-up', async () => {
  await buy()
  await agent.finish((await agent.claim())!, { ok: false, final: true })
  expect((await agent.serve({ power: 'absent' }))?.payload.kind).toBe('destroy')
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * minute)
  await app.db
    .updateTable('placements')
    .set({ destroyed_at: minutesAgo(11) })
    .execute()
  await agent.inventory({}, minutesAgo(15))
  app.advance(11 * minute)
  await sweep(app.deps)
  expect((await agent.serve({ power: 'absent' }))?.payload.kind).toBe('destroy')
  await agent.inventory({}, minutesAgo(10))
  expect((await app.db.selectFrom('placements').select('state').executeTakeFirstOrThrow()).state).toBe('freed')
})

test.each([
  ['behind', -8 * 60],
  ['ahead', 8 * 60],
])('a host whose clock is %s by hours gives a place back as soon as any other, and no sooner', async (_, minutes) => {
  await buy()
  await agent.finish((await agent.claim())!, { ok: false, final: true })
  expect((await agent.serve({ power: 'absent' }))?.payload.kind).toBe('destroy')
  const cleanedUpAgo = (seconds: number) =>
    app.db
      .updateTable('placements')
      .set({ destroyed_at: new Date(Date.now() - seconds * 1000) })
      .execute()
  const inventory = () => agent.inventory({ readMs: 40_000 }, new Date(Date.now() + minutes * minute))
  const state = async () => (await app.db.selectFrom('placements').select('state').executeTakeFirstOrThrow()).state
  await cleanedUpAgo(20)
  await inventory()
  expect(await state()).toBe('releasing')
  await cleanedUpAgo(70)
  await inventory()
  expect(await state()).toBe('freed')
})
