import { cpus } from 'node:os'
import type { Away, HostCapacity } from '@vps/shared/agent.contract'
import type { VirshSettings } from '../../config.js'
import { messageOf } from '../../files.js'
import { type Hypervisor, HypervisorError } from '../hypervisor.js'
import { logIn, readBanner } from '../ssh-proof.js'
import { openConsole } from './console.js'
import { refuseWithoutFirmware } from './firmware.js'
import { once, openHost, type VirshHost } from './host.js'
import { readInventory } from './inventory.js'
import * as addresses from './addresses.js'
import * as machines from './machines.js'
import * as backups from './backups.js'
import * as isos from './iso.js'
import * as rescue from './rescue.js'
import * as snapshots from './snapshots.js'
import { tryOut } from './restic.js'
import { hashPassword } from './password-hash.js'
import { requirePrograms } from './probe.js'
import { bridgesUp, ownAddresses, routes } from './routing.js'

/** Reads only what libvirt prints for programs, and asks again rather than trusting an answer. */
export function openVirsh(settings: VirshSettings, onTrouble?: (error: unknown) => void): Hypervisor {
  const host = openHost(settings, onTrouble)
  const { virsh, images, storage, domains, guards, firewalls, nats, boot, measure } = host
  return {
    kind: 'virsh',
    images,
    ...openPresence(host, settings),
    capacity: () => capacity(host, settings),
    inventory: async () => {
      const { bandwidth } = await host.can()
      const told = await readInventory(virsh, { domains, storage, guards, firewalls, nats }, bandwidth)
      measure.noteRenamed(told.domains)
      return told
    },
    measureHost: measure.host,
    measure: measure.domains,

    requireStart: host.kvm.require,
    find: (serverId) => machines.find(host, serverId),
    verifyImage: async (image) => {
      await refuseWithoutFirmware(host, image)
      await storage.verifyImage(image)
    },
    createDisk: (serverId, machine, made) => storage.createDisk(storage.diskPath(serverId, made), machine),
    hashPassword,
    createSeed: (...seed) => machines.createSeed(host, ...seed),
    define: (...machine) => machines.define(host, ...machine),
    applyFirewall: async (serverId, revision, firewall) => {
      if (!(await domains.exists(serverId))) throw new HypervisorError('there is no such machine')
      await firewalls.apply(serverId, revision, firewall)
    },
    removeFirewall: firewalls.remove,
    guard: (networks, routers) => guards.mend(networks, routers, domains.defineXml),
    admitAddresses: (...given) => addresses.admitAddresses(host, ...given),
    takeAddresses: (...given) => addresses.takeAddresses(host, ...given),
    start: (serverId) => machines.start(host, serverId),
    setAutostart: domains.setAutostart,
    askShutdown: domains.askShutdown,
    cutPower: domains.cutPower,
    setPassword: (...login) => machines.setPassword(host, ...login),
    insertPassword: (...login) => machines.insertPassword(host, ...login),
    removeSeed: (serverId) => machines.removeSeed(host, serverId),
    resize: (serverId, size) => machines.resize(host, serverId, size),
    takeSnapshot: (...snapshot) => snapshots.takeSnapshot(host, ...snapshot),
    thaw: (serverId, signal) => snapshots.thaw(host, serverId, signal),
    revertTo: (...snapshot) => snapshots.revertTo(host, ...snapshot),
    deleteSnapshot: (...snapshot) => snapshots.deleteSnapshot(host, ...snapshot),
    createRescue: (...made) => rescue.createRescue(host, ...made),
    enterRescue: (...entered) => rescue.enterRescue(host, ...entered),
    leaveRescue: (serverId) => rescue.leaveRescue(host, serverId),
    insertIso: (...iso) => isos.insertIso(host, ...iso),
    ejectIso: (serverId) => isos.ejectIso(host, serverId),
    backUp: (...backup) => backups.backUp(host, ...backup),
    restoreDisk: (...backup) => backups.restoreDisk(host, ...backup),
    canMove: (serverId) => machines.canMove(host, serverId),
    takeIdentity: (...given) => machines.takeIdentity(host, ...given),
    deleteBackup: backups.deleteBackup,
    checkBackups: backups.checkBackups,
    testRepository: tryOut,
    removeOthers: storage.removeOthers,
    remove: (serverId) => machines.remove(host, serverId),

    awaitBoot: boot.awaitBoot,
    tryLogin: (_serverId, access, password, hostKey) => logIn(access, password, hostKey),
    testConnection: readBanner,
    openConsole: (serverId, kind) => openConsole(host, serverId, kind),
  }
}

/** The storage is made ready once, when it is there: at the agent's start it may have been away. */
function openPresence({ storage, place, present }: VirshHost, settings: VirshSettings) {
  const prepareStorage = once(async () => {
    await storage.prepare()
    // On a full disk the next start does.
    await place.note().catch(() => {})
    void storage.goOnWiping()
  })
  return {
    open: async () => {
      await requirePrograms(settings)
      if ((await place.away()) !== null) return
      await prepareStorage().catch((error: unknown) => {
        throw new HypervisorError(`STORAGE ${settings.storageDir} cannot be used: ${messageOf(error)}`)
      })
    },
    checkPresence: async (): Promise<Away | null> =>
      (await present()) ??
      prepareStorage().then(
        () => null,
        (error: unknown) => ({ kind: 'storage', detail: `STORAGE cannot be used: ${messageOf(error)}`.slice(0, 500) }),
      ),
  }
}

/** Stays with the host: 1 GiB, or a twentieth of a larger one. */
const hostShare = { leastMb: 1024, part: 1 / 20 }

async function capacity(
  { virsh, storage, can, kvm }: VirshHost,
  { thinPool }: Pick<VirshSettings, 'thinPool'>,
): Promise<HostCapacity> {
  const memoryKb = /^total\s*:\s*(\d+)/m.exec(await virsh(['nodememstats']))?.[1]
  if (!memoryKb) throw new HypervisorError('nodememstats gave no total')
  const memoryMb = Math.floor(Number(memoryKb) / 1024)
  const { domainType, guard, bandwidth, uefi, nat } = await can()
  const version = /^Running hypervisor: QEMU (\S+)/m.exec(await virsh(['version']))?.[1] ?? 'unknown'
  const works = [domainType, guard ?? '无地址过滤', ...(thinPool ? [`LVM ${thinPool.group}/${thinPool.pool}`] : [])]
  return {
    hypervisor: 'virsh',
    hypervisorVersion: `QEMU ${version} (${works.join(', ')})`.slice(0, 80),
    cpuCores: cpus().length,
    memoryMb: Math.max(1, Math.floor(memoryMb - Math.max(hostShare.leastMb, memoryMb * hostShare.part))),
    diskGb: await storage.capacityGb(),
    addressGuard: guard ?? 'none',
    limitsBandwidth: bandwidth,
    bootsUefi: uefi,
    forwardsPorts: nat && (await routes()),
    addresses: await ownAddresses(),
    bridges: await bridgesUp(),
    kvmWorks: (await kvm.works()) ?? undefined,
  }
}
