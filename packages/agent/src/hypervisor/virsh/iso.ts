import type { InsertedIso } from '@vps/shared/jobs.contract'
import { HypervisorError } from '../hypervisor.js'
import { readDefinition, readToChange } from './definition.js'
import { changeMedium } from './drive.js'
import type { VirshHost } from './host.js'
import { ejectedXml, insertedXml } from './iso-xml.js'
import { parseDomain } from './parse.js'
import { isSeed } from './storage.js'

/** The image folder's file: read-only in the drive, shared, and nobody's to delete (decision 0105). */

export async function insertIso(host: VirshHost, serverId: string, { isoId, file, boots }: InsertedIso): Promise<void> {
  const path = host.images.pathOf(file)
  const { xml } = await readToChange(host, serverId)
  // A machine gets it as it is started to boot from it: a guest using its drive makes a change fail. The note comes
  // last: it says that a running machine's drive has it, too.
  if (!boots) await changeRunning(host, serverId, [path, '--update'], (medium) => medium === path)
  await host.domains.defineXml(insertedXml(xml, { isoId, path, boots }))
}

export async function ejectIso(host: VirshHost, serverId: string): Promise<void> {
  await changeRunning(host, serverId, ['--eject'], (medium) => medium === null || isSeed(medium))
  if (!(await readDefinition(host, serverId)).domain.iso) return
  // Last, as when it was put in.
  await host.domains.defineXml(ejectedXml((await readToChange(host, serverId)).xml))
}

/** A running machine's drive, locked or not; read again afterwards. */
async function changeRunning(
  { virsh, domains }: VirshHost,
  serverId: string,
  change: string[],
  isDone: (medium: string | null) => boolean,
): Promise<void> {
  if ((await domains.power(serverId)) !== 'on') return
  const { drive, medium } = parseDomain(await virsh(['dumpxml', serverId]))
  if (drive === null) throw new HypervisorError('the machine has no drive of ours', { final: true })
  if (isDone(medium)) return
  await changeMedium(virsh, serverId, drive, change)
  if (!isDone(parseDomain(await virsh(['dumpxml', serverId])).medium))
    throw new HypervisorError('the drive holds what it held before')
}
