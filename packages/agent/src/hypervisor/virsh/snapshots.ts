import * as z from 'zod'
import { HypervisorError, unlessAway } from '../hypervisor.js'
import { pauseOrThrow } from '../../wait.js'
import { ownDisk, readDefinition, readWhileOff } from './definition.js'
import { makeRoomForSnapshot } from './disks.js'
import { revertedXml } from './domain-xml.js'
import { hasAgent } from './parse.js'
import type { VirshHost } from './host.js'
import { run } from './run.js'
import { dropCached, sourceOf } from './thin-volumes.js'

/**
 * Inside the disk's file, of the disk alone, by the snapshot row's id. libvirt is told nothing: its snapshots hold a
 * running machine's memory too, and it cannot revert to those beside the file (decision 0096).
 */

/** With the tables of 100 GiB it takes a third of a second. */
const imageMs = 600_000
const monitorMs = 120_000
const freezeSeconds = 10
const lateFreezeMs = 300_000
const frozenMs = monitorMs + 2 * (freezeSeconds + 10) * 1000

export async function takeSnapshot(host: VirshHost, serverId: string, snapshotId: string): Promise<void> {
  const { path, snapshots } = await diskOf(host, serverId)
  if (snapshots.includes(snapshotId)) return
  await makeRoomForSnapshot(path)
  const isOff = (await host.domains.power(serverId)) === 'off'
  const said = isOff ? await ofFile('-c', snapshotId, path) : await ofRunning(host, serverId, path, snapshotId)
  if (!(await diskOf(host, serverId)).snapshots.includes(snapshotId))
    throw new HypervisorError(`the snapshot was not made: ${said}`)
}

/**
 * A guest with much to write stands still late, when who asked has given up, and its agent says nothing until then: it
 * is waited for while it is there. Nobody answers: not frozen, or cut at the next restart.
 */
export async function thaw({ virsh, guest, domains }: VirshHost, serverId: string, signal: AbortSignal): Promise<void> {
  const end = performance.now() + lateFreezeMs
  while ((await domains.power(serverId)) === 'on') {
    if (await guest.ping(serverId)) return guest.thaw(serverId)
    if (performance.now() >= end || !hasAgent(await virsh(['dumpxml', serverId]))) return
    await pauseOrThrow(1000, signal)
  }
}

export async function revertTo(host: VirshHost, serverId: string, snapshotId: string, jobId: string): Promise<void> {
  const { storage, domains } = host
  const { xml, domain, generation } = await readWhileOff(host, serverId)
  const { path, snapshots } = await diskOf(host, serverId)
  if (!snapshots.includes(snapshotId)) throw new HypervisorError('there is no such snapshot')
  await ofFile('-a', snapshotId, path)
  if (domain.size?.diskGb) await storage.growDisk(serverId, generation, domain.size.diskGb)
  await domains.defineXml(revertedXml(xml, jobId))
}

export async function deleteSnapshot(host: VirshHost, serverId: string, snapshotId: string): Promise<void> {
  if (!(await host.domains.exists(serverId))) return
  const { path, snapshots } = await diskOf(host, serverId)
  if (!snapshots.includes(snapshotId)) return
  const isOff = (await host.domains.power(serverId)) === 'off'
  const said = isOff
    ? await ofFile('-d', snapshotId, path)
    : await host.virsh(await asked(host, serverId, path, snapshotId, 'blockdev-snapshot-delete-internal-sync'), {
        timeoutMs: monitorMs,
      })
  if ((await diskOf(host, serverId)).snapshots.includes(snapshotId))
    throw new HypervisorError(`the snapshot was not deleted: ${said}`)
}

/**
 * Frozen, taken and thawed in one go: the guest stands still no longer than it must, whoever is killed. What the disk
 * then holds counts.
 */
async function ofRunning(host: VirshHost, serverId: string, path: string, snapshotId: string): Promise<string> {
  const act = await asked(host, serverId, path, snapshotId, 'blockdev-snapshot-internal-sync')
  if (!(await host.guest.ping(serverId))) return host.virsh(act, { timeoutMs: monitorMs })
  const [verb, id, command] = act
  const ofGuest = (execute: string) => `qemu-agent-command ${id} --timeout ${freezeSeconds} '{"execute":"${execute}"}'`
  const input = [ofGuest('guest-fsfreeze-freeze'), `${verb} ${id} '${command}'`, ofGuest('guest-fsfreeze-thaw')]
  return host.virsh([], { input: `${input.join('\n')}\n`, timeoutMs: frozenMs }).catch((error: unknown) => {
    unlessAway(error)
    return String(error)
  })
}

/** QEMU's name of the disk changes from start to start. */
async function asked(host: VirshHost, serverId: string, path: string, name: string, execute: string) {
  const list = ['qemu-monitor-command', serverId, '{"execute":"query-named-block-nodes","arguments":{"flat":true}}']
  const nodes = blockNodes.parse(JSON.parse(await host.virsh(list))).return
  const source = await sourceOf(path)
  const device = nodes.find((node) => node.drv === 'qcow2' && node.file === source)?.['node-name']
  if (device === undefined) throw new HypervisorError(`QEMU does not have ${path} open`)
  return ['qemu-monitor-command', serverId, JSON.stringify({ execute, arguments: { device, name } })]
}

const blockNodes = z.looseObject({
  return: z.array(z.looseObject({ 'node-name': z.string().optional(), drv: z.string(), file: z.string() })),
})

const ofFile = (act: '-c' | '-a' | '-d', snapshotId: string, path: string) =>
  run('qemu-img', ['snapshot', '-q', act, snapshotId, path], { timeoutMs: imageMs })

async function diskOf(host: VirshHost, serverId: string): Promise<{ path: string; snapshots: string[] }> {
  const { storage } = host
  const definition = await readDefinition(host, serverId)
  const { generation } = definition
  const path = await ownDisk(host, serverId, definition)
  await dropCached(path)
  return { path, snapshots: await storage.snapshots(serverId, generation) }
}
