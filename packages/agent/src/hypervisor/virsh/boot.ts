import * as text from '@vps/shared/text'
import { until } from '../../wait.js'
import { type Access, type Found, GuestStill, HypervisorError } from '../hypervisor.js'
import { readBanner } from '../ssh-proof.js'
import type { Domains } from './domains.js'
import type { Guest } from './guest.js'
import { conditionOf, powerOf } from './parse.js'
import type { Storage } from './storage.js'

const movementEveryMs = 1000

/** Waits for a guest to boot while it moves, and for its agent. */
export function openBoot({ exists, statsOf, askMovement }: Domains, storage: Storage, guest: Guest) {
  /** Throws where waiting cannot help: the disk cannot be written, or nothing moves. */
  async function powerWhileBooting(serverId: string, watch: Watch): Promise<Found['power']> {
    if (!(await exists(serverId))) return 'absent'
    const stats = await statsOf(serverId)
    const condition = conditionOf(stats)
    if (condition === 'io-error') {
      const full = (await storage.causeOf(condition, serverId)) === 'disk-full'
      throw new HypervisorError(`the machine is paused: ${full ? 'no room left in the storage' : 'I/O error'}`, {
        final: true,
        customer: full ? text.storageFull : '宿主机的磁盘读写出错',
      })
    }
    // By somebody at the host: it says nothing of the image, and the next try makes it anew.
    if (condition === 'paused')
      throw new HypervisorError('somebody has paused the machine', { customer: '服务器在启动时被暂停' })
    const power = powerOf(stats)
    if (power === 'on') await watch(() => askMovement(serverId))
    return power
  }

  async function awaitGuestAgent(
    serverId: string,
    limitMs: number,
    signal: AbortSignal,
    look: () => Promise<void> = async () => {},
  ): Promise<void> {
    const answers = async () => {
      await look()
      return (await guest.ping(serverId)) || null
    }
    await until(answers, {
      everyMs: 500,
      limitMs,
      signal,
      late: () =>
        new HypervisorError('the guest agent does not answer', {
          customer: '服务器内的代理没有响应，请确认系统正在运行',
        }),
    })
  }

  return {
    awaitGuestAgent,

    async awaitBoot(serverId: string, access: Access, signal: AbortSignal, stillMs = Number.POSITIVE_INFINITY) {
      const watch = watchStillness(stillMs)
      if (access.readiness === 'guest-agent')
        return awaitGuestAgent(serverId, 2 ** 31, signal, async () => void (await powerWhileBooting(serverId, watch)))
      await until(
        async () => {
          const now = await powerWhileBooting(serverId, watch)
          if (now === 'off' || now === 'absent') {
            throw new HypervisorError(`the machine went ${now} while it booted`, { customer: '系统启动时意外关机' })
          }
          if (access.readiness === 'none') return now === 'on' ? true : null
          return (await readBanner(access.address, access.port, 3000)) === null ? null : true
        },
        { everyMs: 300, limitMs: 2 ** 31, signal, late: () => new HypervisorError('the guest did not come up') },
      )
    },
  }
}

type Watch = (ask: () => Promise<string | null>) => Promise<void>

function watchStillness(stillMs: number): Watch {
  let last: string | null = null
  let sinceMs = performance.now()
  let askedMs = Number.NEGATIVE_INFINITY
  return async (ask) => {
    if (performance.now() - askedMs < movementEveryMs) return
    const movement = await ask()
    askedMs = performance.now()
    if (movement !== last) sinceMs = askedMs
    last = movement
    if (askedMs - sinceMs < stillMs) return
    if (movement !== null) throw new GuestStill(stillMs)
    throw new HypervisorError('the QEMU of the machine does not answer', { final: true, customer: '虚拟机没有响应' })
  }
}
