import { afterEach, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { statementsOf } from '../testing/plans.js'
import { addHost, openShop } from '../testing/shop.js'

let app: TestApp
beforeEach(async () => void (app = await startApp()))
afterEach(() => app.close())

test('however many strays a host reports, taking them is as many statements, and a bounded number of findings', async () => {
  const agent = hostAgent(app, (await addHost(app, await openShop(app))).token)
  const strays = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `stray-${n}.qcow2`, bytes: 1 }))
  const few = await statementsOf(app, async () => void (await agent.inventory({ volumes: strays(3) })))
  const many = await statementsOf(app, async () => void (await agent.inventory({ volumes: strays(20_000) })))
  expect(many.length).toBeLessThanOrEqual(few.length)
  const open = await app.db
    .selectFrom('findings')
    .select(['kind', 'details'])
    .where('resolved_at', 'is', null)
    .execute()
  expect(open).toHaveLength(1_001)
  expect(open.find(({ kind }) => kind === 'many-differences')?.details).toEqual({ found: 20_000, shown: 1_000 })
  await agent.inventory()
  const left = await app.db.selectFrom('findings').select('id').where('resolved_at', 'is', null).execute()
  expect(left).toEqual([])
})

test('a report whose names have no end is refused as a whole, and changes nothing', async () => {
  const agent = hostAgent(app, (await addHost(app, await openShop(app))).token)
  await expect(agent.inventory({ volumes: [{ name: 'x'.repeat(300), bytes: 1 }] })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })
  expect(await app.db.selectFrom('findings').select('id').execute()).toEqual([])
})
