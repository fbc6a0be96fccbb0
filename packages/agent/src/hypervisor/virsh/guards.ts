import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostNetwork } from '@vps/shared/agent.contract'
import type { VirshSettings } from '../../config.js'
import type { WithTemporaryFolder } from '../../temporary.js'
import { readIfThere, writeDurably } from '../../files.js'
import { pause, takingTurns } from '../../wait.js'
import { HypervisorError, unlessAway } from '../hypervisor.js'
import { filterRef, filters, filterXml, type Guard, type GuardKind, guardedXml } from './guard-rules.js'
import { isGuarded, isOurPort, nftRules, noTable, portOf } from './guard-rules.js'
import { noNeighbours } from './neighbour-rules.js'
import { openNeighbours } from './neighbours.js'
import { parseDomain, parseList } from './parse.js'
import { run, unlessVerdict, works, type Virsh } from './run.js'

/** Tables of nftables, for the host's own unit to load before libvirt starts machines: no agent is there yet. */
const guardScript = (storageDir: string) => join(storageDir, 'guard.nft')
const neighboursScript = (storageDir: string) => join(storageDir, 'neighbours.nft')

/** The operator's choice must work, else tries; null: none. */
export async function probeGuard(
  virsh: Virsh,
  withTemporaryFolder: WithTemporaryFolder,
  { guard, storageDir }: Pick<VirshSettings, 'guard' | 'storageDir'>,
): Promise<GuardKind | null> {
  const kind = await chooseGuard(() => nwfilterWorks(virsh, writing(withTemporaryFolder)), guard)
  // Left from nftables, it would drop all unnamed ports.
  if (kind !== 'nftables') await removeTable(guardScript(storageDir), noTable)
  if (kind === null) await removeTable(neighboursScript(storageDir), noNeighbours)
  return kind
}

async function removeTable(atBoot: string, without: string): Promise<void> {
  await rm(atBoot, { force: true })
  await run('nft', ['-f', '-'], { input: without }).catch(() => {})
}

async function chooseGuard(
  nwfilter: () => Promise<boolean>,
  wanted: GuardKind | 'off' | null,
): Promise<GuardKind | null> {
  if (wanted === 'off') return null
  const tried = { nwfilter, nftables: nftWorks }
  if (wanted !== null) {
    if (await tried[wanted]()) return wanted
    throw new HypervisorError(
      `ADDRESS_GUARD=${wanted} does not work on this host: are nftables and ebtables installed?`,
    )
  }
  return (await tried.nwfilter()) ? 'nwfilter' : (await tried.nftables()) ? 'nftables' : null
}

/** By the rules of `guard-rules.ts` and `neighbour-rules.ts`. */
export function openGuards(
  virsh: Virsh,
  withTemporaryFolder: WithTemporaryFolder,
  kindOf: () => Promise<GuardKind | null>,
  storageDir: string,
) {
  const withFiles = writing(withTemporaryFolder)
  const defined = new Map<string, Guard>()
  // Each names all machines: the last to be written must not be the one that was begun first.
  const inTurn = takingTurns()
  const writeAll = () => inTurn(() => writeTable(defined, guardScript(storageDir)))
  const neighbours = openNeighbours(defined, neighboursScript(storageDir))
  const writeNeighbours = () => inTurn(neighbours.write)
  let readAll: Promise<void> | null = null

  /** Our table names all machines: the first write must know them. */
  function known(): Promise<void> {
    readAll ??= readGuards(virsh, note).catch((error: unknown) => {
      readAll = null
      throw error
    })
    return readAll
  }

  function note(serverId: string, guard: Guard | null): void {
    if (guard) defined.set(serverId, guard)
  }

  // Others' tools empty all tables when they reload theirs.
  async function ports(kind: GuardKind): Promise<Set<string>> {
    await known()
    const held = await (kind === 'nwfilter' ? inTurn(() => putBackFilters(virsh, withFiles)) : writeAll())
    const claiming = await writeNeighbours()
    return new Set([...held].filter((port) => !claiming.has(port)))
  }

  return {
    note,

    async admit(serverId: string, guard: Guard | null): Promise<void> {
      const kind = await kindOf()
      if (kind === null) return
      await known()
      note(serverId, guard)
      if (kind === 'nftables') await writeAll()
      await writeNeighbours()
    },

    forget: (serverId: string) => void defined.delete(serverId),

    /** Undefined where the host cannot. */
    async standing(): Promise<(serverId: string) => boolean | undefined> {
      const kind = await kindOf()
      if (kind === null) return () => undefined
      const held = await ports(kind).catch((error: unknown) => {
        unlessAway(error)
        return new Set<string>()
      })
      return (serverId) => held.has(portOf(serverId)) && existsSync(`/sys/class/net/${portOf(serverId)}`)
    },

    /** For earlier agents' machines; from their next start. `routers`: link-local ones, which no guest is. */
    async mend(
      networks: readonly HostNetwork[],
      routers: readonly string[],
      define: (xml: string) => Promise<void>,
    ): Promise<void> {
      const kind = await kindOf()
      if (kind === null) return
      if (await neighbours.learn(routers)) await writeNeighbours()
      for (const { serverId, addresses: single, prefixes } of networks) {
        const addresses = [...single, ...prefixes]
        const guard = defined.get(serverId)
        if (!guard || addresses.length === 0 || isGuarded(serverId, guard, addresses, kind)) continue
        const xml = await virsh(['dumpxml', '--inactive', '--security-info', serverId])
        await define(guardedXml(xml, serverId, addresses, kind))
      }
    },
  }
}

async function readGuards(virsh: Virsh, note: (serverId: string, guard: Guard | null) => void): Promise<void> {
  for (const { uuid } of parseList(await virsh(['list', '--all', '--uuid', '--name']))) {
    try {
      note(uuid, parseDomain(await virsh(['dumpxml', '--inactive', uuid])).guard)
    } catch (error) {
      // Gone since listed, or unreadable, which the inventory tells.
      unlessAway(error)
    }
  }
}

/**
 * libvirt starts no machine whose filter somebody has removed, and writes a filter at the machine's start alone. Where
 * others' tools have emptied all tables, its binding is made anew: nobody needs to restart the machine.
 */
async function putBackFilters(virsh: Virsh, withFiles: WithFiles): Promise<Set<string>> {
  const known = new Set(parseList(await virsh(['nwfilter-list'])).map(({ name }) => name))
  const missing = filters.filter(({ name }) => !known.has(name))
  if (missing.length > 0) await withFiles((write) => defineFilters(virsh, missing, write))
  const first = await readFilters(virsh)
  if (first.lost.length === 0) return first.held
  // A machine that starts just now has its binding first.
  await pause(startingMs)
  const { lost } = await readFilters(virsh)
  for (const port of lost) if (first.lost.includes(port)) await bindAgain(virsh, withFiles, port).catch(unlessAway)
  return filteredPorts()
}

const startingMs = 1000

async function readFilters(virsh: Virsh): Promise<{ held: Set<string>; lost: string[] }> {
  const bindings = (await virsh(['nwfilter-binding-list'])).split('\n')
  const bound = bindings.map((line) => line.trim().split(/\s+/)[0] ?? '').filter(isOurPort)
  const held = await filteredPorts()
  return { held, lost: bound.filter((port) => !held.has(port) && existsSync(`/sys/class/net/${port}`)) }
}

async function bindAgain(virsh: Virsh, withFiles: WithFiles, port: string): Promise<void> {
  await withFiles(async (write) => {
    const file = await write('binding', await virsh(['nwfilter-binding-dumpxml', port]))
    await virsh(['nwfilter-binding-delete', port])
    await virsh(['nwfilter-binding-create', file])
  })
}

type Write = (name: string, xml: string) => Promise<string>

async function defineFilters(virsh: Virsh, wanted: readonly (typeof filters)[number][], write: Write): Promise<void> {
  for (const filter of wanted) await virsh(['nwfilter-define', await write(filter.name, filterXml(filter))])
}

type WithFiles = ReturnType<typeof writing>

/** virsh reads XML from files; gone afterwards. */
const writing =
  (withTemporaryFolder: WithTemporaryFolder) =>
  <T>(act: (write: Write) => Promise<T>): Promise<T> =>
    withTemporaryFolder((folder) =>
      act(async (name, xml) => {
        const file = join(folder, name)
        await writeFile(file, xml)
        return file
      }),
    )

async function filteredPorts(): Promise<Set<string>> {
  const chains = await run('ebtables', ['-t', 'nat', '-L'])
  return new Set([...chains.matchAll(/^Bridge chain: libvirt-I-(\S+),/gm)].map(([, port = '']) => port))
}

async function writeTable(defined: ReadonlyMap<string, Guard>, atBoot: string): Promise<Set<string>> {
  const named = new Map([...defined].filter(([, { addresses }]) => addresses.length > 0))
  const rules = nftRules(named)
  await run('nft', ['-f', '-'], { input: rules })
  // On a full disk the next inventory does.
  if ((await readIfThere(atBoot)) !== rules) await writeDurably(atBoot, rules).catch(() => {})
  return new Set([...named.keys()].map(portOf))
}

/** On a port of our own: an old libvirt takes a filter that the host cannot carry out. */
async function nwfilterWorks(virsh: Virsh, withFiles: WithFiles): Promise<boolean> {
  const port = `vpsg${process.pid}`.slice(0, 15)
  try {
    return await withFiles(async (write) => {
      await defineFilters(virsh, filters, write)
      await run('ip', ['link', 'add', port, 'type', 'veth', 'peer', 'name', `${port}p`.slice(-15)])
      await virsh(['nwfilter-binding-create', await write('binding', bindingXml(port))])
      return (await run('ebtables', ['-t', 'nat', '-L'])).includes(`libvirt-I-${port}`)
    })
  } catch (error) {
    unlessVerdict(error)
    return false
  } finally {
    await virsh(['nwfilter-binding-delete', port]).catch(() => {})
    await run('ip', ['link', 'delete', port]).catch(() => {})
  }
}

function bindingXml(port: string): string {
  return `<filterbinding>
  <owner><name>${port}</name><uuid>00000000-0000-4000-8000-000000000001</uuid></owner>
  <portdev name='${port}'/>
  <mac address='52:54:00:00:00:01'/>
  ${filterRef(['192.0.2.1'])}
</filterbinding>
`
}

async function nftWorks(): Promise<boolean> {
  const probe = nftRules(
    new Map([
      ['00000000-0000-4000-8000-000000000001', { mac: '52:54:00:00:00:01', addresses: ['192.0.2.1', '2001:db8::1'] }],
    ]),
  )
  // Only checked: the real table must not be emptied.
  return works('nft', ['-c', '-f', '-'], { input: probe })
}

export type Guards = ReturnType<typeof openGuards>
