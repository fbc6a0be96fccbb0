import type { Element } from '@xmldom/xmldom'
import { generation } from '@vps/shared/jobs.contract'
import { readinessKinds } from '@vps/shared/jobs'
import * as z from 'zod'
import type { Access, FoundPower } from '../hypervisor.js'
import type { Guard } from './guard-rules.js'
import { attributeAt, attributesOf, driveOf, elementsAt, ourNote, readXml, sourceIn } from './xml.js'

/** What libvirt prints for programs: `domstats --raw`, `dumpxml`, `list --uuid --name`. Pure. */

export type DomainStats = Map<string, number | string>

/** By domain name. */
export function parseStats(text: string): Map<string, DomainStats> {
  const domains = new Map<string, DomainStats>()
  let current: DomainStats | null = null
  for (const line of text.split('\n')) {
    const head = /^Domain: '(.*)'$/.exec(line)
    if (head) {
      current = new Map()
      domains.set(head[1] ?? '', current)
      continue
    }
    const split = line.indexOf('=')
    if (!current || split < 0) continue
    const value = line.slice(split + 1)
    current.set(line.slice(0, split).trim(), /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value)
  }
  return domains
}

/** Null where libvirt gave none. */
export function figure(stats: DomainStats | undefined, name: string): number | null {
  const value = stats?.get(name)
  return typeof value === 'number' ? value : null
}

/** virDomainState. Paused and suspended say nothing a customer would see: unknown. */
export function powerOf(stats: DomainStats | undefined): Exclude<FoundPower, 'absent'> {
  const state = figure(stats, 'state.state')
  // 1 running, 2 blocked, 4 shutting down (still on); 5 shut off, 6 crashed.
  if (state === 1 || state === 2 || state === 4) return 'on'
  return state === 5 || state === 6 ? 'off' : 'unknown'
}

/** Null: nothing is wrong, or libvirt is moving it. */
export function conditionOf(stats: DomainStats | undefined): 'crashed' | 'paused' | 'io-error' | null {
  const [state, reason] = [figure(stats, 'state.state'), figure(stats, 'state.reason')]
  if (state === 6 || (state === 5 && reason === 3)) return 'crashed'
  if (state !== 3) return null
  if (reason === 5) return 'io-error'
  // Unknown, by a user, by a watchdog, after a crash of the guest; the others are libvirt's own steps.
  return [0, 1, 6, 10].includes(reason ?? 0) ? 'paused' : null
}

/** Off, as it could not be started, or libvirt lost it at its own start. */
export function failedToStart(stats: DomainStats | undefined): boolean {
  return figure(stats, 'state.state') === 5 && [6, 8].includes(figure(stats, 'state.reason') ?? 0)
}

/**
 * The same text twice: disks and network were still. Null where QEMU did not say, by the disks: the host counts
 * packets. Not CPU time: a boot loader or kernel that gave up idles or spins.
 */
export function movementOf(stats: DomainStats | undefined): string | null {
  const counters = [...(stats ?? [])].filter(([name]) => /^(block\.\d+\.(rd|wr)\.reqs|net\.\d+\.tx\.pkts)$/.test(name))
  return counters.some(([name]) => name.startsWith('block')) ? JSON.stringify(counters) : null
}

/** `list --all --uuid --name`. */
export function parseList(text: string): { uuid: string; name: string }[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [uuid = '', ...name] = line.split(/\s+/)
      return { uuid, name: name.join(' ') }
    })
}

const serverMetadata = z.object({
  epoch: z.coerce.number().pipe(generation.shape.epoch),
  number: z.coerce.number().pipe(generation.shape.number),
  address: z.string(),
  port: z.coerce.number(),
  username: z.string(),
  readiness: z.enum(readinessKinds),
  disk: z.coerce.number().optional(),
  addresses: z.string().default(''),
  reverted: z.string().optional(),
  rescue: z.string().optional(),
  iso: z.string().optional(),
})

/** Generation and access are null where not made by us. */
export function parseDomain(xml: string) {
  const domain = readXml(xml)
  const note = ourNote(domain)
  const made = serverMetadata.safeParse(note && attributesOf(note)).data ?? null
  const access: Access | null = made && {
    address: made.address,
    port: made.port,
    username: made.username,
    readiness: made.readiness,
  }
  const ports = elementsAt(domain, 'devices/interface')
  const drive = driveOf(domain)
  const disks = elementsAt(domain, 'devices/disk').filter((disk) => disk.getAttribute('device') === 'disk')
  // A rescue system's comes first.
  const own = disks[made?.rescue === undefined ? 0 : 1]
  const [memory, vcpu] = [elementsAt(domain, 'memory')[0], elementsAt(domain, 'vcpu')[0]]
  const [current = memory] = elementsAt(domain, 'currentMemory')
  return {
    generation: made && { epoch: made.epoch, number: made.number },
    access,
    size: memory && vcpu && { cpuCores: coresOf(vcpu), memoryMb: megabytes(memory), diskGb: made?.disk ?? null },
    /** Where it is not all: somebody took some. */
    currentMemoryMb: current && memory && megabytes(current) !== megabytes(memory) ? megabytes(current) : undefined,
    guard: made && ports[0] ? guardOf(ports[0], made.addresses) : null,
    /** Empty: neither a file nor a device. */
    diskPath: (own && sourceIn(own)) ?? '',
    revertedBy: made?.reverted ?? null,
    rescueId: made?.rescue ?? null,
    iso:
      made?.iso === undefined
        ? null
        : { id: made.iso, boots: elementsAt(domain, 'os/boot')[0]?.getAttribute('dev') === 'cdrom' },
    bandwidthMbps: { inbound: mbps(ports[0], 'inbound'), outbound: mbps(ports[0], 'outbound') },
    macs: ports.flatMap((port) => attributeAt(port, 'mac', 'address') ?? []),
    drive: drive ? attributeAt(drive, 'target', 'dev') : null,
    medium: drive ? attributeAt(drive, 'source', 'file') : null,
  }
}

/** Of one that runs: the bridge of its port, also where a network of libvirt's has made it. */
export function bridgeIn(xml: string, port: string): string | null {
  const ports = elementsAt(readXml(xml), 'devices/interface')
  const own = ports.find((one) => attributeAt(one, 'target', 'dev') === port)
  return own ? attributeAt(own, 'source', 'bridge') : null
}

/** QEMU's name of the drive, of one that runs. */
export function driveAlias(xml: string): string | null {
  const drive = driveOf(readXml(xml))
  return drive ? attributeAt(drive, 'alias', 'name') : null
}

/** Of one that runs: something in it listens to the host. */
export const hasAgent = (xml: string): boolean =>
  elementsAt(readXml(xml), 'devices/channel/target').some(
    (target) =>
      target.getAttribute('name') === 'org.qemu.guest_agent.0' && target.getAttribute('state') === 'connected',
  )

function guardOf(port: Element, addresses: string): Guard | null {
  const mac = attributeAt(port, 'mac', 'address')
  return mac === null
    ? null
    : {
        mac,
        addresses: addresses.split(' ').filter((address) => address !== ''),
        port: attributeAt(port, 'target', 'dev'),
        filter: attributeAt(port, 'filterref', 'filter'),
      }
}

/** Of as many as there could be. */
const coresOf = (vcpu: Element): number => Number(vcpu.getAttribute('current') ?? vcpu.textContent)

function megabytes(memory: Element): number {
  const amount = Number(memory.textContent)
  return memory.getAttribute('unit') === 'MiB' ? amount : Math.round(amount / 1024)
}

/** Reverses `kibPerSecond`; a limit stays one. */
function mbps(port: Element | undefined, direction: 'inbound' | 'outbound'): number {
  const kib = port ? attributeAt(port, `bandwidth/${direction}`, 'average') : null
  return kib === null ? 0 : Math.max(1, Math.round((Number(kib) * 1024 * 8) / 1_000_000))
}
