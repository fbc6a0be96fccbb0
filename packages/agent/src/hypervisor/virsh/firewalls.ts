import { access, writeFile } from 'node:fs/promises'
import type { Firewall } from '@vps/shared/firewall'
import { firewallScript, noFirewallScript, readScript } from './firewall-rules.js'
import { openScripts, readTables, succeeds } from './kept-scripts.js'
import type { Nats } from './nats.js'
import { run } from './run.js'
import type { Storage } from './storage.js'

/**
 * Each firewall's script is kept beside its disk, and is what the kernel has. A port's name never changes: its rules
 * hold through stops and starts, without libvirt and the agent.
 */
export function openFirewalls(storage: Pick<Storage, 'scriptPath' | 'scripts'>, nats: Pick<Nats, 'routedTo'>) {
  const scripts = openScripts(storage, 'firewall', '宿主机未能应用防火墙规则')
  const keptOf = async (serverId: string) => readScript(await scripts.read(serverId))

  return {
    revisionOf: async (serverId: string): Promise<number | null> => (await keptOf(serverId))?.revision ?? null,

    apply: (serverId: string, revision: number, firewall: Firewall): Promise<void> =>
      scripts.turn(async () => {
        if (((await keptOf(serverId))?.revision ?? 0) > revision) return
        if (firewall.enabled) await seeBridged()
        await scripts.keep(serverId, firewallScript(serverId, revision, firewall, await nats.routedTo(serverId)))
      }),

    remove: (serverId: string): Promise<void> =>
      scripts.turn(async () => {
        if ((await keptOf(serverId)) !== null) await scripts.drop(serverId, noFirewallScript(serverId))
      }),

    /** Puts back what others took away; gives the revisions that hold. */
    standing: (): Promise<Map<string, number>> =>
      scripts.turn(async () => {
        const all = await scripts.ids()
        if (all.length === 0) return new Map()
        // Where connections cannot be told, none holds.
        const isStanding = (await succeeds(seeBridged)) ? await readTables() : () => false
        const revisions = await Promise.all(all.map((serverId) => standingOf(serverId, isStanding)))
        return new Map(revisions.flatMap((one) => one ?? []))
      }),
  }

  async function standingOf(serverId: string, isStanding: (script: string) => boolean) {
    const script = await scripts.read(serverId)
    const kept = readScript(script)
    if (!kept) return null
    const holds = !kept.enabled || (await scripts.putBack(script, isStanding))
    return holds ? [[serverId, kept.revision] as const] : null
  }
}

export type Firewalls = ReturnType<typeof openFirewalls>

/** Bridged frames, so that connections are known. */
async function seeBridged(): Promise<void> {
  const settings = '/proc/sys/net/bridge'
  if (!(await succeeds(() => access(settings)))) await run('modprobe', ['br_netfilter'])
  for (const family of ['iptables', 'ip6tables']) await writeFile(`${settings}/bridge-nf-call-${family}`, '1')
}
