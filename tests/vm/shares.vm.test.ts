import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { libvirtd, machineAt, makeHostFolder, patient, perform, qemuOf, settingsOf, sshLogin, virsh } from './host.js'

/** All its machines compute on one processor. */

const folder = makeHostFolder()
const password = 'Chosen-By-Customer-7'
const groups = '/sys/fs/cgroup/cpu'
/** Version 1's hierarchies may be mounted anywhere; version 2's one belongs to whoever manages the services outside. */
const hasGroups = /^cpu\t[1-9]/m.test(readFileSync('/proc/cgroups', 'utf8'))
let hypervisor: Hypervisor

beforeAll(async () => {
  if (!hasGroups) return
  await run('mount', ['-t', 'tmpfs', 'tmpfs', '/sys/fs/cgroup'])
  mkdirSync(groups)
  await run('mount', ['-t', 'cgroup', '-o', 'cpu', 'cgroup', groups])
  // Together they weigh as one process else, and would hardly boot beside busy ones.
  mkdirSync(`${groups}/machine`, { recursive: true })
  writeFileSync(`${groups}/machine/cpu.shares`, '16384')
  const settings = '/etc/libvirt/qemu.conf'
  const written = readFileSync(settings, 'utf8')
  writeFileSync(settings, written.replace(/^cgroup_controllers.*/m, 'cgroup_controllers = [ "cpu" ]'))
  libvirtd.kill()
  await libvirtd.start()
  hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.open()
}, patient.actMs)

// The kernel has one tree of groups for all: nothing of these machines stays in it.
afterAll(async () => {
  if (!hasGroups) return
  for (const domain of (await virsh(['list', '--name'])).split('\n').filter(Boolean)) await virsh(['destroy', domain])
  // What others are in stays.
  await run('find', [`${groups}/machine`, '-depth', '-type', 'd', '-delete']).catch(() => {})
}, patient.actMs)

/** Until its login is proven. */
async function install(number: number, cpuCores: number): Promise<string> {
  const serverId = randomUUID()
  const install = { kind: 'install', machine: machineAt(number, { cpuCores }) } as const
  expect(await perform({ hypervisor, folder, serverId, password }, install)).toMatchObject({ ok: true })
  return serverId
}

const compute = (number: number) =>
  sshLogin(`10.77.0.${number}`, 2222, password, 'sh -c "while :; do :; done" > /dev/null 2>&1 &')

/**
 * QEMU's helping threads come and go: one that ended between its listing and its turn fails the command.
 * A thread begins where the one that made it may run, so what comes later stays there as well.
 */
const onOneProcessor = (serverId: string) =>
  vi.waitFor(() => run('taskset', ['--all-tasks', '--cpu-list', '--pid', '0', String(qemuOf(serverId))]), patient.actMs)

/** In clock ticks, of all its threads. */
function used(serverId: string): number {
  const [, fields = ''] = readFileSync(`/proc/${qemuOf(serverId)}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number)
  return user + system
}

test('where all compute on one processor, a machine of three gets three times that of one', async ({ skip }) => {
  skip(!hasGroups, 'no control groups of version 1 here')
  const [small, large] = await Promise.all([install(2, 1), install(3, 3)])
  // Before they compute: busy on every processor, and weighing sixteen times as much, they let nobody else's command end.
  await Promise.all([onOneProcessor(small), onOneProcessor(large)])
  await Promise.all([compute(2), compute(3)])
  const before = { small: used(small), large: used(large) }
  const since = () => ({ small: used(small) - before.small, large: used(large) - before.large })
  while (since().small + since().large < 500) await setTimeout(patient.pollMs)
  const { small: one, large: three } = since()
  expect(three / one).toBeGreaterThan(2)
  expect(three / one).toBeLessThan(4.5)
})
