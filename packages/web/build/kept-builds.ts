import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** A deploy is tried more than once. */
export const buildsKept = 3

const assets = 'assets/'

/**
 * Processes and tabs of the builds before still ask for their files. `builds.json` names each build's, newest first.
 */
export function keptBuilds(): Plugin {
  return {
    name: 'kept-builds',
    apply: 'build',
    config: () => ({ build: { emptyOutDir: false } }),
    writeBundle({ dir = '.' }, bundle) {
      const list = join(dir, 'builds.json')
      const made = Object.keys(bundle)
        .filter((name) => name.startsWith(assets))
        .toSorted()
      const there = readdirSync(join(dir, assets)).map((name) => assets + name)
      const before: string[][] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [there]
      const others = before.filter((files) => files.join() !== made.join())
      const kept = [made, ...others].slice(0, buildsKept)
      const wanted = new Set(kept.flat())
      for (const name of there) if (!wanted.has(name)) rmSync(join(dir, name))
      writeFileSync(list, JSON.stringify(kept))
    },
  }
}
