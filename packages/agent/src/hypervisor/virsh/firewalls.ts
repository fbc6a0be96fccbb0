import { access, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Firewall } from '@vps/shared/firewall'
import { readIfThere, syncFolder, writeDurably } from '../../files.js'
import { HypervisorError } from '../hypervisor.js'
import { firewallScript, firewallTable, noFirewallScript, readScript, stateTable } from './firewall-rules.js'
import { run } from './run.js'
import type { Storage } from './storage.js'

/**
 * Customers' firewalls: the script of each is kept beside its disk, and is what the kernel has. A machine's port has
 * one name for ever, so its rules hold through its stops and starts, and without libvirt and the agent.
 */
export function openFirewalls(storage: Pick<Storage, 'firewallPath' | 'firewalls'>) {
  const scriptOf = async (serverId: string) => (await readIfThere(storage.firewallPath(serverId))) ?? ''
  const keptOf = async (serverId: string) => readScript(await scriptOf(serverId))
  // What is put back must not be older than what is applied meanwhile.
  let last: Promise<unknown> = Promise.resolve()
  const turn = <Answer>(act: () => Promise<Answer>): Promise<Answer> => {
    const mine = last.then(act, act)
    last = mine
    return mine
  }

  return {
    revisionOf: async (serverId: string): Promise<number | null> => (await keptOf(serverId))?.revision ?? null,

    /** Checked, kept, loaded: whatever the kernel has is kept, so that it goes with the machine. */
    apply: (serverId: string, revision: number, firewall: Firewall): Promise<void> =>
      turn(async () => {
        if (((await keptOf(serverId))?.revision ?? 0) > revision) return
        const script = firewallScript(serverId, revision, firewall)
        if (firewall.enabled) await seeBridged()
        await nft(script, '-c')
        await writeDurably(storage.firewallPath(serverId), script)
        await nft(script)
      }),

    remove: (serverId: string): Promise<void> =>
      turn(async () => {
        if ((await keptOf(serverId)) === null) return
        await nft(noFirewallScript(serverId))
        await rm(storage.firewallPath(serverId))
        await syncFolder(dirname(storage.firewallPath(serverId)))
      }),

    /** Puts back what others have taken away (their tools flush all tables), and gives the revisions that hold. */
    standing: (): Promise<Map<string, number>> =>
      turn(async () => {
        const all = await storage.firewalls()
        if (all.length === 0) return new Map()
        const isStanding = await readTables()
        const revisions = await Promise.all(all.map((serverId) => standingOf(serverId, isStanding)))
        return new Map(revisions.flatMap((one) => one ?? []))
      }),
  }

  async function standingOf(serverId: string, isStanding: (table: string) => boolean) {
    const script = await scriptOf(serverId)
    const kept = readScript(script)
    if (!kept) return null
    const holds = !kept.enabled || isStanding(firewallTable(serverId)) || (await succeeds(() => nft(script)))
    return holds ? [[serverId, kept.revision] as const] : null
  }
}

export type Firewalls = ReturnType<typeof openFirewalls>

/** None is where what tells connections is not. */
async function readTables(): Promise<(table: string) => boolean> {
  const seesBridged = await succeeds(seeBridged)
  const tables = new Set((await run('nft', ['list', 'tables']).catch(() => '')).split(/\s+/))
  return (table) => seesBridged && tables.has(stateTable) && tables.has(table)
}

/** All that is bridged on this host, so that connections are known. */
async function seeBridged(): Promise<void> {
  const settings = '/proc/sys/net/bridge'
  if (!(await succeeds(() => access(settings)))) await run('modprobe', ['br_netfilter'])
  for (const family of ['iptables', 'ip6tables']) await writeFile(`${settings}/bridge-nf-call-${family}`, '1')
}

async function nft(script: string, ...options: string[]): Promise<void> {
  try {
    await run('nft', [...options, '-f', '-'], { input: script })
  } catch (error) {
    throw new HypervisorError(`nft: ${error instanceof Error ? error.message : String(error)}`, {
      customer: '宿主机未能应用防火墙规则',
    })
  }
}

const succeeds = (act: () => Promise<unknown>): Promise<boolean> =>
  act().then(
    () => true,
    () => false,
  )
