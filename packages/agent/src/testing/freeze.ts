import type { Hypervisor } from '../hypervisor/hypervisor.js'

/**
 * A real hypervisor under an agent that is killed at one verb: the verb takes effect or not, and never comes back. What
 * is left on the host is what kill -9 leaves.
 */
export function freezeAt(real: Hypervisor, verb: keyof Hypervisor, when: 'before' | 'after') {
  let reached = () => {}
  const hit = new Promise<void>((resolve) => {
    reached = resolve
  })
  const hypervisor = new Proxy(real, {
    get(target, name: keyof Hypervisor) {
      const act = target[name] as unknown
      if (name !== verb || typeof act !== 'function') return act
      return async (...given: unknown[]) => {
        if (when === 'after') await (act as (...all: unknown[]) => Promise<unknown>)(...given)
        reached()
        return new Promise(() => {})
      }
    },
  })
  return { hypervisor, hit }
}
