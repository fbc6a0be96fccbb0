import { rm } from 'node:fs/promises'
import { readIfThere, writeDurably } from '../../files.js'
import type { Guard } from './guard-rules.js'
import { succeeds } from './kept-scripts.js'
import { neighbourPorts, neighbourScript, routersIn } from './neighbour-rules.js'
import { run } from './run.js'

/** By the rules of `neighbour-rules.ts`. `defined`: all machines; `atBoot`: the table's script. */
export function openNeighbours(defined: ReadonlyMap<string, Guard>, atBoot: string) {
  let routers: readonly string[] | null = null
  const known = async () => (routers ??= routersIn((await readIfThere(atBoot)) ?? ''))
  return {
    /** Whether they are others than before. */
    async learn(now: readonly string[]): Promise<boolean> {
      const before = await known()
      routers = now
      return before.join(' ') !== now.join(' ')
    },

    /** The ports that may claim what is not theirs, where the host cannot. */
    async write(): Promise<ReadonlySet<string>> {
      const ports = neighbourPorts(defined)
      const kept = await readIfThere(atBoot)
      if (ports.size === 0 && kept === null) return ports
      const script = neighbourScript(defined, await known())
      if (!(await succeeds(() => run('nft', ['-f', '-'], { input: script })))) return ports
      if (ports.size === 0) await rm(atBoot, { force: true })
      // On a full disk the next inventory does.
      else if (kept !== script) await writeDurably(atBoot, script).catch(() => {})
      return new Set()
    },
  }
}
