import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { Firewall, FirewallRule } from '@vps/shared/firewall'
import { noFirewall } from '@vps/shared/firewall'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessOf, type Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { runJob } from '../../packages/agent/src/jobs/run-job.js'
import { openMemory } from '../../packages/agent/src/memory.js'
import { quietPresence } from '../../packages/agent/src/testing/agent.js'
import { firewallContract, nothingPasses } from '../../packages/agent/src/testing/firewall-contract.js'
import { freezeAt } from '../../packages/agent/src/testing/freeze.js'
import { machine } from '../../packages/agent/src/testing/machines.js'
import type { Installed } from '../../packages/agent/src/testing/installed.js'
import {
  bannerFrom,
  endless,
  killingAt,
  libvirtd,
  makeHostFolder,
  openNamespace,
  patient,
  settingsOf,
  sshLogin,
} from './host.js'

/** Seen from a network namespace on the same bridge. */

const folder = makeHostFolder()
const password = 'Behind-A-Firewall-3'
const serverId = randomUUID()
const [address, outside] = ['10.77.0.2', '10.77.0.50']
const port = 2222
const [sixth, outsideBySix] = ['fd00:77::2', 'fd00:77::50']
const both = {
  ...machine().network,
  addresses: [...machine().network.addresses, { address: sixth, prefix: 64, gateway: null }],
}
const described = () => machine({ network: both })
const neighbour = await openNamespace()
const there = String(neighbour.pid)
let hypervisor: Hypervisor
let installed: Installed
let revision = 10
let names: ReturnType<typeof spawn> | undefined
/** Knows one address, 10.1.1.1, by every name (RFC 1035, section 4). */
const nameServer = `
  const socket = require('node:dgram').createSocket('udp4')
  socket.on('message', (query, { address, port }) => {
    const end = query.indexOf(0, 12) + 5
    const answer = query.readUInt16BE(end - 4) === 1 ? Buffer.from('c00c000100010000003c00040a010101', 'hex') : Buffer.alloc(0)
    const head = Buffer.from([query[0], query[1], 0x85, 0x80, 0, 1, 0, answer.length ? 1 : 0, 0, 0, 0, 0])
    socket.send(Buffer.concat([head, query.subarray(12, end), answer]), port, address)
  })
  socket.bind(53)
`

beforeAll(async () => {
  hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.open()
  await run('ip', ['link', 'add', 'outside', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', there])
  await run('ip', ['link', 'set', 'outside', 'master', 'br0', 'up'])
  await within('ip', 'address', 'add', `${outside}/24`, 'dev', 'eth0')
  await within('ip', 'address', 'add', `${outsideBySix}/64`, 'dev', 'eth0', 'nodad')
  await within('ip', 'link', 'set', 'eth0', 'up')
  names = spawn('nsenter', ['-t', there, '-n', process.execPath, '--eval', nameServer], { stdio: 'ignore' })
  expect(await perform({ kind: 'install', machine: described() })).toEqual({ ok: true, power: 'on', proven: true })
  const hostKey = (await openMemory(folder.stateDir).hostKeyOf(serverId, { epoch: 1, number: 1 }))!
  installed = { hypervisor, serverId, password, access: accessOf(machine()), hostKey }
})
afterAll(() => {
  names?.kill('SIGKILL')
  neighbour.kill('SIGKILL')
})

const within = (...command: string[]) => run('nsenter', ['-t', there, '-n', ...command])
const reaches = async (at = address) => (await bannerFrom(there, at, port)) === 'SSH-'
/** By the host, which no rule keeps out. */
const inside = (command: string) => sshLogin(address, port, password, command)
const pings = (at = outside) =>
  inside(`busybox ping -c 1 -W 5 ${at} > /dev/null && echo yes || echo no`).then((said) => said === 'yes')

/** A second datagram is refused once the answer to a first said that nobody listens. */
const isRefused = (port: number, at = address) =>
  within(
    'bash',
    '-c',
    `exec 3<>/dev/udp/${at}/${port}; for _ in 1 2 3 4 5 6 7 8; do echo >&3 || exit; sleep .5; done`,
  ).then(
    () => false,
    (error: unknown) => String(error).includes('Connection refused'),
  )
/** Whether a name server outside answers it. */
const asks = () =>
  inside(`busybox nslookup outside.test ${outside} | grep -q 10.1.1.1 && echo yes || echo no`).then(
    (said) => said === 'yes',
  )

function perform(payload: JobPayload, through = hypervisor, number = 1, limits = patient) {
  const generation = { epoch: 1, number }
  const job: ClaimedJob = {
    id: randomUUID(),
    serverId,
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
const apply = (firewall: Firewall): JobPayload => ({ kind: 'applyFirewall', revision: (revision += 1), firewall })
async function hold(firewall: Firewall): Promise<void> {
  expect(await perform(apply(firewall))).toMatchObject({ ok: true })
}
const ssh = (over: Partial<FirewallRule> = {}): FirewallRule => ({
  direction: 'in',
  protocol: 'tcp',
  ports: { from: port, to: port },
  remote: null,
  action: 'accept',
  note: '',
  ...over,
})
const closed: Firewall = { enabled: true, inbound: 'drop', outbound: 'accept', rules: [] }

describe('seen from outside', () => {
  test('a port is closed and opened, to all and to some; what the machine asks for itself is answered', async () => {
    expect([await reaches(), await pings()]).toEqual([true, true])
    await hold(closed)
    expect([await reaches(), await pings()]).toEqual([false, true])
    await hold({ ...closed, rules: [ssh({ remote: '10.77.0.49' })] })
    expect(await reaches()).toBe(false)
    await hold({ ...closed, rules: [ssh({ remote: '10.77.0.48/30' })] })
    expect(await reaches()).toBe(true)
    await hold({ ...closed, rules: [ssh({ action: 'drop' }), ssh()] })
    expect(await reaches()).toBe(false)
  })

  test('the same over IPv6, where neighbours are still found', async () => {
    const bySix = async () => [await reaches(sixth), await pings(outsideBySix)]
    await hold(noFirewall)
    expect(await bySix()).toEqual([true, true])
    await hold(closed)
    await within('ip', 'neigh', 'flush', 'dev', 'eth0')
    expect(await bySix()).toEqual([false, true])
    await hold({ ...closed, rules: [ssh({ remote: 'fd00:77::49' }), ssh({ remote: '0.0.0.0/0' })] })
    expect([await reaches(sixth), await reaches()]).toEqual([false, true])
    await hold({ ...closed, rules: [ssh({ remote: 'fd00:77::40/124' })] })
    await within('ip', 'neigh', 'flush', 'dev', 'eth0')
    expect([await reaches(sixth), await reaches()]).toEqual([false, false])
    await hold({ ...closed, rules: [ssh({ remote: 'fd00:77::50/124' })] })
    expect([await reaches(sixth), await reaches()]).toEqual([true, false])
    await hold({ ...closed, inbound: 'accept', outbound: 'drop' })
    expect(await bySix()).toEqual([true, false])
  })

  test('the same of UDP, where a machine that lets in what nobody there awaits says so', async () => {
    const dns = ssh({ protocol: 'udp', ports: { from: 53, to: 53 } })
    await hold(noFirewall)
    expect([await isRefused(53), await isRefused(53, sixth), await asks()]).toEqual([true, true, true])
    await hold(closed)
    expect([await isRefused(53), await isRefused(53, sixth), await asks()]).toEqual([false, false, true])
    await hold({ ...closed, rules: [ssh({ ports: { from: 53, to: 53 } }), { ...dns, remote: `${outside}/32` }] })
    expect([await isRefused(53), await isRefused(54), await isRefused(53, sixth)]).toEqual([true, false, false])
    await hold({ ...closed, outbound: 'drop', rules: [{ ...dns, direction: 'out' }] })
    expect([await asks(), await pings()]).toEqual([true, false])
    await hold({ ...closed, outbound: 'drop' })
    expect(await asks()).toBe(false)
  })

  test('a machine that may send nothing still answers who may come in', async () => {
    await hold({ ...closed, inbound: 'accept', outbound: 'drop' })
    expect([await reaches(), await pings()]).toEqual([true, false])
  })

  test('rules stay through restarts of the machine and of libvirt, and come back after others flush them', async () => {
    await hold(closed)
    expect(await perform({ kind: 'restart' })).toMatchObject({ ok: true })
    libvirtd.kill()
    await libvirtd.start()
    await hypervisor.awaitBoot(serverId, accessOf(machine()), AbortSignal.timeout(patient.bootMs))
    expect(await reaches()).toBe(false)
    await run('nft', ['flush', 'ruleset'])
    expect(await reaches()).toBe(true)
    expect((await hypervisor.inventory()).domains[0]).toMatchObject({ firewall: revision })
    expect([await reaches(), await pings()]).toEqual([false, true])
  })

  test('kill -9 of the agent before and after, and of libvirtd at it, changes nothing of the end', async () => {
    for (const when of ['before', 'after'] as const) {
      const payload = apply(when === 'before' ? noFirewall : closed)
      const killed = freezeAt(hypervisor, 'applyFirewall', when)
      await killed.reachedIn(perform(payload, killed.hypervisor, 1, endless))
      expect(await perform(payload)).toMatchObject({ ok: true, power: 'on' })
      expect(await reaches()).toBe(when === 'before')
    }
    const killed = killingAt(hypervisor, ['applyFirewall'])
    expect(await perform(apply(noFirewall), killed.hypervisor)).toMatchObject({ ok: true, power: 'on' })
    expect(killed.left()).toEqual([])
    expect(await reaches()).toBe(true)
  })

  test('an nft that refuses fails the job, and what held before still holds', async () => {
    await hold(closed)
    const wrong = [ssh({ remote: 'not an address' })]
    expect(await perform(apply({ ...closed, inbound: 'accept', rules: wrong }))).toMatchObject({ ok: false })
    expect(await reaches()).toBe(false)
    expect((await hypervisor.find(serverId)).firewall).toBe(revision - 1)
  })

  test('a reinstall proves its login while nothing passes, and nothing passes afterwards', async () => {
    await hold(nothingPasses)
    const again = await perform({ kind: 'reinstall', machine: machine() }, hypervisor, 2)
    expect(again).toEqual({ ok: true, power: 'on', proven: true })
    expect([await reaches(), await pings()]).toEqual([false, false])
  })
})

describe('the contract of the seam', () => {
  beforeAll(async () => {
    expect(await perform({ kind: 'destroy' }, hypervisor, 2)).toMatchObject({ ok: true })
    expect(await run('nft', ['list', 'tables'])).not.toContain('vps_fw_')
    expect(await perform({ kind: 'install', machine: machine() }, hypervisor, 3)).toMatchObject({ ok: true })
    const hostKey = (await openMemory(folder.stateDir).hostKeyOf(serverId, { epoch: 1, number: 3 }))!
    installed = { ...installed, hostKey }
  })
  firewallContract(() => installed)
})
