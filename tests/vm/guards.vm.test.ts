import { randomUUID } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { filters, type GuardKind } from '../../packages/agent/src/hypervisor/virsh/guard-rules.js'
import { openGuards } from '../../packages/agent/src/hypervisor/virsh/guards.js'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { readBanner } from '../../packages/agent/src/hypervisor/ssh-proof.js'
import { runJob } from '../../packages/agent/src/jobs/run-job.js'
import { openMemory } from '../../packages/agent/src/memory.js'
import { quietPresence, withTemporaryFolder } from '../../packages/agent/src/testing/agent.js'
import { machine } from '../../packages/agent/src/testing/machines.js'
import { makeHostFolder, patient, settingsOf, sshLogin, virsh } from './host.js'

const limits = { ...patient, graceMs: 1000 }
const password = 'Neighbours-On-A-Bridge-1'
const port = 2222
const folder = makeHostFolder()

/** What is loaded at boot, beside what `vps-firewalls.service` finds there. */
const atBoot = path.join(folder.storageDir, 'guard.nft')

const neighbour = { id: randomUUID(), address: '10.77.0.2', more: '10.77.0.4', mac: '52:54:00:77:00:02' }
const spoofer = { id: randomUUID(), address: '10.77.0.3', more: '10.77.0.5', mac: '52:54:00:77:00:03' }
type Guest = typeof neighbour

async function opened(guard: GuardKind | 'off'): Promise<Hypervisor> {
  const hypervisor = openVirsh({ ...settingsOf(folder), guard })
  await hypervisor.open()
  return hypervisor
}
const described = ({ address, more, mac }: Guest) =>
  machine({
    hostname: `at-${address.replaceAll('.', '-')}`,
    memoryMb: 256,
    sshPort: port,
    network: {
      ...machine().network,
      mac,
      addresses: [address, more].map((one) => ({ address: one, prefix: 24, gateway: '10.77.0.1' })),
    },
  })

async function install(hypervisor: Hypervisor, guest: Guest, stateDir: string) {
  const job = {
    id: randomUUID(),
    serverId: guest.id,
    attempt: 1,
    leaseSeconds: 40,
    generation: { epoch: 1, number: 1 },
    payload: { kind: 'install' as const, machine: described(guest) },
    secrets: { password },
  }
  const deps = { hypervisor, presence: quietPresence(hypervisor), memory: openMemory(stateDir), limits }
  const result = await runJob(job, [], deps, new AbortController().signal, async () => {})
  expect(result).toMatchObject({ ok: true, proven: true })
}
const removeAll = async (hypervisor: Hypervisor) => {
  for (const { id } of [neighbour, spoofer]) await hypervisor.remove(id)
}
const on = ({ address }: Pick<Guest, 'address'>, command: string) => sshLogin(address, port, password, command)
const guardedOf = async (hypervisor: Hypervisor) =>
  Object.fromEntries((await hypervisor.inventory()).domains.map(({ uuid, guarded }) => [uuid, guarded]))
/** Which MAC the host believes to be there, asked anew. */
async function macAt(address: string): Promise<string | undefined> {
  await run('ip', ['neigh', 'flush', 'dev', 'br0'])
  await readBanner(address, port, 5000)
  return /lladdr (\S+)/.exec(await run('ip', ['neigh', 'show', address]))?.[1]
}

test('machines that are made at one time are all let through: each writes the rules of all', async () => {
  for (let round = 1; round <= 20; round += 1) {
    const guards = openGuards(
      async () => '',
      withTemporaryFolder,
      async () => 'nftables',
      folder.storageDir,
    )
    const addresses = [1, 2, 3, 4].map((n) => `10.78.${round}.${n}`)
    const admit = (address: string) =>
      guards.admit(randomUUID(), { mac: neighbour.mac, addresses: [address], port: null, filter: null })
    await Promise.all(addresses.map(admit))
    const rules = await run('nft', ['list', 'table', 'bridge', 'vps_guard'])
    expect(addresses.filter((address) => !rules.includes(address))).toEqual([])
  }
  await run('nft', ['delete', 'table', 'bridge', 'vps_guard'])
  rmSync(atBoot)
})

describe.each(['nwfilter', 'nftables'] as const)('guarded by %s', (kind) => {
  let hypervisor: Hypervisor
  beforeAll(async () => {
    hypervisor = await opened(kind)
    for (const guest of [neighbour, spoofer]) await install(hypervisor, guest, path.join(folder.stateDir, kind))
  })
  afterAll(() => removeAll(hypervisor))

  test('both are reached at all of their own addresses, and the host says how it keeps them to these', async () => {
    for (const { address, more } of [neighbour, spoofer]) {
      expect(await on({ address }, 'hostname')).toBe(`at-${address.replaceAll('.', '-')}`)
      expect(await on({ address: more }, 'hostname')).toBe(`at-${address.replaceAll('.', '-')}`)
    }
    expect(await hypervisor.capacity()).toMatchObject({ addressGuard: kind })
    expect(await guardedOf(hypervisor)).toEqual({ [neighbour.id]: true, [spoofer.id]: true })
  })

  test('what the host’s own unit loads at boot, before machines start, are the rules of all of them', async () => {
    expect(existsSync(atBoot)).toBe(kind === 'nftables')
    if (kind === 'nwfilter') return
    const rules = () => run('nft', ['list', 'table', 'bridge', 'vps_guard'])
    const before = await rules()
    await run('nft', ['flush', 'ruleset'])
    await run('nft', ['-f', atBoot])
    expect(await rules()).toBe(before)
  })

  // What comes after proves that it holds.
  test('both are held to them again by the next inventory after others emptied all tables, without a restart', async () => {
    await run('nft', ['flush', 'ruleset'])
    expect(await guardedOf(hypervisor)).toEqual({ [neighbour.id]: true, [spoofer.id]: true })
    const filters = await run('ebtables', ['-t', 'nat', '-L'])
    expect(filters.includes(`libvirt-I-vps${spoofer.id.slice(-12)}`)).toBe(kind === 'nwfilter')
  })

  test('a guest that takes its neighbour’s address gets nothing of what is sent there', async () => {
    const shout =
      'for i in 1 2 3; do busybox arping -q -U -c 1 -I eth0 10.77.0.2; busybox arping -q -A -c 1 -I eth0 10.77.0.2; done'
    await on(spoofer, `ip address add 10.77.0.2/24 dev eth0; ip address add 10.77.0.9/24 dev eth0; ${shout}`)
    expect(await macAt('10.77.0.2')).toBe(neighbour.mac)
    expect(await on(neighbour, 'hostname')).toBe('at-10-77-0-2')
    // An address that nobody has cannot be had either.
    expect(await macAt('10.77.0.9')).toBeUndefined()
    expect(await hypervisor.testConnection('10.77.0.9', port, 2000)).toBeNull()
    // While its owner is off, nobody answers for it.
    await hypervisor.cutPower(neighbour.id)
    expect(await macAt('10.77.0.2')).toBeUndefined()
    expect(await hypervisor.testConnection('10.77.0.2', port, 2000)).toBeNull()
  })

  test('a guest that takes another MAC is not heard at all', async () => {
    const disguise = `ip link set eth0 address ${neighbour.mac}; busybox ping -c 2 -W 1 10.77.0.1; ip link set eth0 address ${spoofer.mac}`
    await on(spoofer, `(sleep 1; ${disguise}; touch /run/disguised) > /dev/null 2>&1 &`)
    const seen = () => on(spoofer, 'ls /run/disguised').catch(() => null)
    await expect.poll(seen, { timeout: patient.actMs, interval: 500 }).toBe('/run/disguised')
    // A frame taken in would have taught the bridge where that MAC is.
    expect(await run('bridge', ['fdb', 'show', 'br', 'br0'])).not.toContain(neighbour.mac)
  })
})

describe('machines that were made without a guard', () => {
  test('are told, get one from the addresses that the API knows, and have it from their next start', async () => {
    const made = { epoch: 1, number: 1 }
    const before = await opened('off')
    await before.createDisk(neighbour.id, described(neighbour), made)
    await before.define(neighbour.id, described(neighbour), made)
    const xml = await virsh(['dumpxml', '--inactive', neighbour.id])
    const file = path.join(folder.folder, 'older.xml')
    writeFileSync(file, xml.replace(/<target dev='vps[^>]*>/, '').replace(/ addresses=["'][^"']*["']/, ''))
    await virsh(['define', file])
    await before.start(neighbour.id)
    expect(await before.capacity()).toMatchObject({ addressGuard: 'none' })
    expect(await guardedOf(before)).toEqual({ [neighbour.id]: undefined })

    const hypervisor = await opened('nwfilter')
    expect(await guardedOf(hypervisor)).toEqual({ [neighbour.id]: false })
    await hypervisor.guard(
      [{ serverId: neighbour.id, addresses: [neighbour.address, neighbour.more], prefixes: [] }],
      [],
    )
    await hypervisor.cutPower(neighbour.id)
    await hypervisor.start(neighbour.id)
    expect(await guardedOf(hypervisor)).toEqual({ [neighbour.id]: true })
    const rules = await run('ebtables', ['-t', 'nat', '-L'])
    for (const address of [neighbour.address, neighbour.more]) expect(rules).toContain(`--ip-src ${address} -j ACCEPT`)
    await hypervisor.remove(neighbour.id)
  })
})

test('a host that goes over from nftables to another way reaches the machines it makes from then on', async () => {
  const before = await opened('nftables')
  await before.inventory()
  const hypervisor = await opened('nwfilter')
  await install(hypervisor, neighbour, path.join(folder.stateDir, 'changed'))
  expect(existsSync(atBoot)).toBe(false)
  expect(await on(neighbour, 'hostname')).toBe('at-10-77-0-2')
  await removeAll(hypervisor)
})

test('filters that somebody removed are there again with the next inventory, and the machines that need them start', async () => {
  const hypervisor = await opened('nwfilter')
  const made = { epoch: 1, number: 1 }
  await hypervisor.createDisk(neighbour.id, described(neighbour), made)
  await hypervisor.define(neighbour.id, described(neighbour), made)
  for (const { name } of filters) await virsh(['nwfilter-undefine', name])
  await hypervisor.inventory()
  await hypervisor.start(neighbour.id)
  expect(await guardedOf(hypervisor)).toEqual({ [neighbour.id]: true })
  await hypervisor.remove(neighbour.id)
})
