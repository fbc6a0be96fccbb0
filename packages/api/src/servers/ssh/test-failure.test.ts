import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDedicated, type Dedicated } from '../../testing/dedicated.js'

let shop: Dedicated
beforeEach(async () => void (shop = await openDedicated()))
afterEach(() => shop.close())

const told = async () => (await shop.admin.get('/servers')).body.data.content[0].testFailure

async function toldAfter(happened: () => unknown): Promise<string | null> {
  await happened()
  await shop.testAgain()
  return told()
}

test('an operator is told why a machine does not let us in, until it does', async () => {
  const { machine } = shop
  expect(await told()).toBeNull()
  expect(await toldAfter(() => (machine.password = 'Another-one-1'))).toBe('refused')
  expect(await toldAfter(() => machine.goAway())).toBe('unreachable')
  expect(await toldAfter(() => machine.comeBack())).toBe('refused')
  machine.password = 'As-delivered-1'
  expect(await toldAfter(() => (machine.runsNothing = true))).toBe('not-done')
  machine.runsNothing = false
  expect(await toldAfter(() => machine.changeHostKey())).toBe('changed-host-key')
  expect((await shop.admin.put(`/servers/${shop.serverId}`, shop.said({ isReimaged: true }))).status).toBe(200)
  expect(await told()).toBeNull()
  expect(await toldAfter(() => {})).toBeNull()
})

test('a password that was entered anew is not blamed before it was tried', async () => {
  const { machine } = shop
  expect(await toldAfter(() => (machine.password = 'Another-one-1'))).toBe('refused')
  expect((await shop.admin.put(`/servers/${shop.serverId}`, shop.said({ password: 'Another-one-1' }))).status).toBe(200)
  expect(await told()).toBeNull()
  expect(await toldAfter(() => {})).toBeNull()
})
