import { unlessAway } from '../hypervisor.js'
import type { Virsh } from './run.js'
import type { Storage } from './storage.js'

/** A hung QEMU would hold up the others. */
const askMs = 5000

/**
 * A machine that QEMU has paused for want of room goes on with the write that it held, once there is room: nobody has
 * to find it. One whose storage fails would only fail again.
 */
export async function resumeWithRoom(
  virsh: Virsh,
  storage: Pick<Storage, 'causeOf' | 'makeRoomPastEnd'>,
  serverId: string,
): Promise<void> {
  if ((await storage.causeOf('io-error', serverId)) === 'disk-full') return
  try {
    const errors = (await virsh(['domblkerror', serverId], { timeoutMs: askMs }))
      .split('\n')
      .filter((line) => line !== '')
    if (errors.length === 0 || !errors.every((line) => line.endsWith(': no space'))) return
    await storage.makeRoomPastEnd(serverId)
    await virsh(['resume', serverId], { timeoutMs: askMs })
  } catch (error) {
    unlessAway(error)
  }
}
