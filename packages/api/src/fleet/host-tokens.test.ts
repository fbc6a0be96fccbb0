import { afterEach, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { call, person, type Person } from '../testing/people.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let admin: Person
let host: { id: string; token: string }
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  admin = await person(app, 'boss', { admin: true })
  host = await addHost(app, shop)
})
afterEach(() => app.close())

const revoke = () => call(app, 'DELETE', `/hosts/${host.id}/token`, { token: admin.token })
const renew = () => admin.post(`/hosts/${host.id}/enrolment`)

test.each([
  ['a revoked token', revoke],
  ['the token before a new enrolment command', renew],
])('%s is cut off at once, also where its holder waits for work', async (_name, act) => {
  const thief = hostAgent(app, host.token)
  const look = { ...thief.me, freeLanes: 4, waitSeconds: 25, running: [] }
  await thief.report('01900000-0000-7000-8000-000000000000', 'on')
  const waiting = thief.caller.claim(look).then(
    () => 'answered',
    (error: Error) => error.message,
  )
  const seen = async () =>
    (await app.db.selectFrom('hosts').select('instance_id').executeTakeFirstOrThrow()).instance_id
  await expect.poll(() => seen()).toBe(thief.me.instanceId)
  expect((await act()).status).toBe(200)
  expect(await waiting).toBe('请先登录')
  await expect(thief.inventory()).rejects.toThrow('请先登录')
  await expect(thief.claim()).rejects.toThrow('请先登录')
})

test('after a revocation only a new enrolment brings the host back, and an old command does not', async () => {
  const old = (await renew()).body.data.token
  await revoke()
  const enrol = (enrolmentToken: string) => {
    const capacity = {
      hypervisor: 'virsh',
      hypervisorVersion: '9',
      cpuCores: 8,
      memoryMb: 16_000,
      diskGb: 500,
    } as const
    const anybody = hostAgent(app, '')
    const enrolled = anybody.caller.enrol({ ...anybody.me, enrolmentToken, hostname: 'kvm', capacity })
    return enrolled.then(({ hostToken }) => hostAgent(app, hostToken, anybody))
  }
  await expect(enrol(old)).rejects.toThrow('请先登录')
  const agent = await enrol((await renew()).body.data.token)
  await agent.inventory()
  const actions = (await app.db.selectFrom('audit_log').select('action').execute()).map(({ action }) => action)
  expect(actions).toContain('host.revoke-token')
})
