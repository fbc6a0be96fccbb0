import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { machineAt, makeHostFolder, perform, settingsOf, sshLogin, virsh } from './host.js'

const folder = makeHostFolder()
const serverId = randomUUID()
const password = 'Sleeps-Never-1'
let hypervisor: Hypervisor

const on = (command: string) => sshLogin('10.77.0.2', 2222, password, command)
beforeAll(async () => {
  hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.open()
  const install = { kind: 'install', machine: machineAt(2) } as const
  expect(await perform({ hypervisor, folder, serverId, password }, install)).toMatchObject({ ok: true, proven: true })
})
afterAll(() => hypervisor.remove(serverId))

test('a machine that fell asleep, as a desktop does by itself, is woken by a start as it was', async () => {
  await on('touch /run/before; (sleep 1; echo mem > /sys/power/state) > /dev/null 2>&1 & echo')
  await expect.poll(() => virsh(['domstate', serverId]), { timeout: 30_000, interval: 300 }).toBe('pmsuspended')
  await hypervisor.start(serverId)
  expect(await hypervisor.find(serverId)).toMatchObject({ power: 'on' })
  await expect.poll(() => on('ls /run/before').catch(() => null), { timeout: 60_000 }).toBe('/run/before')
})
