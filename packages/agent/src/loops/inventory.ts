import type { Hypervisor } from '../hypervisor/hypervisor.js'
import { following } from '../wait.js'
import { type LoopDeps, turn } from './loop.js'
import { repeat } from './repeat.js'

/** Every 30 s, and after every destroy: all that is there. `beganAt` is taken before the first look. */
export function inventoryLoop(deps: LoopDeps & { hypervisor: Hypervisor }) {
  const { api, identity, signal, hypervisor } = deps
  const tell = async () => {
    const beganAt = new Date().toISOString()
    const capacity = await hypervisor.capacity()
    const found = await hypervisor.inventory()
    await following([signal], (stop) =>
      api.inventory.mutate({ ...identity, beganAt, capacity, ...found }, { signal: stop }),
    )
  }
  return repeat({ everyMs: 30_000, gapMs: 1000, signal, act: async () => void (await turn(deps, 'inventory', tell)) })
}
