import { median, type Measured } from '../world/row.js'
import type { Load } from '../world/load.js'
import type { World } from '../world/world.js'

export type Length = { rounds: number; seconds: number }

/** In turns, so that a disturbance hits all; medians of the rounds. */
export async function inTurns<K extends string>(
  world: World,
  { rounds }: Length,
  acts: Record<K, () => Promise<Load>>,
): Promise<Record<K, Measured>> {
  const names = Object.keys(acts) as K[]
  const seen = Object.fromEntries(names.map((name) => [name, [] as Measured[]])) as Record<K, Measured[]>
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      await world.claimAll()
      const before = world.cpuMs()
      const load = await acts[name]()
      const after = world.cpuMs()
      const cpuMs = {
        api: (after.api - before.api) / load.done,
        postgres: (after.postgres - before.postgres) / load.done,
      }
      seen[name].push({ perSecond: load.perSecond, p99Ms: load.p99Ms, cpuMs })
    }
  }
  return Object.fromEntries(names.map((name) => [name, medianOf(seen[name])])) as Record<K, Measured>
}

function medianOf(rounds: readonly Measured[]): Measured {
  const of = (figure: (one: Measured) => number) => median(rounds.map(figure))
  return {
    perSecond: of((one) => one.perSecond),
    p99Ms: of((one) => one.p99Ms),
    cpuMs: { api: of((one) => one.cpuMs?.api ?? 0), postgres: of((one) => one.cpuMs?.postgres ?? 0) },
  }
}
