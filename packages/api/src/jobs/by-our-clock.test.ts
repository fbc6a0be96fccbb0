import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSale, type Sale } from '../testing/sale.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale()))
afterEach(() => sale.app.close())

const hour = 3600_000

test.each([
  ['hours behind', -2 * hour],
  ['hours ahead', 2 * hour],
])('a step that began just now on a host whose clock is %s is shown as begun just now', async (_how, skew) => {
  const { agent, app } = sale
  await sale.buy()
  const { id: jobId, attempt } = (await agent.claim())!
  const ago = (seconds: number) => new Date(app.deps.now().getTime() + skew - seconds * 1000).toISOString()
  const step = (startedAt: string, finishedAt: string | null) =>
    [{ name: 'boot', label: '启动', status: 'running', startedAt, finishedAt }] as const
  const told = { ...agent.me, jobId, attempt, percentage: 50 }
  const shown = async () => {
    const { steps } = await app.db.selectFrom('jobs').select('steps').executeTakeFirstOrThrow()
    return steps.map(({ startedAt, finishedAt }) =>
      [startedAt, finishedAt].map((at) => at && Math.round((app.deps.now().getTime() - Date.parse(at)) / hour)),
    )
  }
  await agent.caller.beat({ ...told, at: ago(0), steps: [...step(ago(30), null)] })
  expect(await shown()).toEqual([[0, null]])
  const result = { ok: true, power: 'on', proven: true } as const
  await agent.caller.finish({ ...told, at: ago(0), steps: [...step(ago(60), ago(10))], result })
  expect(await shown()).toEqual([[0, 0]])
})

test('what an agent of the version before tells, or no moment at all, stays as it is', async () => {
  const { agent, app } = sale
  await sale.buy()
  const { id: jobId, attempt } = (await agent.claim())!
  const step = { name: 'boot', label: '启动', status: 'running', finishedAt: null } as const
  const steps = [
    { ...step, startedAt: '2026-01-01T00:00:00.000Z' },
    { ...step, startedAt: 'never' },
  ]
  const shown = async () => (await app.db.selectFrom('jobs').select('steps').executeTakeFirstOrThrow()).steps
  const told = { ...agent.me, jobId, attempt, percentage: 50, steps }
  await agent.caller.beat(told)
  expect(await shown()).toEqual(steps)
  await agent.caller.beat({ ...told, at: '2026-01-01T00:00:00.000Z' })
  expect(await shown()).toMatchObject([{}, { startedAt: 'never' }])
})
