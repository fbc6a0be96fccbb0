import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.js'
import type { Person } from '../testing/people.js'
import { openSale, type HostAgent } from '../testing/sale.js'

let app: TestApp
let lin: Person
let agent: HostAgent
beforeEach(async () => void ({ app, lin, agent } = await openSale()))
afterEach(() => app.close())

test('a domain that no place explains becomes a finding, and is resolved when it is gone', async () => {
  const stray = { uuid: lin.user.id, name: 'stray', power: 'on' as const, generation: null, macs: [] }
  await agent.inventory({ domains: [stray] })
  await agent.inventory({ domains: [stray] })
  const open = () => app.db.selectFrom('findings').select('kind').where('resolved_at', 'is', null).execute()
  expect(await open()).toEqual([{ kind: 'stray-domain' }])
  await agent.inventory()
  expect(await open()).toEqual([])
})
