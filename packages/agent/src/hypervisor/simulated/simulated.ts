import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { SimulatedSettings } from '../../config.js'
import { openImageFolder } from '../../images/folder.js'
import type { Hypervisor } from '../hypervisor.js'
import { simulatedAway, type SimulatedHost } from './act.js'
import { addressesOf } from './addresses.js'
import { openConsole } from './console.js'
import { backupsOf, identitiesOf } from './backups.js'
import { claimFault } from './faults.js'
import { firewallsOf } from './firewalls.js'
import { guestsOf } from './guest.js'
import { isosOf } from './isos.js'
import { findIn } from './machines.js'
import { makingOf } from './making.js'
import { powerOf } from './power.js'
import { rescuesOf } from './rescues.js'
import { snapshotsOf } from './snapshots.js'
import { isOn, readState, writeState } from './state.js'
import { bandwidthTold, diskTold, firewallTold, measure, measureHost, volumesOf, withBuiltIn } from './told.js'

/** Runs nothing, but keeps machines in a file and behaves, and misbehaves, like a host. */
export function openSimulated(settings: SimulatedSettings): Hypervisor {
  const statePath = join(settings.stateDir, 'simulated-host.json')
  const state = readState(statePath, settings.seedFile, Date.now())
  const images = openImageFolder(join(settings.stateDir, 'images'))
  const host: SimulatedHost = { settings, images, statePath, state }
  return {
    kind: 'simulated',
    images,
    open: async () => {
      if (!existsSync(statePath)) writeState(statePath, state)
    },
    checkPresence: async () => (claimFault(settings.faultsFile, 'checkPresence', '') === 'away' ? simulatedAway : null),
    capacity: async () => ({
      hypervisor: 'simulated',
      hypervisorVersion: 'simulated 1',
      cpuCores: settings.cpuCores,
      memoryMb: settings.memoryMb,
      diskGb: settings.diskGb,
      addressGuard: 'nwfilter',
      limitsBandwidth: true,
      bootsUefi: true,
      forwardsPorts: true,
    }),
    inventory: () => inventory(host),
    measureHost: async () => measureHost(settings, state, Date.now()),
    measure: async () => measure(state, Date.now()),
    requireStart: async () => {},
    find: async (serverId) => findIn(state, serverId, Date.now()),
    guard: async () => {},
    openConsole: (serverId, kind) => openConsole(host, serverId, kind),
    ...makingOf(host),
    ...powerOf(host),
    ...guestsOf(host),
    ...snapshotsOf(host),
    ...addressesOf(host),
    ...firewallsOf(host),
    ...rescuesOf(host),
    ...isosOf(host),
    ...backupsOf(host),
    ...identitiesOf(host),
  }
}

async function inventory({ settings, state, images }: SimulatedHost): ReturnType<Hypervisor['inventory']> {
  for (const uuid of Object.keys(state.domains))
    if (claimFault(settings.faultsFile, 'inventory', uuid) === 'undefine') delete state.domains[uuid]
  return {
    images: withBuiltIn((await images.list()).map((file) => ({ ...file, broken: null }))),
    changedBases: [],
    domains: Object.entries(state.domains).map(([uuid, domain]) => ({
      uuid,
      name: `vps-${uuid}`,
      power: isOn(domain, Date.now()) ? ('on' as const) : ('off' as const),
      generation: domain.generation,
      macs: [domain.mac],
      addresses: domain.addresses.filter((address) => isIP(address) !== 0),
      size: { cpuCores: domain.cpuCores, memoryMb: domain.memoryMb },
      autostart: domain.autostart,
      rescueId: domain.rescueId ?? null,
      isoId: domain.iso?.id ?? null,
      ...diskTold(state, uuid),
      ...bandwidthTold(domain),
      ...firewallTold(state, uuid),
      transient: false,
      unreadable: null,
    })),
    volumes: volumesOf(state),
  }
}
