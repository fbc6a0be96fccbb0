import { inventoryReply } from '@vps/shared/agent.contract'
import type { Hypervisor } from '../hypervisor/hypervisor.js'
import type { transferLoop } from '../images/transfers.js'
import type { Presence } from '../presence.js'
import { following } from '../wait.js'
import { turn } from '../turn.js'
import type { LoopDeps } from './loop.js'
import { repeat } from '../repeat.js'

/**
 * Every 30 s, after every destroy and image. `beganAt` is taken before the first look. The reply names this host's
 * images.
 */
export function inventoryLoop(
  deps: LoopDeps & {
    hypervisor: Hypervisor
    presence: Presence
    transfers: Pick<ReturnType<typeof transferLoop>, 'want'>
  },
) {
  const { api, identity, signal, hypervisor, presence, transfers } = deps
  const tell = async (): Promise<void> => {
    if (await presence.look()) return presence.untilBack(signal).then(tell)
    const beganAt = new Date().toISOString()
    const began = performance.now()
    const capacity = await hypervisor.capacity()
    const found = await hypervisor.inventory()
    const readMs = Math.round(performance.now() - began)
    const reply = await following([signal], (stop) =>
      api.inventory.mutate({ ...identity, beganAt, readMs, capacity, ...found }, { signal: stop }),
    )
    // It goes to network and disk: a type is not trusted.
    const { images, networks, routers } = inventoryReply.parse(reply)
    transfers.want(images)
    await hypervisor.guard(networks, routers)
  }
  return repeat({ everyMs: 30_000, gapMs: 1000, signal, act: async () => void (await turn(deps, 'inventory', tell)) })
}
