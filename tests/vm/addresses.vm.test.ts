import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessOf, type Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { runJob } from '../../packages/agent/src/jobs/run-job.js'
import { openMemory } from '../../packages/agent/src/memory.js'
import { addressesContract, grown } from '../../packages/agent/src/testing/addresses-contract.js'
import { quietPresence } from '../../packages/agent/src/testing/agent.js'
import { freezeAt } from '../../packages/agent/src/testing/freeze.js'
import type { Installed } from '../../packages/agent/src/testing/installed.js'
import { machine } from '../../packages/agent/src/testing/machines.js'
import { bannerFrom, endless, killingAt, makeHostFolder, openNamespace, patient, settingsOf, sshLogin } from './host.js'

/** Seen from a network namespace on the same bridge. */

const folder = makeHostFolder()
const password = 'One-More-Address-4'
const [first, second, foreign] = ['10.77.0.2', '10.77.0.3', '10.77.0.9']
const port = 2222
const neighbour = await openNamespace()
const there = String(neighbour.pid)
const within = (...command: string[]) => run('nsenter', ['-t', there, '-n', ...command])
const described = machine({ memoryMb: 256 })

beforeAll(async () => {
  await run('ip', ['link', 'add', 'outside', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', there])
  await run('ip', ['link', 'set', 'outside', 'master', 'br0', 'up'])
  await within('ip', 'address', 'add', '10.77.0.50/24', 'dev', 'eth0')
  await within('ip', 'link', 'set', 'eth0', 'up')
})
afterAll(() => neighbour.kill('SIGKILL'))

const reaches = async (address: string) => (await bannerFrom(there, address, port)) === 'SSH-'
const inside = (command: string, at = first) => sshLogin(at, port, password, command)
const bootOf = (at = first) => inside('cat /proc/sys/kernel/random/boot_id', at)

const resized = (added: string[]): JobPayload => ({
  kind: 'resize',
  cpuCores: described.cpuCores,
  memoryMb: described.memoryMb,
  diskGb: described.diskGb,
  network: grown(added),
})
const done = { ok: true, power: 'on', admitted: [first, second], inGuest: { taken: [second], answered: [second] } }

async function opened(guard: 'nwfilter' | 'nftables') {
  const [stateDir, serverId] = [path.join(folder.stateDir, randomUUID()), randomUUID()]
  const hypervisor = openVirsh({ ...settingsOf(folder), guard })
  await hypervisor.open()
  const perform = (payload: JobPayload, through: Hypervisor = hypervisor, limits = patient) => {
    const generation = { epoch: 1, number: 1 }
    const ids = { id: randomUUID(), serverId, attempt: 1, leaseSeconds: 40 }
    const job: ClaimedJob = { ...ids, generation, payload, secrets: { password } }
    const deps = { presence: quietPresence(through), memory: openMemory(stateDir), limits }
    return runJob(job, [], { hypervisor: through, ...deps }, new AbortController().signal, async () => {})
  }
  expect(await perform({ kind: 'install', machine: described })).toEqual({ ok: true, power: 'on', proven: true })
  const hostKey = (await openMemory(stateDir).hostKeyOf(serverId, { epoch: 1, number: 1 }))!
  const installed: Installed = { hypervisor, serverId, password, access: accessOf(described), hostKey }
  return { ...installed, installed, perform }
}

describe.each(['nwfilter', 'nftables'] as const)('guarded by %s', (kind) => {
  let host: Awaited<ReturnType<typeof opened>>
  beforeAll(async () => {
    host = await opened(kind)
  })
  afterAll(() => host.hypervisor.remove(host.serverId))

  test('nobody reaches an address that a guest took for itself', async () => {
    await inside(`ip address add ${second}/24 dev eth0; ip address add ${foreign}/24 dev eth0`)
    expect([await reaches(first), await reaches(second), await reaches(foreign)]).toEqual([true, false, false])
    await inside(`ip address del ${second}/24 dev eth0`)
  })

  test('a running machine gets a second one without a restart, and is logged in to there from outside', async () => {
    const boot = await bootOf()
    expect(await host.perform(resized([second]))).toMatchObject(done)
    expect([await reaches(first), await reaches(second), await reaches(foreign)]).toEqual([true, true, false])
    expect(await bootOf(second)).toBe(boot)
    const { domains } = await host.hypervisor.inventory()
    expect(domains.find(({ uuid }) => uuid === host.serverId)).toMatchObject({ guarded: true })
  })

  test('it is still there after a restart', async () => {
    const boot = await bootOf()
    expect(await host.perform({ kind: 'restart' })).toMatchObject({ ok: true, power: 'on' })
    await host.hypervisor.awaitBoot(host.serverId, host.access, new AbortController().signal)
    expect(await bootOf(second)).not.toBe(boot)
    expect([await reaches(second), await reaches(foreign)]).toEqual([true, false])
  })

  test.each([
    ['admitAddresses', 'before'],
    ['admitAddresses', 'after'],
    ['takeAddresses', 'before'],
    ['takeAddresses', 'after'],
  ] as const)('an agent killed at %s (%s it) is followed by one that brings the job to its end', async (verb, when) => {
    expect(await host.perform(resized([]))).toMatchObject({ ok: true, admitted: [first] })
    expect(await reaches(second)).toBe(false)
    const { hypervisor, reachedIn } = freezeAt(host.hypervisor, verb, when)
    await reachedIn(host.perform(resized([second]), hypervisor, endless))
    expect(await host.perform(resized([second]))).toMatchObject(done)
    expect(await reaches(second)).toBe(true)
  })
})

test('a libvirt that dies in the middle is waited for, and the address comes', async () => {
  const host = await opened('nwfilter')
  const { hypervisor, left } = killingAt(host.hypervisor, ['admitAddresses'])
  expect(await host.perform(resized([second]), hypervisor)).toMatchObject(done)
  expect([left(), await reaches(second)]).toEqual([[], true])
  await host.hypervisor.remove(host.serverId)
})

describe('the contract of the seam', () => {
  let installed: Installed
  beforeAll(async () => {
    ;({ installed } = await opened('nwfilter'))
  })

  addressesContract(() => installed)
})
