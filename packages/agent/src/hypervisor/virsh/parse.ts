import { XMLParser } from 'fast-xml-parser'
import { generation } from '@vps/shared/jobs.contract'
import { readinessKinds } from '@vps/shared/jobs'
import * as z from 'zod'
import type { Access, FoundPower } from '../hypervisor.js'
import type { Guard } from './guard-rules.js'

/** Reads what libvirt prints for programs: `domstats --raw`, `dumpxml`, `list --uuid --name`. Pure. */

export type DomainStats = Map<string, number | string>

/** `domstats --raw` of any number of domains: name → figures. */
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

/** A figure, or null where libvirt gave none. */
export function figure(stats: DomainStats | undefined, name: string): number | null {
  const value = stats?.get(name)
  return typeof value === 'number' ? value : null
}

/** virDomainState as a number. Paused and suspended say nothing about what a customer would see: unknown. */
export function powerOf(stats: DomainStats | undefined): Exclude<FoundPower, 'absent'> {
  const state = figure(stats, 'state.state')
  // 1 running, 2 blocked, 4 shutting down (still on); 5 shut off, 6 crashed.
  if (state === 1 || state === 2 || state === 4) return 'on'
  return state === 5 || state === 6 ? 'off' : 'unknown'
}

/**
 * What libvirt says of a machine that is as nobody has asked for; null when nothing is wrong (or it is being moved
 * about).
 */
export function conditionOf(stats: DomainStats | undefined): 'crashed' | 'paused' | 'io-error' | null {
  const [state, reason] = [figure(stats, 'state.state'), figure(stats, 'state.reason')]
  if (state === 6 || (state === 5 && reason === 3)) return 'crashed'
  if (state !== 3) return null
  if (reason === 5) return 'io-error'
  // Unknown, by a user, by a watchdog, after a crash of the guest; the others are steps of libvirt's own acts.
  return [0, 1, 6, 10].includes(reason ?? 0) ? 'paused' : null
}

/**
 * Counts whatever a guest does with its disks and sends to its network: the same text twice means that nothing has
 * moved. Null where its QEMU did not say, which the disks' figures alone tell: the host itself counts packets. CPU time
 * is left out, since a boot loader or kernel that has given up idles or spins, as it likes.
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

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: true,
  isArray: (name, path) =>
    typeof path === 'string' && ['domain.devices.disk', 'domain.devices.interface'].includes(path),
})

const device = z.looseObject({ source: z.looseObject({ '@file': z.string().optional() }).or(z.literal('')).optional() })
/** An element with a number in it, with or without attributes. */
const amount = z
  .union([
    z.string().transform((text) => ({ '#text': text, '@unit': undefined })),
    z.looseObject({ '#text': z.string(), '@unit': z.string().optional() }),
  ])
  .transform((element) => ({ value: Number(element['#text']), unit: element['@unit'] ?? 'KiB' }))
/** A limit on what comes to a machine, or goes from it, in KiB/s. */
const rate = z.looseObject({ '@average': z.coerce.number() }).optional()
const domainXml = z.object({
  domain: z.looseObject({
    memory: amount.optional(),
    vcpu: amount.optional(),
    metadata: z
      // Others may have an element of this name with anything in it.
      .looseObject({ server: z.unknown() })
      .or(z.literal(''))
      .optional(),
    devices: z.looseObject({
      disk: z
        .array(device.extend({ '@device': z.string().optional(), target: z.looseObject({ '@dev': z.string() }) }))
        .default([]),
      interface: z
        .array(
          z.looseObject({
            mac: z.looseObject({ '@address': z.string() }).optional(),
            target: z.looseObject({ '@dev': z.string().optional() }).optional(),
            filterref: z.looseObject({ '@filter': z.string() }).optional(),
            bandwidth: z.looseObject({ inbound: rate, outbound: rate }).or(z.literal('')).optional(),
          }),
        )
        .default([]),
    }),
  }),
})

const serverMetadata = z.object({
  '@epoch': z.coerce.number().pipe(generation.shape.epoch),
  '@number': z.coerce.number().pipe(generation.shape.number),
  '@address': z.string(),
  '@port': z.coerce.number(),
  '@username': z.string(),
  '@readiness': z.enum(readinessKinds),
  '@disk': z.coerce.number().optional(),
  '@addresses': z.string().default(''),
})

/** What we need from a domain's XML; generation and access are null where the domain was not made by us. */
export function parseDomain(xml: string) {
  const { domain } = domainXml.parse(parser.parse(xml))
  const metadata = domain.metadata ? serverMetadata.safeParse(domain.metadata.server) : null
  const made = metadata?.success ? metadata.data : null
  const access: Access | null = made && {
    address: made['@address'],
    port: made['@port'],
    username: made['@username'],
    readiness: made['@readiness'],
  }
  const [port] = domain.devices.interface
  const guard: Guard | null =
    made && port?.mac
      ? {
          mac: port.mac['@address'],
          addresses: made['@addresses'].split(' ').filter((address) => address !== ''),
          port: port.target?.['@dev'] ?? null,
          filter: port.filterref?.['@filter'] ?? null,
        }
      : null
  const bandwidth = port?.bandwidth || null
  const seedDrive = domain.devices.disk.find((disk) => disk['@device'] === 'cdrom')
  const seed = seedDrive?.source ? (seedDrive.source['@file'] ?? null) : null
  return {
    generation: made && { epoch: made['@epoch'], number: made['@number'] },
    access,
    size: domain.memory &&
      domain.vcpu && {
        cpuCores: domain.vcpu.value,
        memoryMb: domain.memory.unit === 'MiB' ? domain.memory.value : Math.round(domain.memory.value / 1024),
        diskGb: made?.['@disk'] ?? null,
      },
    guard,
    /** As defined; 0 means unlimited. */
    bandwidthMbps: { inbound: mbps(bandwidth?.inbound), outbound: mbps(bandwidth?.outbound) },
    macs: domain.devices.interface.flatMap(({ mac }) => (mac ? [mac['@address']] : [])),
    seedDrive: seedDrive ? seedDrive.target['@dev'] : null,
    seed,
  }
}

/** The other way round than `kibPerSecond`; a limit, however small, is one. */
function mbps(rate: { '@average': number } | undefined): number {
  return rate ? Math.max(1, Math.round((rate['@average'] * 1024 * 8) / 1_000_000)) : 0
}
