import { readFile, stat } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import type { DomainReport, Report } from '@vps/shared/agent.contract'
import { domainName } from './domain-xml.js'
import type { Guest } from './guest.js'
import { openFigures } from './figures.js'
import { type DomainStats, figure } from './parse.js'
import { type Domain, readDomains } from './read-domains.js'
import type { Virsh } from './run.js'
import type { Storage } from './storage.js'

const diskEveryMs = 60_000
const silentEveryMs = 5_000

/** Percentages are since the last reading. */
export function openMeasure(virsh: Virsh, storage: Storage, guest: Guest) {
  const figures = openFigures(virsh)
  const cpu = openCpuMeter()
  const disk = openDiskMeter(guest)
  const renamed = new Set<string>()

  async function domain(
    { uuid: serverId, name, power, condition }: Domain,
    stats: DomainStats | undefined,
  ): Promise<DomainReport> {
    if (power !== 'on') {
      cpu.forget(serverId)
      disk.forget(serverId)
      return { ...nothing, serverId, power, condition: condition && (await storage.causeOf(condition, serverId)) }
    }
    if (figures.isHung(name)) return { ...nothing, serverId, power: 'unknown', condition: 'hung' }
    if (!stats || figures.isSilent(name)) return { ...nothing, serverId, power }
    const uptimeSeconds = await uptime(name)
    return {
      serverId,
      power,
      condition: null,
      cpuUsage: cpu.usage(serverId, stats, uptimeSeconds),
      memoryUsage: memoryUsage(stats),
      diskUsage: disk.usage(serverId),
      uptimeSeconds,
      rxBytes: traffic(stats, 'rx'),
      txBytes: traffic(stats, 'tx'),
    }
  }

  async function domains(): Promise<Report['domains']> {
    const all = await readDomains(virsh)
    const running = all.filter(({ power }) => power === 'on').map(({ name }) => name)
    const stats = await figures.read(running)
    const told: Report['domains'] = []
    const isOurs = ({ uuid, name }: Domain) => name === domainName(uuid) || renamed.has(uuid)
    for (const one of all) if (isOurs(one)) told.push(await domain(one, stats.get(one.name)))
    return told
  }

  return {
    host: openHostMeter(storage),
    domains,
    /** Ours, by the last inventory, though their names no longer say so. */
    noteRenamed: (all: readonly { uuid: string; renamed?: boolean | undefined }[]) => {
      renamed.clear()
      for (const one of all) if (one.renamed) renamed.add(one.uuid)
    },
  }
}

function traffic(stats: DomainStats, way: 'rx' | 'tx'): number | null {
  const ports = [...stats.keys()].filter((name) => /^net\.\d+\./.test(name) && name.endsWith(`.${way}.bytes`))
  const bytes = ports.map((name) => figure(stats, name)).filter((one) => one !== null)
  return bytes.length > 0 ? bytes.reduce((sum, one) => sum + one, 0) : null
}

function openCpuMeter() {
  const last = new Map<string, { atMs: number; ns: number }>()

  function usage(serverId: string, stats: DomainStats, uptimeSeconds: number | null): number | null {
    const ns = figure(stats, 'cpu.time')
    if (ns === null) return null
    const now = { atMs: performance.now(), ns }
    const before = last.get(serverId)
    last.set(serverId, now)
    // A smaller counter: started again.
    const known = before && ns >= before.ns ? before : null
    const from = known ?? (uptimeSeconds === null ? null : { atMs: now.atMs - uptimeSeconds * 1000, ns: 0 })
    if (!from || now.atMs - from.atMs < 100) return null
    const cores = figure(stats, 'vcpu.current') ?? 1
    return percent((ns - from.ns) / 1e6, (now.atMs - from.atMs) * cores)
  }

  return { usage, forget: (serverId: string) => void last.delete(serverId) }
}

/** Asked aside, one at a time: a report never waits for a guest. */
function openDiskMeter(guest: Guest) {
  const last = new Map<string, { atMs: number; usage: number | null }>()
  const asked = new Set<string>()
  let asking = Promise.resolve()

  function usage(serverId: string): number | null {
    const known = last.get(serverId)
    const everyMs = known?.usage == null ? silentEveryMs : diskEveryMs
    if (!asked.has(serverId) && (!known || performance.now() - known.atMs > everyMs)) {
      asked.add(serverId)
      asking = asking.then(async () => {
        last.set(serverId, { atMs: performance.now(), usage: await guest.diskUsage(serverId) })
        asked.delete(serverId)
      })
    }
    return known?.usage ?? null
  }

  return { usage, forget: (serverId: string) => void last.delete(serverId) }
}

function openHostMeter(storage: Storage) {
  let last = hostCpu()
  return async (): Promise<Report['host']> => {
    const now = hostCpu()
    const cpuUsage = now.all > last.all ? percent(now.busy - last.busy, now.all - last.all) : null
    last = now
    const memory = await readFile('/proc/meminfo', 'utf8')
    const kb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(memory)?.[1] ?? Number.NaN)
    return {
      cpuUsage,
      memoryUsage: percent(kb('MemTotal') - kb('MemAvailable'), kb('MemTotal')),
      diskUsage: await storage.usage().catch(() => null),
      load1: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    }
  }
}

const nothing = {
  condition: null,
  cpuUsage: null,
  memoryUsage: null,
  diskUsage: null,
  uptimeSeconds: null,
  rxBytes: null,
  txBytes: null,
}

/** From the balloon driver: caches count as usable. */
export function memoryUsage(stats: DomainStats): number | null {
  const available = figure(stats, 'balloon.available')
  const usable = figure(stats, 'balloon.usable') ?? figure(stats, 'balloon.unused')
  return available === null || usable === null ? null : percent(available - usable, available)
}

function percent(part: number, whole: number): number | null {
  if (!(whole > 0) || Number.isNaN(part)) return null
  return Math.min(100, Math.max(0, Math.round((1000 * part) / whole) / 10))
}

/** libvirt writes the pid file at the start. */
async function uptime(name: string): Promise<number | null> {
  const file = await stat(`/run/libvirt/qemu/${name}.pid`).catch(() => null)
  return file ? Math.max(0, Math.floor((Date.now() - file.mtimeMs) / 1000)) : null
}

function hostCpu(): { busy: number; all: number } {
  let busy = 0
  let all = 0
  for (const { times } of cpus()) {
    const total = times.user + times.nice + times.sys + times.idle + times.irq
    busy += total - times.idle
    all += total
  }
  return { busy, all }
}
