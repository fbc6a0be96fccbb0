import { type DomainStats, parseStats } from './parse.js'
import { VirshError, type Virsh } from './run.js'

/**
 * Figures that QEMU must be asked for. A hung one holds up a common question: then each is asked alone, briefly.
 * `--nowait` leaves out busy ones; a hung one is busy after its first unanswered question.
 */
export function openFigures(virsh: Virsh) {
  const silentSinceMs = new Map<string, number>()
  const ask = async (domains: readonly string[], timeoutMs: number) =>
    parseStats(await virsh(['domstats', '--raw', '--nowait', ...groups, ...domains], { timeoutMs }))

  async function readApart(running: readonly string[]): Promise<Map<string, DomainStats>> {
    const all = new Map<string, DomainStats>()
    const left = [...running]
    const reader = async () => {
      for (let name = left.shift(); name !== undefined; name = left.shift()) {
        const one = await ask([name], apartMs).catch(() => new Map<string, DomainStats>())
        for (const [told, stats] of one) all.set(told, stats)
      }
    }
    await Promise.all(Array.from({ length: readersAtOnce }, reader))
    return all
  }

  return {
    async read(running: readonly string[]): Promise<Map<string, DomainStats>> {
      const stats = await ask([], togetherMs).catch((error: unknown) => {
        if (error instanceof VirshError && error.timedOut) return readApart(running)
        throw error
      })
      for (const name of silentSinceMs.keys()) if (!running.includes(name)) silentSinceMs.delete(name)
      for (const name of running) {
        if (hasAnswered(stats.get(name))) silentSinceMs.delete(name)
        else if (!silentSinceMs.has(name)) silentSinceMs.set(name, performance.now())
      }
      return stats
    },

    isSilent: (name: string) => silentSinceMs.has(name),
    /** Longer than any act keeps a machine busy. */
    isHung: (name: string) => performance.now() - (silentSinceMs.get(name) ?? Number.POSITIVE_INFINITY) > hungAfterMs,
  }
}

const groups = ['--cpu-total', '--vcpu', '--balloon', '--interface']
const togetherMs = 5000
const apartMs = 2000
const readersAtOnce = 4
const hungAfterMs = 15_000

function hasAnswered(stats: DomainStats | undefined): boolean {
  return stats?.has('balloon.rss') ?? false
}
