import { driveAlias } from './parse.js'
import { VirshError, type Virsh } from './run.js'

/** Each opening is one more; a guest that starts resets its drive a few times within moments. */
const openings = 4

/**
 * Of a running machine's drive, its tray locked or not. `change`: `--eject`, or a file and `--update`.
 *
 * A guest that begins to drive it resets it, and QEMU closes the tray without a word (`scsi_disk_reset`). libvirt, which
 * knows it open since the guest or a change before opened it, leaves that out then, and each change fails until the
 * machine is off. So it is opened in QEMU itself, and changed again.
 */
export async function changeMedium(
  virsh: Virsh,
  serverId: string,
  drive: string,
  change: readonly string[],
): Promise<void> {
  for (let left = openings; ; left--) {
    try {
      await virsh(['change-media', serverId, drive, ...change, '--force', '--live'])
      return
    } catch (error) {
      if (left === 0 || !(error instanceof VirshError && isClosed.test(error.said))) throw error
    }
    const tray = { id: driveAlias(await virsh(['dumpxml', serverId])), force: true }
    await virsh(['qemu-monitor-command', serverId, JSON.stringify({ execute: 'blockdev-open-tray', arguments: tray })])
  }
}

const isClosed = /Tray of device '.*' is not open/
