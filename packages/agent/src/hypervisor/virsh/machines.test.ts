import { expect, test } from 'vitest'
import {
  definedGeneration as made,
  definedId as id,
  definedState,
  definedWith,
  kvmSettings as settings,
} from '../../testing/defined.js'
import { withTemporaryFolder } from '../../testing/agent.js'
import { ScriptedVirsh } from '../../testing/scripted-virsh.js'
import { openDomains } from './domains.js'
import type { VirshHost } from './host.js'
import { find, insertPassword, remove, removeSeed, resize } from './machines.js'

const [on, off] = [definedState(1), definedState(5)]

function hostWith(answers: ConstructorParameters<typeof ScriptedVirsh>[0], { bandwidth = true } = {}) {
  const told: string[] = []
  const host: ScriptedVirsh = new ScriptedVirsh({ list: id, 'managedsave-remove': '', ...answers })
  const virsh: typeof host.virsh = (args, options) => {
    if (!/^(list|domstats|dumpxml)$/.test(args[0] ?? '')) told.push(args.join(' ').replace(/ \/.*domain\.xml/, ''))
    return host.virsh(args, options)
  }
  const storage = {
    madeOf: async () => ({ disks: [made], seeds: [], rescues: [] }),
    snapshots: async () => ['one'],
    diskGb: async () => 10,
    diskPath: () => '/disk',
    isDisk: async () => true,
    growDisk: async (_id: string, _made: object, diskGb: number) => void told.push(`grow to ${diskGb}`),
    removeSeeds: async () => void told.push('delete seeds'),
    removeAll: async () => void told.push('delete files'),
  }
  const guards = { forget: () => void told.push('forget guard') }
  const firewalls = { revisionOf: async () => 4 }
  const nats = { portsOf: async () => [], remove: async () => void told.push('take ports away') }
  const can = async () => ({ ...settings, bandwidth })
  const domains = openDomains(virsh, withTemporaryFolder)
  const parts: Partial<Record<keyof VirshHost, unknown>> = { virsh, domains, storage, guards, nats, firewalls, can }
  return { host: parts as VirshHost, told }
}

test('what is there of a machine is read from its definition, its state and its files', async () => {
  const list = [`${id} vps-${id}`, id]
  const { host } = hostWith({ list, domstats: off, dumpxml: definedWith(null) })
  expect(await find(host, id)).toEqual({
    power: 'off',
    autostart: true,
    addresses: ['10.77.0.2'],
    definedBy: made,
    access: { address: '10.77.0.2', port: 2222, username: 'root', readiness: 'ssh' },
    size: { cpuCores: 1, memoryMb: 512, diskGb: 2 },
    bandwidthMbps: { inbound: 0, outbound: 0 },
    nameTaken: false,
    disks: [made],
    seeds: [],
    snapshots: ['one'],
    revertedBy: null,
    rescueId: null,
    rescues: [],
    iso: null,
    firewall: 4,
    outsidePorts: [],
  })
})

test('another machine with the name of ours is told, and is not taken for ours', async () => {
  const { host } = hostWith({ list: `6a1f0000-0000-4000-8000-000000000002 vps-${id}` })
  expect(await find(host, id)).toMatchObject({ power: 'absent', nameTaken: true, definedBy: null, disks: [made] })
})

const size = { cpuCores: 2, memoryMb: 1024, diskGb: 20, bandwidthMbps: 100 }
test('a resize grows the disk before the definition tells of it, and limits the traffic last', async () => {
  const { host, told } = hostWith({ domstats: off, dumpxml: definedWith(null), define: '', domiftune: '' })
  await resize(host, id, size)
  const mac = '52:54:00:77:00:02'
  const kib = 12_207
  expect(told).toEqual([
    `managedsave-remove ${id}`,
    'grow to 20',
    'define --validate',
    `domiftune ${id} ${mac} --inbound ${kib} --outbound ${kib} --config`,
  ])
})

test.each([
  ['0 takes the limit away', { bandwidthMbps: 0 }, true, 'domiftune'],
  ['none said leaves the limit as it is', { bandwidthMbps: null }, true, 'define'],
  ['a host that cannot limit is not asked to', { bandwidthMbps: 100 }, false, 'define'],
])('of a bandwidth in a resize, %s', async (_what, change, bandwidth, last) => {
  const { host, told } = hostWith(
    { domstats: off, dumpxml: definedWith(null), define: '', domiftune: '' },
    { bandwidth },
  )
  await resize(host, id, { ...size, ...change, diskGb: null })
  expect(told.at(-1)).toMatch(new RegExp(`^${last}`))
  expect(told).not.toContain('grow to 20')
  if (last === 'domiftune') expect(told.at(-1)).toContain('--inbound 0 --outbound 0 --config')
})

test('a resize of a machine that is on, or of one that is not ours, changes nothing', async () => {
  const running = hostWith({ domstats: on })
  await expect(resize(running.host, id, size)).rejects.toThrow('not off')
  const foreign = hostWith({ domstats: off, dumpxml: '<domain><metadata/></domain>' })
  await expect(resize(foreign.host, id, size)).rejects.toMatchObject({ final: true })
  expect([...running.told, ...foreign.told]).toEqual([])
})

test('a seed is taken out of the running machine and out of its definition before its file goes', async () => {
  const { host, told } = hostWith({ domstats: on, dumpxml: definedWith('/one.seed.iso'), 'change-media': '' })
  await removeSeed(host, id)
  expect(told).toEqual([
    `change-media ${id} sda --eject --force --live`,
    `change-media ${id} sda --eject --force --config`,
    'delete seeds',
  ])
})

test('an empty drive is left alone, a machine that is off is changed in its definition alone, and without one the files go', async () => {
  const empty = hostWith({ domstats: on, dumpxml: definedWith(null) })
  await removeSeed(empty.host, id)
  expect(empty.told).toEqual(['delete seeds'])
  const stopped = hostWith({ domstats: off, dumpxml: definedWith('/one.seed.iso'), 'change-media': '' })
  await removeSeed(stopped.host, id)
  expect(stopped.told).toEqual([
    `managedsave-remove ${id}`,
    `change-media ${id} sda --eject --force --config`,
    'delete seeds',
  ])
  const gone = hostWith({ list: '' })
  await removeSeed(gone.host, id)
  expect(gone.told).toEqual(['delete seeds'])
})

test('a machine loses its power, then its definition with all that libvirt keeps beside it, and its files last', async () => {
  const { host, told } = hostWith({ domstats: on, destroy: '', undefine: '' })
  await remove(host, id)
  expect(told).toEqual([
    `destroy ${id}`,
    `undefine ${id} --nvram --managed-save --snapshots-metadata --checkpoints-metadata`,
    'forget guard',
    'take ports away',
    'delete files',
  ])
})

test('of a machine that is gone the files go', async () => {
  const { host, told } = hostWith({ list: '' })
  await remove(host, id)
  expect(told).toEqual(['forget guard', 'take ports away', 'delete files'])
})

test('a machine without a drive of ours takes no one-time password, for good', async () => {
  for (const dumpxml of [
    '<domain><metadata/></domain>',
    definedWith(null).replace("device='cdrom'", "device='floppy'"),
  ]) {
    const { host, told } = hostWith({ dumpxml })
    await expect(insertPassword(host, id, 'root', 'hash')).rejects.toMatchObject({ final: true })
    expect(told).toEqual([])
  }
})
