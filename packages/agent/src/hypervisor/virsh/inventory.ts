import { isIP } from 'node:net'
import type { Inventory } from '@vps/shared/agent.contract'
import { type Hypervisor, unlessAway } from '../hypervisor.js'
import { domainName } from './domain-xml.js'
import type { Domains } from './domains.js'
import type { Firewalls } from './firewalls.js'
import { resumeWithRoom } from './full-disk.js'
import type { Guards } from './guards.js'
import type { Nats } from './nats.js'
import { parseDomain } from './parse.js'
import { putBackPort } from './ports.js'
import { readDomains } from './read-domains.js'
import type { Virsh } from './run.js'
import type { Storage } from './storage.js'

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Parts = { domains: Domains; storage: Storage; guards: Guards; firewalls: Firewalls; nats: Nats }

/** All machines, and files of ours. */
export async function readInventory(
  virsh: Virsh,
  parts: Parts,
  limitsBandwidth: boolean,
): ReturnType<Hypervisor['inventory']> {
  const { storage, guards } = parts
  const domains: Inventory['domains'] = []
  const all = await readDomains(virsh)
  const isHeld = await guards.standing()
  await parts.nats.putBack()
  const firewalled = await parts.firewalls.standing()
  const listed = async (which: string) => new Set((await virsh(['list', '--all', which, '--uuid'])).split(/\s+/))
  const [transients, autostarted] = [await listed('--transient'), await listed('--autostart')]
  for (const { uuid, name, power, condition } of all) {
    const transient = transients.has(uuid)
    if (power === 'on') await putBackPort(virsh, uuid)
    if (condition === 'io-error' && name === domainName(uuid)) await resumeWithRoom(virsh, storage, uuid)
    try {
      const domain = parseDomain(await virsh(['dumpxml', '--inactive', uuid]))
      const { generation, macs, size, currentMemoryMb, guard, bandwidthMbps, diskPath } = domain
      // At once: an act may admit others while the rest is read.
      guards.note(uuid, guard)
      const hasNone = generation !== null && !(await storage.hasDisk(uuid, generation))
      const hasOther = generation !== null && !(await storage.isDisk(diskPath, uuid, generation))
      const guarded = generation && power === 'on' ? isHeld(uuid) : undefined
      const diskGb = generation ? await storage.diskGb(uuid, generation) : null
      const held = generation ? await storage.snapshots(uuid, generation) : null
      const seen = { uuid, name, power, generation, macs, size: size ?? null, transient, unreadable: null }
      domains.push({
        ...seen,
        autostart: autostarted.has(uuid),
        ...(guard ? { addresses: guard.addresses.filter((address) => isIP(address) !== 0) } : {}),
        ...(diskGb === null ? {} : { diskGb }),
        ...(generation && name !== domainName(uuid) ? { renamed: true } : {}),
        ...(currentMemoryMb === undefined ? {} : { currentMemoryMb }),
        ...(hasNone ? { diskMissing: true } : {}),
        ...(hasOther ? { otherDisk: diskPath.slice(0, 500) } : {}),
        ...(held ? { snapshots: held.filter((name) => isId.test(name)) } : {}),
        ...(generation ? { rescueId: domain.rescueId, isoId: domain.iso?.id ?? null } : {}),
        ...(limitsBandwidth ? { bandwidthMbps } : {}),
        ...(firewalled.has(uuid) ? { firewall: firewalled.get(uuid) } : {}),
        ...(guarded === undefined ? {} : { guarded }),
      })
    } catch (error) {
      unlessAway(error)
      // Gone in between, or unreadable: others are still told.
      if (!(await parts.domains.exists(uuid))) continue
      const unreadable = (error instanceof Error ? error.message : String(error)).slice(0, 300)
      domains.push({ uuid, name, power, generation: null, macs: [], size: null, transient, unreadable })
    }
  }
  void storage.goOnWiping()
  const changedBases = await storage.changedBases()
  return { images: await storage.images(), changedBases, domains, volumes: await storage.volumes() }
}
