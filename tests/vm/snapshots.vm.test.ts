import { randomUUID } from 'node:crypto'
import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { JobPayload, JobResult } from '@vps/shared/jobs.contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { accessOf, type Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { runJob } from '../../packages/agent/src/jobs/run-job.js'
import { openMemory } from '../../packages/agent/src/memory.js'
import { quietPresence } from '../../packages/agent/src/testing/agent.js'
import { freezeAt } from '../../packages/agent/src/testing/freeze.js'
import { machine } from '../../packages/agent/src/testing/machines.js'
import type { Installed } from '../../packages/agent/src/testing/installed.js'
import { snapshotContract } from '../../packages/agent/src/testing/snapshot-contract.js'
import { endless, killingAt, machineAt, makeHostFolder, patient, settingsOf, sshLogin, virsh } from './host.js'

/** Snapshots: the seam's contract, and the jobs killed at each act. */

const folder = makeHostFolder()
const password = 'Chosen-By-Customer-7'
const made = { epoch: 1, number: 1 }
let hypervisor: Hypervisor

beforeAll(async () => {
  hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.open()
})

async function perform(
  serverId: string,
  payload: JobPayload,
  through = hypervisor,
  id = randomUUID(),
  limits = patient,
) {
  const secrets = { password }
  const job: ClaimedJob = { id, serverId, attempt: 1, leaseSeconds: 40, generation: made, payload, secrets }
  const memory = openMemory(folder.stateDir)
  const deps = { hypervisor: through, presence: quietPresence(through), memory, limits }
  return runJob(job, [], deps, new AbortController().signal, async () => {})
}

/** Until its login is proven. */
async function install(number: number): Promise<{ serverId: string; address: string }> {
  const serverId = randomUUID()
  const address = `10.77.0.${number}`
  const result = await perform(serverId, { kind: 'install', machine: machineAt(number) })
  expect(result).toEqual({ ok: true, power: 'on', proven: true })
  return { serverId, address }
}

describe('the contract of the seam', () => {
  let installed: Installed
  beforeAll(async () => {
    const { serverId } = await install(2)
    const hostKey = (await openMemory(folder.stateDir).hostKeyOf(serverId, made))!
    installed = { hypervisor, serverId, password, access: accessOf(machine()), hostKey }
  })
  snapshotContract(() => installed)
})

describe('as a customer sees them', () => {
  let serverId: string
  let address: string
  const snapshotId = randomUUID()
  const take: JobPayload = { kind: 'snapshot', snapshotId }
  const revert: JobPayload = { kind: 'revert', snapshotId }
  const remove: JobPayload = { kind: 'deleteSnapshot', snapshotId }
  const inside = (command: string) => sshLogin(address, 2222, password, command)
  const held = async () => (await hypervisor.find(serverId)).snapshots
  beforeAll(async () => {
    ;({ serverId, address } = await install(3))
  })

  test('what was written after a snapshot is gone after the revert, what was before is back, and a login is proven', async () => {
    await inside('echo before > /root/file')
    expect(await perform(serverId, take)).toEqual({ ok: true, power: 'on', proven: false })
    await inside('echo after > /root/file; echo new > /root/other; sync')
    const boot = await inside('cat /proc/sys/kernel/random/boot_id')
    expect(await perform(serverId, revert)).toEqual({ ok: true, power: 'on', proven: true })
    const [now, file, others] = (await inside('cat /proc/sys/kernel/random/boot_id /root/file; ls /root')).split('\n')
    expect(now).not.toBe(boot)
    expect([file, others]).toEqual(['before', 'file'])
  })

  test('no guest is left frozen: it writes on during and after a snapshot', async () => {
    const other = randomUUID()
    expect(await perform(serverId, { kind: 'snapshot', snapshotId: other })).toMatchObject({ ok: true })
    expect(await inside('echo on > /root/written; sync; cat /root/written')).toBe('on')
    expect(await perform(serverId, { kind: 'deleteSnapshot', snapshotId: other })).toMatchObject({ ok: true })
    expect(await held()).toEqual([snapshotId])
  })

  test('an agent killed while a guest is frozen is followed by one that thaws it', async () => {
    const other = randomUUID()
    const frozen = { ...hypervisor, takeSnapshot: () => freezeGuest(serverId) }
    expect(await perform(serverId, { kind: 'snapshot', snapshotId: other }, frozen)).toMatchObject({ ok: false })
    expect(await inside('echo thawed > /root/written; sync; cat /root/written')).toBe('thawed')
    expect(await held()).toEqual([snapshotId])
  })

  test('the agent killed with kill -9 at each act in turn changes nothing of the end', async () => {
    const verbs: [JobPayload, (keyof Hypervisor)[]][] = [
      [remove, ['deleteSnapshot']],
      [take, ['takeSnapshot', 'thaw']],
      [revert, ['cutPower', 'revertTo', 'start']],
    ]
    for (const [payload, acts] of verbs) {
      const id = randomUUID()
      for (const verb of acts) {
        const when = verb === 'thaw' ? 'before' : 'after'
        const killed = freezeAt(hypervisor, verb, when)
        await killed.reachedIn(perform(serverId, payload, killed.hypervisor, id, endless))
      }
      expect(await perform(serverId, payload, hypervisor, id)).toMatchObject({ ok: true, power: 'on' })
      expect(await held()).toEqual(payload === remove ? [] : [snapshotId])
    }
    expect(await inside('cat /root/written')).toBe('thawed')
  })

  test('libvirtd killed with kill -9 at each act costs no try', async () => {
    const verbs: [JobPayload, (keyof Hypervisor)[]][] = [
      [remove, ['deleteSnapshot']],
      [take, ['takeSnapshot', 'thaw']],
      [revert, ['cutPower', 'revertTo', 'start']],
    ]
    for (const [payload, acts] of verbs) {
      const killed = killingAt(hypervisor, acts)
      const result: JobResult | null = await perform(serverId, payload, killed.hypervisor)
      expect(result, JSON.stringify(result)).toMatchObject({ ok: true, power: 'on' })
      expect(killed.left()).toEqual([])
      expect(await held()).toEqual(payload === remove ? [] : [snapshotId])
    }
    expect(await inside('cat /root/written')).toBe('thawed')
  })

  test('a snapshot that somebody deleted by hand is told by the inventory, and is deleted without a word', async () => {
    await hypervisor.cutPower(serverId)
    const disk = `${folder.storageDir}/${serverId}.1.1.qcow2`
    await run('qemu-img', ['snapshot', '-d', snapshotId, disk])
    expect((await hypervisor.inventory()).domains[0]).toMatchObject({ snapshots: [] })
    expect(await perform(serverId, revert)).toMatchObject({ ok: false, final: true, message: '快照已不存在' })
    expect(await perform(serverId, remove)).toMatchObject({ ok: true })
  })

  test('a reinstall takes them with its disk, and a destroy leaves nothing', async () => {
    expect(await perform(serverId, take)).toMatchObject({ ok: true })
    expect(await perform(serverId, { kind: 'destroy' })).toMatchObject({ ok: true, power: 'absent' })
    expect(await virsh(['list', '--all', '--uuid'])).not.toContain(serverId)
  })
})

/** As an agent leaves it that dies in the middle. */
async function freezeGuest(serverId: string): Promise<never> {
  await virsh(['qemu-agent-command', serverId, '--timeout', '10', '{"execute":"guest-fsfreeze-freeze"}'])
  throw new Error('killed')
}
