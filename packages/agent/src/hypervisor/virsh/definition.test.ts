import { describe, expect, test } from 'vitest'
import {
  definedGeneration as made,
  definedId as id,
  definedState,
  definedWith,
  kvmSettings as settings,
} from '../../testing/defined.js'
import { withTemporaryFolder } from '../../testing/agent.js'
import { machine } from '../../testing/machines.js'
import { ScriptedVirsh } from '../../testing/scripted-virsh.js'
import { admitAddresses } from './addresses.js'
import { openDomains } from './domains.js'
import type { VirshHost } from './host.js'
import { insertedXml } from './iso-xml.js'
import { ejectIso, insertIso } from './iso.js'
import { define, insertPassword, removeSeed, resize } from './machines.js'
import { rescueXml } from './rescue-xml.js'
import { enterRescue, leaveRescue } from './rescue.js'
import { revertTo } from './snapshots.js'

const own = definedWith(null)
const [on, off] = [definedState(1), definedState(5)]
const disc = { isoId: 'this-one', file: 'debian.iso', boots: true }

/** `told`: what was changed, in order. */
function hostWith(dumpxml: string, domstats = off) {
  const told: string[] = []
  const answers = {
    list: id,
    domstats,
    dumpxml,
    domname: `vps-${id}`,
    define: '',
    'change-media': '',
    'managedsave-remove': '',
  }
  const scripted: ScriptedVirsh = new ScriptedVirsh(answers)
  const virsh: typeof scripted.virsh = (args, options) => {
    if (!/^(list|domstats|dumpxml|domname)$/.test(args[0] ?? '')) told.push(args[0] ?? '')
    return scripted.virsh(args, options)
  }
  const acts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, async () => void told.push(name)]))
  const storage = {
    ...acts('growDisk', 'removeSeeds', 'removeRescues'),
    madeOf: async () => ({ disks: [made], seeds: [], rescues: [] }),
    snapshots: async () => ['one'],
    diskGb: async () => 10,
    isDisk: async () => true,
    ...Object.fromEntries(
      ['diskPath', 'seedPath', 'serialLogPath', 'rescuePath', 'rescueSeedPath'].map((name) => [
        name,
        () => '/nowhere/at-all',
      ]),
    ),
  }
  const parts: Partial<Record<keyof VirshHost, unknown>> = {
    virsh,
    domains: openDomains(virsh, withTemporaryFolder),
    storage,
    guards: acts('admit'),
    nats: acts('apply'),
    images: { pathOf: (file: string) => `/srv/images/${file}` },
    can: async () => ({ ...settings, isoProgram: 'true' }),
  }
  return { host: parts as VirshHost, told }
}

const size = { cpuCores: 2, memoryMb: 1024, diskGb: 20, bandwidthMbps: null }
const changes: [string, string, (host: VirshHost) => Promise<void>][] = [
  ['a resize', own, (host) => resize(host, id, size)],
  ['the way into rescue', own, (host) => enterRescue(host, id, 'r1')],
  [
    'the way out of it',
    rescueXml(own, { rescueId: 'r1', diskPath: '/r1', seedPath: null }),
    (host) => leaveRescue(host, id),
  ],
  ['a definition anew', own, (host) => define(host, id, machine(), made)],
  ['a disc', own, (host) => insertIso(host, id, disc)],
  ["a disc's end", insertedXml(own, { ...disc, path: '/srv/images/debian.iso' }), (host) => ejectIso(host, id)],
  ['an address', own, (host) => admitAddresses(host, id, ['10.77.0.9'])],
  ['a one-time password', own, (host) => insertPassword(host, id, 'root', 'hash')],
  ['the end of a seed', definedWith('/one.seed.iso'), (host) => removeSeed(host, id)],
]

describe('a memory that the host saved does not come back over what was changed since', () => {
  test.each(changes)('%s', async (_what, xml, change) => {
    const { host, told } = hostWith(xml)
    await change(host).catch((error: unknown) => expect(String(error)).toContain('/nowhere'))
    expect(told.filter((act) => act !== 'apply')[0]).toBe('managedsave-remove')
  })

  test('a revert', async () => {
    const { host, told } = hostWith(own)
    await expect(revertTo(host, id, 'one', 'job')).rejects.toThrow('/nowhere')
    expect(told).toEqual(['managedsave-remove'])
  })
})

test('a machine that is not ours keeps what its host saved', async () => {
  for (const [, , change] of changes.filter(([what]) => !/anew|seed/.test(what))) {
    const { host, told } = hostWith('<domain><metadata/></domain>')
    await change(host).catch(() => {})
    expect(told.filter((act) => act !== 'removeRescues')).toEqual([])
  }
})

test('nothing is thrown away where nothing changes', async () => {
  for (const [xml, domstats] of [
    [own, off],
    [definedWith('/one.seed.iso'), on],
  ] as const) {
    const { host, told } = hostWith(xml, domstats)
    await ejectIso(host, id)
    await removeSeed(host, id)
    expect(told).not.toContain('managedsave-remove')
  }
})
