import { randomUUID } from 'node:crypto'
import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { Firewall } from '@vps/shared/firewall'
import { noFirewall } from '@vps/shared/firewall'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { portBlockOf, type NatPool } from '@vps/shared/nat'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessOf } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { runJob } from '../../packages/agent/src/jobs/run-job.js'
import { openMemory } from '../../packages/agent/src/memory.js'
import { quietPresence } from '../../packages/agent/src/testing/agent.js'
import { freezeAt } from '../../packages/agent/src/testing/freeze.js'
import type { Installed } from '../../packages/agent/src/testing/installed.js'
import { machine } from '../../packages/agent/src/testing/machines.js'
import { natContract } from '../../packages/agent/src/testing/nat-contract.js'
import { bannerFrom, endless, killingAt, makeHostFolder, openNamespace, patient, settingsOf, sshLogin } from './host.js'

/** Seen from a namespace with no way into the machines' network. */

const folder = makeHostFolder()
const password = 'Behind-One-Address-7'
const [outside, customer] = ['203.0.113.7', '203.0.113.50']
const pool: NatPool = { outside, firstAddress: '10.77.0.2', firstPort: 20_000, ports: 3 }
const [serverId, neighbourId] = [randomUUID(), randomUUID()]
const sshPort = 2222
const away = await openNamespace()
const there = String(away.pid)
const hypervisor = openVirsh(settingsOf(folder))
let revision = 10

const describedAt = (number: number, ...more: number[]) => {
  const mac = `52:54:00:77:00:0${number}`
  const addresses = [number, ...more].map((last) => {
    const address = `10.77.0.${last}`
    return { address, prefix: 24, gateway: '10.77.0.1', nat: portBlockOf(address, pool) }
  })
  return machine({ sshPort, memoryMb: 256, network: { ...machine().network, mac, addresses } })
}
/** What is no shared address is routed as it is. */
const [sixth, uplinkBySix, customerBySix] = ['fd00:77::2', 'fd00:aa::1', 'fd00:aa::50']
const bySix = { address: sixth, prefix: 64, gateway: 'fd00:77::1' }
const behind = describedAt(2)
const own = { ...behind, network: { ...behind.network, addresses: [...behind.network.addresses, bySix] } }
const neighbour = describedAt(3, 4)

beforeAll(async () => {
  await hypervisor.open()
  await run('ip', ['link', 'add', 'uplink', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', there])
  await run('ip', ['address', 'add', `${outside}/24`, 'dev', 'uplink'])
  await run('ip', ['link', 'set', 'uplink', 'up'])
  await within('ip', 'address', 'add', `${customer}/24`, 'dev', 'eth0')
  await within('ip', 'link', 'set', 'eth0', 'up')
  await run('sysctl', ['-q', '-w', 'net.ipv6.conf.all.forwarding=1'])
  await run('ip', ['address', 'add', 'fd00:77::1/64', 'dev', 'br0', 'nodad'])
  await run('ip', ['address', 'add', `${uplinkBySix}/64`, 'dev', 'uplink', 'nodad'])
  await within('ip', 'address', 'add', `${customerBySix}/64`, 'dev', 'eth0', 'nodad')
  await within('ip', 'route', 'add', 'default', 'via', uplinkBySix)
  const install = { kind: 'install' as const, machine: own }
  expect(await perform(install)).toEqual({ ok: true, power: 'on', proven: true })
})
afterAll(() => away.kill('SIGKILL'))

const within = (...command: string[]) => run('nsenter', ['-t', there, '-n', ...command])

const bannerAt = (port: number, at = outside) => bannerFrom(there, at, port)
/** By the host, which no rule keeps out. */
const inside = (command: string) => sshLogin('10.77.0.2', sshPort, password, command)
const pings = (at: string) =>
  inside(`busybox ping -c 1 -W 5 ${at} > /dev/null && echo yes || echo no`).then((said) => said === 'yes')
const tables = () => run('nft', ['list', 'tables'])

function perform(payload: JobPayload, through = hypervisor, { number = 1, of = serverId, limits = patient } = {}) {
  const generation = { epoch: 1, number }
  const id = randomUUID()
  const job: ClaimedJob = {
    id,
    serverId: of,
    attempt: 1,
    leaseSeconds: 40,
    generation,
    payload,
    secrets: { password },
  }
  const deps = {
    hypervisor: through,
    presence: quietPresence(through),
    memory: openMemory(folder.stateDir),
    limits,
  }
  return runJob(job, [], deps, new AbortController().signal, async () => {})
}
async function hold(firewall: Firewall, number = 1): Promise<void> {
  revision += 1
  const payload: JobPayload = { kind: 'applyFirewall', revision, firewall }
  expect(await perform(payload, hypervisor, { number })).toMatchObject({ ok: true })
}
/** Listens when it returns. */
const answerAt = (port: number) => {
  const listens = `grep -qs ":${port.toString(16).toUpperCase()} [0-9A-F]*:0000 0A " /proc/net/tcp /proc/net/tcp6`
  return inside(
    `(busybox nc -l -p ${port} -e busybox echo yes > /dev/null 2>&1 < /dev/null &) ; until ${listens}; do sleep 0.1; done`,
  )
}

const closed: Firewall = { enabled: true, inbound: 'drop', outbound: 'accept', rules: [] }
const letIn = (port: number): Firewall => ({
  ...closed,
  rules: [
    { direction: 'in', protocol: 'tcp', ports: { from: port, to: port }, remote: null, action: 'accept', note: '' },
  ],
})

describe('seen from outside', () => {
  test('SSH is at the first port of its block, another leads to itself, and none of the next block leads to it', async () => {
    const addresses = expect.arrayContaining(['10.77.0.1', outside])
    expect(await hypervisor.capacity()).toMatchObject({ forwardsPorts: true, addresses })
    expect(await bannerAt(20_000)).toBe('SSH-')
    await answerAt(20_001)
    expect(await bannerAt(20_001)).toBe('yes')
    await answerAt(20_003)
    expect(await bannerAt(20_003)).toBeNull()
    expect(await bannerAt(sshPort)).toBeNull()
  })

  test('what it sends comes from the shared address, and its host reaches it there, too', async () => {
    const heard =
      'add table ip heard { chain input { type filter hook input priority 0; ip saddr 203.0.113.7 icmp type echo-request counter; }; }'
    await within('nft', heard)
    expect(await pings(customer)).toBe(true)
    expect(await within('nft', 'list', 'table', 'ip', 'heard')).toMatch(/packets 1 /)
    expect(await sshLogin(outside, 20_000, password, 'echo in')).toBe('in')
  })

  test('its firewall closes and opens a port as the machine has it, and its host passes', async () => {
    await hold(closed)
    expect(await bannerAt(20_000)).toBeNull()
    expect(await pings(customer)).toBe(true)
    await hold(letIn(sshPort))
    expect(await bannerAt(20_000)).toBe('SSH-')
    await hold({ ...closed, inbound: 'accept', outbound: 'drop' })
    expect(await bannerAt(20_000)).toBe('SSH-')
    expect(await pings(customer)).toBe(false)
    await hold(noFirewall)
  })

  test('the same for its own IPv6 address, which the host only routes to', async () => {
    const bySix = async () => [await bannerAt(sshPort, sixth), await pings(customerBySix)]
    expect(await bySix()).toEqual(['SSH-', true])
    await hold(closed)
    expect(await bySix()).toEqual([null, true])
    await hold(letIn(sshPort))
    expect(await bySix()).toEqual(['SSH-', true])
    await hold({ ...closed, inbound: 'accept', outbound: 'drop' })
    expect(await bySix()).toEqual(['SSH-', false])
    await hold(noFirewall)
  })

  test('machines reach one another by the shared address, whether connections of bridged frames are known or not', async () => {
    const made = await perform({ kind: 'install', machine: neighbour }, hypervisor, { of: neighbourId })
    expect(made).toMatchObject({ ok: true, proven: true })
    const asked = (seconds = 60) =>
      sshLogin(
        '10.77.0.3',
        sshPort,
        password,
        `busybox timeout ${seconds} busybox nc ${outside} 20000 < /dev/null | head -c 4`,
      )
    expect(await asked()).toBe('SSH-')
    await run('sysctl', ['-q', '-w', 'net.bridge.bridge-nf-call-iptables=0'])
    expect(await asked()).toBe('SSH-')
    await hold(closed)
    expect(await asked(5)).toBe('')
    await hold(noFirewall)
  })

  test('each of two shared addresses of one machine leads to it by ports of its own', async () => {
    expect([await bannerAt(20_003), await bannerAt(20_006)]).toEqual(['SSH-', 'SSH-'])
    expect(await bannerAt(20_009)).toBeNull()
  })

  test('ports and rules come back after others flush them', async () => {
    await hold(closed)
    await run('nft', ['flush', 'ruleset'])
    expect(await bannerAt(20_000)).toBeNull()
    await hypervisor.inventory()
    expect(await bannerAt(20_000)).toBeNull()
    await hold(letIn(sshPort))
    expect(await bannerAt(20_000)).toBe('SSH-')
  })

  test('a host that may not route says so and tells its inventory all the same; once it may, it routes again', async () => {
    await run('sysctl', ['-q', '-w', 'net.ipv4.ip_forward=0'])
    await run('mount', ['--bind', '/proc/sys', '/proc/sys'])
    await run('mount', ['-o', 'remount,bind,ro', '/proc/sys'])
    expect((await hypervisor.capacity()).forwardsPorts).toBe(false)
    expect((await hypervisor.inventory()).domains).toHaveLength(2)
    await run('umount', ['/proc/sys'])
    expect((await hypervisor.capacity()).forwardsPorts).toBe(true)
    expect(await bannerAt(20_000)).toBeNull()
    await hypervisor.inventory()
    expect(await bannerAt(20_000)).toBe('SSH-')
  })

  test('a reinstall proves its login behind a closed firewall, and its ports lead to where SSH is then', async () => {
    await hold(closed)
    const again = await perform({ kind: 'reinstall', machine: { ...own, sshPort: 2345 } }, hypervisor, { number: 2 })
    expect(again).toEqual({ ok: true, power: 'on', proven: true })
    expect(await bannerAt(20_000)).toBeNull()
    await hold(letIn(2345), 2)
    expect(await bannerAt(20_000)).toBe('SSH-')
  })
})

test('an agent killed where ports are led to a machine, before or after, and libvirt there, end the same', async () => {
  for (const when of ['before', 'after'] as const) {
    const payload: JobPayload = { kind: 'redefine', machine: { ...own, sshPort: 2345 }, start: true }
    await run('virsh', ['-q', '-c', 'qemu:///system', 'destroy', serverId])
    await run('virsh', ['-q', '-c', 'qemu:///system', 'undefine', serverId])
    await run('nft', ['flush', 'ruleset'])
    const killed = freezeAt(hypervisor, 'define', when)
    await killed.reachedIn(perform(payload, killed.hypervisor, { number: 2, limits: endless }))
    expect(await perform(payload, hypervisor, { number: 2 })).toMatchObject({ ok: true, power: 'on' })
    expect(await tables()).toContain('table ip vps_nat_')
  }
  const killed = killingAt(hypervisor, ['remove'])
  expect(await perform({ kind: 'destroy' }, killed.hypervisor, { number: 2 })).toMatchObject({ ok: true })
  expect(await perform({ kind: 'destroy' }, hypervisor, { of: neighbourId })).toMatchObject({ ok: true })
  expect(await tables()).not.toMatch(/vps_(nat|fw)_/)
})

describe('the contract of the seam', () => {
  let installed: Installed
  beforeAll(async () => {
    expect(await perform({ kind: 'install', machine: own }, hypervisor, { number: 3 })).toMatchObject({ ok: true })
    const hostKey = (await openMemory(folder.stateDir).hostKeyOf(serverId, { epoch: 1, number: 3 }))!
    installed = { hypervisor, serverId, password, access: accessOf(own), hostKey }
  })
  natContract(() => installed, own)
})
