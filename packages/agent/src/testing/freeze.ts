import type { Hypervisor } from '../hypervisor/hypervisor.js'

/** As under an agent killed at one verb: it takes effect or not, and never returns. Leaves what kill -9 leaves. */
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
  /** A job that ends without it says how. */
  const reachedIn = async (job: Promise<unknown>): Promise<void> => {
    const ended = job.then((result) => {
      throw new Error(`ended without ${verb}: ${JSON.stringify(result)}`)
    })
    await Promise.race([hit, ended])
  }
  return { hypervisor, reachedIn }
}
