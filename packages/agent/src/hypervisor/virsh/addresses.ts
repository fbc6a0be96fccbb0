import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GrownNetwork } from '@vps/shared/jobs.contract'
import { HypervisorError, unlessAway } from '../hypervisor.js'
import { readToChange } from './definition.js'
import { guardedXml, refilteredPorts } from './guard-rules.js'
import { keepAddresses } from './guest-addresses.js'
import type { VirshHost } from './host.js'
import { parseDomain } from './parse.js'

/** The definition first: what holds now never outlives it. */
export async function admitAddresses(host: VirshHost, serverId: string, addresses: readonly string[]): Promise<void> {
  const { virsh, domains, guards, can } = host
  if (!(await domains.exists(serverId))) throw new HypervisorError('there is no such machine')
  await readToChange(host, serverId)
  const { guard } = await can()
  const xml = guardedXml(
    await virsh(['dumpxml', '--inactive', '--security-info', serverId]),
    serverId,
    addresses,
    guard,
  )
  await domains.defineXml(xml)
  await guards.admit(serverId, parseDomain(xml).guard)
  if (guard === 'nwfilter' && (await domains.power(serverId)) === 'on') await refilter(host, serverId, addresses)
}

/** libvirt changes a used port's filter. An earlier agent's machine has none until its next start. */
async function refilter(host: VirshHost, serverId: string, addresses: readonly string[]): Promise<void> {
  const [port, otherwise] = refilteredPorts(await host.virsh(['dumpxml', '--security-info', serverId]), addresses)
  if (port === undefined) return
  try {
    await updatePort(host, serverId, port)
  } catch (error) {
    unlessAway(error)
    if (otherwise === undefined) throw error
    await updatePort(host, serverId, otherwise)
  }
}

const updatePort = ({ virsh, withTemporaryFolder }: VirshHost, serverId: string, port: string): Promise<void> =>
  withTemporaryFolder(async (folder) => {
    const file = join(folder, 'port.xml')
    await writeFile(file, port)
    await virsh(['update-device', serverId, file, '--live'])
  })

export async function takeAddresses(
  { boot, guest, domains }: VirshHost,
  serverId: string,
  { mac, addresses, added }: GrownNetwork,
  limitMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  if ((await domains.power(serverId)) !== 'on') return false
  try {
    await boot.awaitGuestAgent(serverId, limitMs, signal)
    const taken = addresses.filter(({ address }) => added.includes(address))
    return (await guest.run(serverId, keepAddresses(mac, taken), signal)) === 0
  } catch (error) {
    unlessAway(error)
    signal.throwIfAborted()
    return false
  }
}
