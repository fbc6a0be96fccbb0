import * as z from 'zod'
import { downloadUrl, transferStatuses } from './agent.js'
import { allFindingKinds, type FindingKind } from './findings.js'
import type { PlacementStrategy } from './catalogue.js'
import { readinessKinds } from './jobs.js'
import { metricRanges, type ServerSpec } from './servers.js'
import { text } from './text.js'

export const hostStatuses = ['ENROLLING', 'READY', 'DRAINING', 'MAINTENANCE', 'LOST', 'RETIRED'] as const
export type HostStatus = (typeof hostStatuses)[number]

/** A host as placement sees it: memory in MB, disk in GB, `cpuRoom` already with overcommit. Used includes what is releasing. */
export type HostRoom = {
  id: string
  status: HostStatus
  /** Seconds since the agent was last heard; null never. */
  silentSeconds: number | null
  cpuRoom: number
  memoryRoomMb: number
  diskRoomGb: number
  freeAddresses: number
  images: readonly string[]
  /** Servers of the buyer that are on it already. */
  sameCustomer: number
}

/** An agent not heard for this long gets no new servers. */
export const livingAgentSeconds = 60

/** Whether one more server of this size, on this image, has room on the host. */
export function fits(host: HostRoom, spec: ServerSpec, imageFile: string | null): boolean {
  return (
    host.status === 'READY' &&
    host.silentSeconds !== null &&
    host.silentSeconds <= livingAgentSeconds &&
    host.cpuRoom >= spec.cpuCores &&
    host.memoryRoomMb >= spec.memoryGb * 1024 &&
    host.diskRoomGb >= spec.storageGb &&
    host.freeAddresses >= spec.ipCount &&
    (imageFile === null || host.images.includes(imageFile))
  )
}

/**
 * Which host takes a server: of those with room, first one with the fewest servers of the same customer, so that one host
 * cannot take all of somebody down; then by the group's strategy, the most memory left (spread) or the least (pack); ties by
 * id, so that the answer is the same everywhere. `avoid` lists hosts that were tried before. Null when there is no room.
 */
export function place<T extends HostRoom>(
  hosts: readonly T[],
  spec: ServerSpec,
  imageFile: string | null,
  { avoid = [], strategy = 'spread' }: { avoid?: readonly string[]; strategy?: PlacementStrategy } = {},
): T | null {
  const left = (a: T, b: T) =>
    strategy === 'spread' ? b.memoryRoomMb - a.memoryRoomMb : a.memoryRoomMb - b.memoryRoomMb
  return (
    hosts
      .filter((host) => !avoid.includes(host.id) && fits(host, spec, imageFile))
      .toSorted((a, b) => a.sameCustomer - b.sameCustomer || left(a, b) || (a.id < b.id ? -1 : 1))[0] ?? null
  )
}

/** The worst first. */
export const hostTroubleLevels = ['away', 'faulty', 'degraded'] as const
type HostTrouble = (typeof hostTroubleLevels)[number]

/**
 * Findings that say something of their host as a whole, and how bad that is. An `away` host can do nothing just now, and a
 * `faulty` one takes nothing new.
 */
export const hostTroubles = {
  'libvirt-away': 'away',
  'network-away': 'away',
  'disk-full-domain': 'faulty',
  'io-error-domain': 'faulty',
  'hung-domain': 'degraded',
  'no-address-guard': 'degraded',
  'no-bandwidth-limit': 'degraded',
} as const satisfies Partial<Record<FindingKind, HostTrouble>>

const label = z
  .string({ error: text.required })
  .trim()
  .min(1, { error: text.required })
  .max(100, { error: '最多 100 个字符' })

/** A host as operators see it. Memory in MB, disk in GB; percentages 0-100. */
export const hostView = z.object({
  id: z.uuid(),
  name: z.string(),
  status: z.enum(hostStatuses),
  alive: z.boolean(),
  hypervisor: z.string().nullable(),
  hypervisorVersion: z.string().nullable(),
  agentVersion: z.string().nullable(),
  lastSeenAt: z.string().nullable(),
  cpuCores: z.int(),
  cpuOvercommit: z.number(),
  usedCpu: z.int(),
  memoryMb: z.int(),
  reservedMemoryMb: z.int(),
  usedMemoryMb: z.int(),
  diskGb: z.int(),
  usedDiskGb: z.int(),
  cpuUsage: z.number().nullable(),
  memoryUsage: z.number().nullable(),
  diskUsage: z.number().nullable(),
  servers: z.int(),
  releasing: z.int(),
  openJobs: z.int(),
  findings: z.int(),
  /** Null when nothing is known to be wrong with it; the worst of what is, since when, and as which findings. */
  trouble: z
    .object({ level: z.enum(hostTroubleLevels), since: z.string(), kinds: z.array(z.enum(allFindingKinds)) })
    .nullable(),
  images: z.array(z.string()),
  groups: z.array(z.object({ id: z.uuid(), name: z.string() })),
  pools: z.array(z.object({ id: z.uuid(), name: z.string() })),
  /** Of its servers, and still free in the pools that it draws from (others may draw from them, too). */
  addresses: z.object({ used: z.int(), free: z.int() }),
  bridge: z.string().nullable(),
  version: z.int(),
})
export type HostView = z.infer<typeof hostView>

/** How busy a host was: means per step, oldest first; null where it told nothing. Percentages 0-100, load as the kernel counts it. */
export const hostLoad = z.object({
  range: z.enum(metricRanges),
  stepSeconds: z.int(),
  points: z.array(
    z.object({
      at: z.string(),
      cpuUsage: z.number().nullable(),
      memoryUsage: z.number().nullable(),
      diskUsage: z.number().nullable(),
      load1: z.number().nullable(),
    }),
  ),
})
export type HostLoad = z.infer<typeof hostLoad>

const bridge = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9._-]{1,15}$/, { error: '网桥名称格式不正确' })
  .nullish()
  .transform((name) => name ?? null)
/** Was a setting once. It must not be passed over in silence: the machines would be on another network than was meant. */
const vlan = z
  .null({ error: '不支持 VLAN：请在宿主机上为该 VLAN 建立网桥，并填写网桥名称' })
  .optional()
  .transform(() => undefined)
const hostSettings = {
  name: label,
  groupIds: z.array(z.uuid()).max(100),
  poolIds: z.array(z.uuid()).max(100),
  cpuOvercommit: z
    .number({ error: '超售比需为1-16' })
    .min(1, { error: '超售比需为1-16' })
    .max(16, { error: '超售比需为1-16' })
    .default(4),
  reservedMemoryMb: z.int({ error: '请输入整数' }).min(0).default(0),
  bridge,
  vlan,
}
export const createHostInput = z.object(hostSettings)
/** `version` as it was read: CONFLICT where another operator saved meanwhile; absent: saved as it is. */
export const updateHostInput = z.object({ id: z.uuid(), ...hostSettings, version: z.int().optional() })

/** Who may put a host into which state by hand. ENROLLING and READY come from the agent's enrolment; LOST frees its places. */
export const hostMoves = [
  { from: 'READY', to: 'DRAINING' },
  { from: 'READY', to: 'MAINTENANCE' },
  { from: 'READY', to: 'LOST' },
  { from: 'DRAINING', to: 'READY' },
  { from: 'DRAINING', to: 'MAINTENANCE' },
  { from: 'DRAINING', to: 'LOST' },
  { from: 'DRAINING', to: 'RETIRED' },
  { from: 'MAINTENANCE', to: 'READY' },
  { from: 'MAINTENANCE', to: 'DRAINING' },
  { from: 'MAINTENANCE', to: 'LOST' },
  { from: 'MAINTENANCE', to: 'RETIRED' },
  { from: 'ENROLLING', to: 'RETIRED' },
  { from: 'LOST', to: 'RETIRED' },
] as const satisfies readonly { from: HostStatus; to: HostStatus }[]

export function canMoveHost(from: HostStatus, to: HostStatus): boolean {
  return hostMoves.some((move) => move.from === from && move.to === to)
}
export const moveHostInput = z.object({ id: z.uuid(), status: z.enum(hostStatuses, { error: '状态不正确' }) })

/** A one-time command to type on the host. */
export const enrolmentView = z.object({ id: z.uuid(), token: z.string(), command: z.string(), expiresAt: z.string() })

/** Whether a host has an image: `ready` may be placed on, of an `unbootable` one no guest came up there, `none` has no file and nothing fetches it. */
export const imagePresences = ['ready', 'unbootable', ...transferStatuses, 'none'] as const
export const imageOnHost = z.object({
  hostId: z.uuid(),
  hostName: z.string(),
  /** Whether its agent was heard lately: of a silent one this is what it told last. */
  alive: z.boolean(),
  /** Null where it never connected. */
  lastSeenAt: z.string().nullable(),
  status: z.enum(imagePresences),
  bytes: z.number(),
  totalBytes: z.number().nullable(),
  error: z.string().nullable(),
})
export type ImageOnHost = z.infer<typeof imageOnHost>
export const imageView = z.object({
  id: z.uuid(),
  osName: z.string(),
  osVersion: z.string(),
  file: z.string(),
  url: z.string().nullable(),
  sha256: z.string().nullable(),
  readiness: z.enum(readinessKinds),
  username: z.string(),
  minDiskGb: z.int(),
  isActive: z.boolean(),
  sortOrder: z.int(),
  version: z.int(),
  /** Every host that is not retired, by name. */
  hosts: z.array(imageOnHost),
})
export type ImageView = z.infer<typeof imageView>
/** With a `url` the hosts' agents fetch the file themselves, which needs a checksum; without one an operator puts it there. */
export const imageInput = z
  .object({
    osName: label,
    osVersion: label,
    file: z
      .string({ error: text.required })
      .trim()
      .min(1, { error: text.required })
      .regex(/^[A-Za-z0-9._-]{1,120}$/, { error: '文件名只能包含字母、数字、点、横线和下划线' })
      // Agents look at these only, so that a half-made file is never taken for an image.
      .regex(/\.(qcow2|img|raw)$/, { error: '文件名需以 .qcow2、.img 或 .raw 结尾' }),
    url: z
      .string()
      .trim()
      .max(2000, { error: '下载地址最多 2000 个字符' })
      .refine((url) => url === '' || downloadUrl.safeParse(url).success, {
        error: '请输入以 http:// 或 https:// 开头的下载地址',
      })
      .nullish()
      .transform((url) => url || null),
    sha256: z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^([0-9a-f]{64})?$/, { error: '校验和需为64位十六进制' })
      .nullish()
      .transform((sum) => sum || null),
    readiness: z.enum(readinessKinds, { error: '就绪方式不正确' }).default('ssh'),
    username: z
      .string()
      .trim()
      .regex(/^[a-z_][a-z0-9_-]{0,31}$/, { error: '用户名格式不正确' })
      .default('root'),
    minDiskGb: z.int({ error: '请输入整数' }).min(1).max(2000).default(5),
    isActive: z.boolean().default(true),
    sortOrder: z.int().min(0).default(0),
    /** As it was read: CONFLICT where another operator saved meanwhile; absent: saved as it is. */
    version: z.int().optional(),
  })
  .refine((image) => image.url === null || image.sha256 !== null, {
    path: ['sha256'],
    error: '使用下载地址时必须填写 SHA-256 校验和',
  })
export type ImageInput = z.infer<typeof imageInput>

/** A download address without what may be a secret in it: no user, no password, no query. For logs and lists. */
export function publicUrl(url: string): string {
  const [address = '', ...hidden] = url.split(/[?#]/)
  return address.replace(/\/\/[^/]*@/, '//') + (hidden.length > 0 ? '?…' : '')
}

export const poolView = z.object({
  id: z.uuid(),
  name: z.string(),
  network: z.string(),
  gateway: z.string().nullable(),
  dns: z.array(z.string()),
  firstAddress: z.string().nullable(),
  lastAddress: z.string().nullable(),
  bridge: z.string().nullable(),
  total: z.int(),
  used: z.int(),
  reserved: z.int(),
  hosts: z.array(z.string()),
  version: z.int(),
})
export type PoolView = z.infer<typeof poolView>
const address = z
  .string()
  .trim()
  .regex(/^[0-9a-fA-F:.]{2,45}$/, { error: 'IP地址格式不正确' })
const optionalAddress = address.nullish().transform((at) => at ?? null)
/** What of a pool may change while servers use it; they keep what they were made with until they are reinstalled. */
const poolSettings = {
  name: label,
  gateway: optionalAddress,
  dns: z.array(address).max(4).default([]),
  /** Where the pool's network lies on its hosts; null: as each host says. */
  bridge,
  vlan,
}
/**
 * A network in CIDR and, where not all of it is ours, the first and last address to hand out. The addresses are written out,
 * so at most 4,096 of them; the gateway, network and broadcast are left out.
 */
export const poolInput = z.object({
  ...poolSettings,
  network: z
    .string({ error: text.required })
    .trim()
    .regex(/^[0-9a-fA-F:.]+\/\d{1,3}$/, { error: '网段格式不正确' }),
  firstAddress: optionalAddress,
  lastAddress: optionalAddress,
})
export type PoolInput = z.infer<typeof poolInput>
/** `version` as it was read: CONFLICT where another operator saved meanwhile. */
export const updatePoolInput = z.object({ id: z.uuid(), ...poolSettings, version: z.int().optional() })
/** Who has an address. */
export const addressView = z.object({
  address: z.string(),
  state: z.enum(['free', 'used', 'releasing', 'reserved']),
  serverId: z.uuid().nullable(),
  serverName: z.string().nullable(),
  orderNumber: z.string().nullable(),
})

/**
 * What an inventory saw that no job explains. `subject` is a domain's UUID, a file's name or the host's id; with `serverId`
 * where it belongs to a server that we know. `cleanable`: what is left of it may be destroyed by the host's agent.
 */
export const findingView = z.object({
  id: z.uuid(),
  hostId: z.uuid().nullable(),
  /** Null: it is about the shop as a whole. */
  hostName: z.string().nullable(),
  serverId: z.uuid().nullable(),
  serverName: z.string().nullable(),
  orderId: z.uuid().nullable(),
  cleanable: z.boolean(),
  kind: z.enum(allFindingKinds),
  subject: z.string(),
  details: z.record(z.string(), z.unknown()),
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
  resolvedAt: z.string().nullable(),
})
