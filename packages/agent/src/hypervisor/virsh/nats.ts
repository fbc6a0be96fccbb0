import type { MachineDescription } from '@vps/shared/jobs.contract'
import { openScripts, readTables, succeeds } from './kept-scripts.js'
import { natScript, noNatScript, readNat, sampleNat } from './nat-rules.js'
import { works } from './run.js'
import { route } from './routing.js'
import type { Storage } from './storage.js'

const refused = '宿主机未能转发端口'

/** Shared addresses' ports that lead to machines: come and go with the definition. */
export function openNats(storage: Pick<Storage, 'scriptPath' | 'scripts'>) {
  const scripts = openScripts(storage, 'nat', refused)
  const read = async (serverId: string) => readNat(await scripts.read(serverId))
  const drop = async (serverId: string) => {
    if ((await read(serverId)) !== null) await scripts.drop(serverId, noNatScript(serverId))
  }
  return {
    /** None where its addresses are its own. */
    portsOf: async (serverId: string): Promise<string[]> => (await read(serverId))?.ports ?? [],

    /** Addresses that the host routes; none of a bridged machine. */
    routedTo: async (serverId: string): Promise<string[]> => (await read(serverId))?.machine ?? [],

    apply: (serverId: string, machine: MachineDescription): Promise<void> =>
      scripts.turn(async () => {
        const script = natScript(serverId, machine)
        if (script === null) return drop(serverId)
        await route(refused)
        await scripts.keep(serverId, script)
      }),

    remove: (serverId: string): Promise<void> => scripts.turn(() => drop(serverId)),

    /** What others took away: their tools flush all tables. */
    putBack: (): Promise<void> =>
      scripts.turn(async () => {
        const all = await scripts.ids()
        if (all.length === 0) return
        // Where it may not, the capacity tells (`routes`).
        await succeeds(() => route(refused))
        const isStanding = await readTables()
        for (const serverId of all) await scripts.putBack(await scripts.read(serverId), isStanding)
      }),
  }
}

export type Nats = ReturnType<typeof openNats>

/** Whether nft and kernel take such rules; only checked. */
export const natWorks = (): Promise<boolean> => works('nft', ['-c', '-f', '-'], { input: sampleNat })
