import * as text from '@vps/shared/text'
import type { BackupMade, BackupsChecked, MachineDescription } from '@vps/shared/jobs.contract'
import type { Generation } from '@vps/shared/jobs'
import { type BackupPlace, type BackupsToCheck, type Copying, HypervisorError } from '../hypervisor.js'
import { ownDisk, readDefinition } from './definition.js'
import { bytesIn, packDisk, unpackDisk, unpackWhole } from './disk-archive.js'
import { refuseWithoutFirmware } from './firmware.js'
import type { VirshHost } from './host.js'
import { withNbd } from './nbd.js'
import { readQcow2 } from './qcow2.js'
import { openRestic } from './restic.js'
import { sourceOf } from './thin-volumes.js'
import { isDevice } from './xml.js'

/**
 * The disk as at a snapshot, without its holes; restic lets only what is new travel. A snapshot's data is never
 * written: qemu-nbd reads without a lock or QEMU, and holds nothing up (decision 0103).
 */

/** Of the snapshot named by the backup's id. */
export async function backUp(
  { virsh, storage, withTemporaryFolder }: VirshHost,
  serverId: string,
  { backupId, repository }: BackupPlace,
  copying: Copying,
): Promise<Pick<BackupMade, 'diskBytes' | 'addedBytes'>> {
  const restic = openRestic(repository, serverId)
  await restic.openOrMake()
  const kept = await restic.list()
  const there = kept.find(({ tags }) => tags.includes(backupId))
  if (there) return { diskBytes: (await restic.diskOf(there)).bytes, addedBytes: null }
  const halves = restic.halves(kept)
  if (halves.length > 0) await restic.giveRoomBack(halves, copying.signal)
  const file = await ownDisk({ storage }, serverId, await readDefinition({ virsh }, serverId))
  const disk = await readQcow2(file)
  if (!disk?.snapshots.includes(backupId)) throw new HypervisorError('there is no snapshot to back up')
  const { virtualBytes: diskBytes } = disk
  const addedBytes = await withNbd(
    withTemporaryFolder,
    readingSnapshot(await sourceOf(file), backupId),
    copying.signal,
    async (opened) => {
      const extents = await opened.extents()
      const moving = { ...copying, totalBytes: bytesIn(extents), file }
      return restic.keep(backupId, diskBytes, () => packDisk(diskBytes, extents, opened.read), moving)
    },
  )
  return { diskBytes, addedBytes }
}

/** Beside what is there, which runs on; thin, never smaller than the backup. */
export async function restoreDisk(
  host: VirshHost,
  serverId: string,
  machine: MachineDescription,
  generation: Generation,
  { backupId, repository, from }: BackupPlace,
  copying: Copying,
): Promise<void> {
  const { storage, withTemporaryFolder } = host
  await refuseWithoutFirmware(host, machine.image)
  const made = await storage.madeOf(serverId)
  if (made.disks.some(({ epoch, number }) => epoch === generation.epoch && number === generation.number)) return
  const restic = openRestic(repository, from ?? serverId)
  const kept = (await restic.list()).find(({ tags }) => tags.includes(backupId))
  if (!kept) throw new HypervisorError('there is no such backup', { final: true, customer: text.noBackup })
  const disk = await restic.diskOf(kept)
  const bytes = Math.max(disk.bytes, machine.diskGb * 1024 ** 3)
  const unpack = disk.isWhole ? unpackWhole : unpackDisk
  await storage.newDisk(serverId, generation, bytes, (file) =>
    restic.bring(
      kept,
      disk,
      (chunks, signal) =>
        withNbd(withTemporaryFolder, writingDisk(file), signal, async (opened) => {
          await unpack(chunks, opened.write)
          await opened.flush()
        }),
      { ...copying, file, isShared: from !== undefined },
    ),
  )
}

/** Giving room back may be slow: it ends when told, and the next goes on. */
export async function deleteBackup(
  serverId: string,
  { backupId, repository }: BackupPlace,
  signal: AbortSignal,
): Promise<void> {
  const restic = openRestic(repository, serverId)
  // A backup that never came about may have no repository, which looks like an absent one.
  await restic.openOrMake()
  const kept = await restic.list()
  const gone = kept.filter(({ tags }) => tags.includes(backupId)).map(({ id }) => id)
  await restic.giveRoomBack([...gone, ...restic.halves(kept)], signal)
}

/** Missing ones first: restic finds nothing wrong where some are lost. */
export async function checkBackups(
  serverId: string,
  { repository, backupIds, part, parts }: BackupsToCheck,
  signal: AbortSignal,
): Promise<BackupsChecked> {
  const restic = openRestic(repository, serverId)
  const kept = await restic.list()
  const lost = backupIds.filter((id) => !kept.some(({ tags }) => tags.includes(id)))
  if (lost.length > 0) return { isWhole: false, detail: `not there any more: ${lost.join(', ')}`.slice(0, mostDetail) }
  const damage = await restic.damage({ part, parts }, signal)
  return { isWhole: damage === null, detail: damage?.slice(0, mostDetail) ?? '' }
}

const mostDetail = 1000

/** A device past the host's cache, which may still hold what was there before QEMU wrote (decision 0150). */
function readingSnapshot(source: string, name: string): string[] {
  const driver = isDevice(source) ? 'host_device,file.cache.direct=on' : 'file'
  const image = `driver=qcow2,file.driver=${driver},file.filename=${source.replaceAll(',', ',,')},force-share=on`
  return ['--read-only', `--load-snapshot=snapshot.name=${name}`, '--image-opts', image]
}

/** Zeroes take no room. */
function writingDisk(path: string): string[] {
  return ['--discard=unmap', '--detect-zeroes=unmap', '--format=qcow2', path]
}
