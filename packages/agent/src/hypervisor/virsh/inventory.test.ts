import { expect, test } from 'vitest'
import { withTemporaryFolder } from '../../testing/agent.js'
import { kvmSettings } from '../../testing/defined.js'
import { machine } from '../../testing/machines.js'
import { ScriptedVirsh, virshSays } from '../../testing/scripted-virsh.js'
import { HypervisorAway } from '../hypervisor.js'
import { domainXml } from './domain-xml.js'
import { openDomains } from './domains.js'
import type { Firewalls } from './firewalls.js'
import type { Nats } from './nats.js'
import type { Guard } from './guard-rules.js'
import type { Guards } from './guards.js'
import { readInventory } from './inventory.js'
import type { Storage } from './storage.js'

const ours = '0198c0de-0000-7000-8000-000000000001'
const theirs = '6a1f0000-0000-4000-8000-000000000002'
const diskPath = '/disk'
const snapshotId = '0198c0de-0000-7000-8000-00000000000a'
const xml = domainXml(
  {
    serverId: ours,
    machine: machine({ cpuCores: 2, memoryMb: 2048, bandwidthMbps: 100 }),
    generation: { epoch: 1, number: 3 },
    diskPath,
    seedPath: null,
    serialLogPath: '/log',
  },
  { ...kvmSettings, guard: 'nwfilter' },
)
const foreign = `<domain><metadata/><memory unit='GiB'>1</memory><devices/></domain>`
const stats = `Domain: 'vps-${ours}'\n  state.state=1\n\nDomain: 'my own'\n  state.state=5\n`

async function inventoried(
  dumpxml: (string | Error)[],
  {
    bandwidth = true,
    held = true,
    list = [`${ours} vps-${ours}\n${theirs} my own\n`] as string[],
    /** An act beside it, while a disk is looked at. */
    act = (_note: Guards['note']) => {},
  } = {},
) {
  const noted: [string, Guard | null][] = []
  const host: ScriptedVirsh = new ScriptedVirsh({
    list: () => {
      const asked = host.asked.at(-1)?.args ?? []
      if (asked.includes('--transient')) return theirs
      if (asked.includes('--autostart')) return ours
      return (list.length > 1 ? list.shift() : list[0]) ?? ''
    },
    domstats: stats,
    dumpxml,
  })
  const storage = {
    diskGb: async () => 20,
    hasDisk: async () => (act(guards.note), true),
    isDisk: async (path) => path === diskPath,
    snapshots: async () => [snapshotId, 'by hand'],
    images: async () => [{ file: 'a.img', bytes: 1, sha256: null, broken: null }],
    changedBases: async () => [],
    volumes: async () => [{ name: 'x.qcow2', bytes: 2 }],
    goOnWiping: async () => {},
  } as Pick<
    Storage,
    'diskGb' | 'hasDisk' | 'isDisk' | 'snapshots' | 'images' | 'changedBases' | 'volumes' | 'goOnWiping'
  >
  const guards = {
    note: (id: string, guard: Guard | null) => void noted.push([id, guard]),
    standing: async () => () => held,
  } as Pick<Guards, 'note' | 'standing'>
  const nats: Pick<Nats, 'putBack'> = { putBack: async () => {} }
  const firewalls = { standing: async () => new Map([[ours, 7]]) } as Pick<Firewalls, 'standing'> as Firewalls
  const domains = openDomains(host.virsh, withTemporaryFolder)
  const parts = { domains, storage: storage as Storage, guards: guards as Guards, firewalls, nats: nats as Nats }
  return { told: await readInventory(host.virsh, parts, bandwidth), noted }
}

test('of our machine everything is told that is held against what was ordered; of others’ only that they are there', async () => {
  const { told } = await inventoried([xml, foreign])
  expect(told.domains).toEqual([
    {
      uuid: ours,
      name: `vps-${ours}`,
      power: 'on',
      generation: { epoch: 1, number: 3 },
      macs: ['52:54:00:77:00:02'],
      addresses: ['10.77.0.2'],
      size: { cpuCores: 2, memoryMb: 2048, diskGb: 2 },
      autostart: true,
      diskGb: 20,
      snapshots: [snapshotId],
      rescueId: null,
      isoId: null,
      firewall: 7,
      bandwidthMbps: { inbound: 100, outbound: 100 },
      guarded: true,
      transient: false,
      unreadable: null,
    },
    {
      uuid: theirs,
      name: 'my own',
      power: 'off',
      generation: null,
      macs: [],
      size: null,
      autostart: false,
      bandwidthMbps: { inbound: 0, outbound: 0 },
      transient: true,
      unreadable: null,
    },
  ])
  expect(told).toMatchObject({ images: [{ file: 'a.img' }], volumes: [{ name: 'x.qcow2' }], changedBases: [] })
})

test('where the host limits no bandwidth none is told, and a guard that does not stand is told as missing', async () => {
  const { told, noted } = await inventoried([xml, foreign], { bandwidth: false, held: false })
  expect(told.domains[0]).not.toHaveProperty('bandwidthMbps')
  expect(told.domains[0]).toMatchObject({ guarded: false })
  expect(noted.map(([id, guard]) => [id, guard?.addresses])).toEqual([
    [ours, ['10.77.0.2']],
    [theirs, undefined],
  ])
})

test('what an act admits while the inventory goes on is not taken back by what was read before', async () => {
  const admitted = { mac: '52:54:00:77:00:02', addresses: ['10.77.0.2', '10.77.0.9'], port: null, filter: null }
  const { noted } = await inventoried([xml, foreign], { act: (note) => note(ours, admitted) })
  expect(noted.findLast(([id]) => id === ours)).toEqual([ours, admitted])
})

test('a machine that cannot be read is told as that, and the others as ever', async () => {
  const { told } = await inventoried([virshSays('internal error'), foreign])
  expect(told.domains.map(({ unreadable }) => unreadable)).toEqual([expect.stringContaining('internal error'), null])
  expect(told.domains[0]).toMatchObject({ uuid: ours, generation: null, size: null, power: 'on' })
})

test('a machine that went away while it was read is not told', async () => {
  const list = [`${ours} vps-${ours}\n${theirs} my own\n`, theirs]
  const { told } = await inventoried([virshSays('no domain'), foreign], { list })
  expect(told.domains.map(({ uuid }) => uuid)).toEqual([theirs])
})

test('a libvirt that is away ends the inventory: what it did not tell is not missing', async () => {
  const away = new HypervisorAway({ kind: 'libvirt', detail: 'gone' })
  await expect(inventoried([xml, away])).rejects.toBe(away)
})
