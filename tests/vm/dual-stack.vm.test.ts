import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { MachineDescription } from '@vps/shared/jobs.contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { runJob } from '../../packages/agent/src/jobs/run-job.js'
import { openMemory } from '../../packages/agent/src/memory.js'
import { quietPresence } from '../../packages/agent/src/testing/agent.js'
import { machine } from '../../packages/agent/src/testing/machines.js'
import { bannerFrom, makeHostFolder, openNamespace, patient, settingsOf, sshLogin } from './host.js'

/** Seen from a network namespace on the same bridge. */

const folder = makeHostFolder()
const password = 'In-Both-Families-6'
const port = 2222
const outside = 'fd00:77::50'
const gateway = 'fd00:77::1'
const neighbour = await openNamespace()
const there = String(neighbour.pid)
const within = (...command: string[]) => run('nsenter', ['-t', there, '-n', ...command])

beforeAll(async () => {
  // The host is the gateway: all beyond a machine's own prefix goes through it, neighbours' too.
  await run('sysctl', ['-q', '-w', 'net.ipv6.conf.all.forwarding=1'])
  await run('ip', ['address', 'add', `${gateway}/48`, 'dev', 'br0', 'nodad'])
  await run('ip', ['link', 'add', 'outside', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', there])
  await run('ip', ['link', 'set', 'outside', 'master', 'br0', 'up'])
  await within('ip', 'address', 'add', `${outside}/48`, 'dev', 'eth0', 'nodad')
  await within('ip', 'link', 'set', 'eth0', 'up')
})
afterAll(() => neighbour.kill('SIGKILL'))

async function install(hypervisor: Hypervisor, described: MachineDescription, stateDir: string): Promise<string> {
  const serverId = randomUUID()
  const payload = { kind: 'install' as const, machine: described }
  const generation = { epoch: 1, number: 1 }
  const job = { id: randomUUID(), serverId, attempt: 1, leaseSeconds: 40, generation, payload, secrets: { password } }
  const deps = { hypervisor, presence: quietPresence(hypervisor), memory: openMemory(stateDir), limits: patient }
  const result = await runJob(job, [], deps, new AbortController().signal, async () => {})
  expect(result).toEqual({ ok: true, power: 'on', proven: true })
  return serverId
}

const reaches = async (address: string) => (await bannerFrom(there, address, port)) === 'SSH-'

/** Packets with this source that came to the outside. */
async function heardFrom(source: string, act: () => Promise<unknown>): Promise<number> {
  await within(
    'nft',
    `add table ip6 heard { chain input { type filter hook input priority 0; ip6 saddr ${source} counter; }; }`,
  )
  await act()
  const listed = await within('nft', 'list', 'table', 'ip6', 'heard')
  await within('nft', 'delete table ip6 heard')
  return Number(/packets (\d+)/.exec(listed)?.[1])
}

describe.each(['nwfilter', 'nftables'] as const)('guarded by %s', (kind) => {
  const [own, another, foreign] = ['fd00:77:0:7::1', 'fd00:77:0:7::abcd', 'fd00:77:0:8::1']
  const inside = (command: string) => sshLogin(own, port, password, command)
  const pings = (from: string) =>
    inside(`busybox ping6 -c 2 -W 5 -I ${from} ${outside} > /dev/null && echo yes || echo no`)
  let hypervisor: Hypervisor
  let serverId: string
  beforeAll(async () => {
    hypervisor = openVirsh({ ...settingsOf(folder), guard: kind })
    await hypervisor.open()
    const network = {
      ...machine().network,
      addresses: [
        { address: '10.77.0.2', prefix: 24, gateway: '10.77.0.1' },
        { address: own, prefix: 64, gateway },
      ],
      prefixes: ['fd00:77:0:7::/64'],
    }
    serverId = await install(hypervisor, machine({ memoryMb: 256, network }), path.join(folder.stateDir, kind))
  })
  afterAll(() => hypervisor.remove(serverId))

  test('a machine is logged in to by both families, and reaches past a gateway outside of its prefix', async () => {
    expect(await sshLogin('10.77.0.2', port, password, 'echo by-four')).toBe('by-four')
    expect(await inside('echo by-six')).toBe('by-six')
    expect(await reaches(own)).toBe(true)
    expect(await pings(own)).toBe('yes')
    const routes = await inside('ip -6 route show default; cat /proc/sys/net/ipv6/conf/eth0/accept_ra')
    expect(routes).toMatch(new RegExp(`via ${gateway} dev eth0.*\\n0$`, 's'))
  })

  test('every address of its prefix is the machine’s, without a word to its host', async () => {
    await inside(`ip address add ${another}/64 dev eth0 nodad`)
    expect(await reaches(another)).toBe(true)
    expect(await heardFrom(another, () => pings(another))).toBeGreaterThan(0)
  })

  test('nothing comes out from an address of another prefix, and nobody is answered there', async () => {
    await inside(`ip address add ${foreign}/64 dev eth0 nodad`)
    expect(await heardFrom(foreign, () => pings(foreign))).toBe(0)
    expect(await reaches(foreign)).toBe(false)
    expect(await hypervisor.testConnection(foreign, port, 2000)).toBeNull()
    expect(await hypervisor.inventory()).toMatchObject({ domains: [{ uuid: serverId, guarded: true }] })
  })
})

test('a machine without IPv4 is proven by its IPv6 address, and sends from that alone', async () => {
  const [own, foreign] = ['fd00:77::3', 'fd00:77::4']
  const hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.open()
  const network = { ...machine().network, addresses: [{ address: own, prefix: 48, gateway }], gateway }
  await install(hypervisor, machine({ memoryMb: 256, network }), path.join(folder.stateDir, 'six'))
  const inside = (command: string) => sshLogin(own, port, password, command)
  await inside(`ip address add ${foreign}/48 dev eth0 nodad`)
  const ping = (from: string) => () => inside(`busybox ping6 -c 2 -W 5 -I ${from} ${outside} > /dev/null || true`)
  expect(await heardFrom(own, ping(own))).toBeGreaterThan(0)
  expect(await heardFrom(foreign, ping(foreign))).toBe(0)
})
