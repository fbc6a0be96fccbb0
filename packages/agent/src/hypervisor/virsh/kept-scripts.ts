import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { readIfThere, syncFolder, writeDurably } from '../../files.js'
import { HypervisorError } from '../hypervisor.js'
import { run } from './run.js'
import type { ScriptKind, Storage } from './storage.js'

/**
 * `nft` scripts, one of each kind beside a machine's disk: put back at every inventory, and at boot by the host's own
 * unit.
 */
export function openScripts(
  { scriptPath, scripts }: Pick<Storage, 'scriptPath' | 'scripts'>,
  kind: ScriptKind,
  refused: string,
) {
  const load = (script: string, ...options: string[]) => nft(script, refused, options)
  // What is put back must not be older than what is applied meanwhile.
  let last: Promise<unknown> = Promise.resolve()
  return {
    turn<Answer>(act: () => Promise<Answer>): Promise<Answer> {
      const mine = last.then(act, act)
      last = mine
      return mine
    },

    ids: () => scripts(kind),

    read: async (serverId: string): Promise<string> => (await readIfThere(scriptPath(serverId, kind))) ?? '',

    /** Checked, kept, loaded: all in the kernel is kept, and goes with the machine. */
    async keep(serverId: string, script: string): Promise<void> {
      await load(script, '-c')
      await writeDurably(scriptPath(serverId, kind), script)
      await load(script)
    },

    async drop(serverId: string, without: string): Promise<void> {
      await load(without)
      await rm(scriptPath(serverId, kind))
      await syncFolder(dirname(scriptPath(serverId, kind)))
    },

    /** Whether it holds, put back where others took it away (their tools flush all tables). */
    putBack: async (script: string, isStanding: (script: string) => boolean): Promise<boolean> =>
      isStanding(script) || succeeds(() => load(script)),
  }
}

/** Whether the kernel has all of a script's tables. */
export async function readTables(): Promise<(script: string) => boolean> {
  const listed = (await run('nft', ['list', 'tables']).catch(() => '')).split('\n')
  const tables = new Set(listed.map((line) => line.trim()))
  return (script) => [...script.matchAll(/^(table \S+ \S+) \{$/gm)].every(([, table = '']) => tables.has(table))
}

async function nft(script: string, refused: string, options: readonly string[]): Promise<void> {
  try {
    await run('nft', [...options, '-f', '-'], { input: script })
  } catch (error) {
    throw new HypervisorError(`nft: ${error instanceof Error ? error.message : String(error)}`, { customer: refused })
  }
}

/** Whether it did not throw. */
export const succeeds = (act: () => Promise<unknown>): Promise<boolean> =>
  act().then(
    () => true,
    () => false,
  )
