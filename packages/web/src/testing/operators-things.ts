import type { Migratable, Migration } from '@vps/shared/cold-migrations.contract'
import type { LostOrder } from '@vps/shared/orders.contract'
import { siteAtFirst } from '@vps/shared/site'
import type { RouterOutputs, Script } from './script'
import { category as sold, group as soldGroup, id, inDays, offer, pageOf, payment, row, transaction } from './things'

type RowOf<List extends { content: unknown[] }> = List['content'][number]

export const category: RowOf<RouterOutputs['catalogue']['categories']> = { ...sold, version: 1, groupCount: 0 }

export const group: RouterOutputs['catalogue']['group'] = {
  ...soldGroup,
  placement: 'spread',
  cpuModel: null,
  version: 1,
  serverCount: 0,
  priceGroupCount: 0,
  unlimitedHosts: [],
}

const { available: _unread, ...soldOffer } = offer()
export const priceGroup = (
  changes: Partial<RouterOutputs['catalogue']['priceGroup']> = {},
): RouterOutputs['catalogue']['priceGroup'] => ({
  ...soldOffer,
  snapshots: 1,
  diskIops: 0,
  diskMbPerSecond: 0,
  version: 1,
  serverGroupName: group.name,
  discountActive: false,
  ...changes,
})

export const server: RowOf<RouterOutputs['servers']['list']> = {
  id: id(41),
  driver: 'ssh',
  name: '香港-77',
  groupId: group.id,
  groupName: group.name,
  ip: '198.51.100.77',
  port: 22,
  username: 'root',
  status: 'OFFLINE',
  power: 'off',
  isSold: false,
  needsCleaning: false,
  testFailure: null,
  operatingSystem: 'Debian 12',
  cpuCores: 2,
  memory: 4,
  diskSpace: 40,
  diskType: 'SSD',
  networkSpeed: '100 Mbps',
  orderId: null,
  orderNumber: null,
  ownerId: null,
  ownerName: null,
  hostId: null,
  hostName: null,
  version: 1,
  createdAt: inDays(-3),
}

export const host: RouterOutputs['hosts']['get'] = {
  id: id(51),
  name: 'hk-1',
  status: 'READY',
  alive: true,
  hypervisor: 'QEMU',
  hypervisorVersion: '10.0.2',
  agentVersion: '1.0.0',
  lastSeenAt: inDays(0),
  cpuCores: 16,
  cpuOvercommit: 4,
  usedCpu: 8,
  memoryMb: 65_536,
  reservedMemoryMb: 2048,
  usedMemoryMb: 16_384,
  diskGb: 1000,
  usedDiskGb: 320,
  cpuUsage: 12,
  memoryUsage: 31,
  diskUsage: 28,
  servers: 4,
  releasing: 0,
  openJobs: 0,
  findings: 0,
  trouble: null,
  images: ['debian-12.qcow2'],
  groups: [{ id: group.id, name: group.name }],
  pools: [{ id: id(61), name: '香港 BGP' }],
  addresses: { used: 4, free: 200 },
  bridge: null,
  version: 1,
}

export const pool: RouterOutputs['pools']['get'] = {
  id: id(61),
  name: '香港 BGP',
  network: '203.0.113.0/24',
  gateway: '203.0.113.1',
  dns: ['223.5.5.5'],
  firstAddress: null,
  machinePrefix: null,
  nat: null,
  lastAddress: null,
  bridge: null,
  total: 253,
  used: 4,
  reserved: 1,
  hosts: [host.name],
  version: 1,
}

export const address: RowOf<RouterOutputs['pools']['addresses']> = {
  address: '203.0.113.20',
  poolName: '香港 BGP',
  state: 'free',
  serverId: null,
  serverName: null,
  orderId: null,
  orderNumber: null,
}

export const addressTerm: RowOf<RouterOutputs['pools']['history']> = {
  address: '10.66.0.2',
  ports: { outside: '203.0.113.7', firstPort: 20_020, ports: 20 },
  serverId: id(31),
  serverName: '香港-1',
  orderId: id(11),
  orderNumber: 'V261001ABCDEFGHJK',
  ownerId: id(2),
  ownerName: 'lin',
  from: '2026-10-01T08:00:00.000Z',
  until: '2026-10-20T08:00:00.000Z',
}

export const image: RouterOutputs['images']['get'] = {
  id: id(71),
  osName: 'Debian',
  osVersion: '12',
  file: 'debian-12.qcow2',
  url: null,
  sha256: null,
  kind: 'system',
  readiness: 'ssh',
  username: 'root',
  firmware: 'bios',
  minDiskGb: 5,
  isActive: true,
  sortOrder: 1,
  version: 1,
  hosts: [],
}

export const imageOnHost: RouterOutputs['images']['get']['hosts'][number] = {
  hostId: host.id,
  hostName: host.name,
  alive: true,
  lastSeenAt: inDays(0),
  status: 'ready',
  bytes: 0,
  totalBytes: null,
  error: null,
}

type Job = RowOf<RouterOutputs['jobs']['list']>
export const job = (changes: Partial<Job> = {}): Job => ({
  id: id(81),
  kind: 'restart',
  status: 'QUEUED',
  serverId: id(12),
  serverName: '香港标准型-WYDR8Q',
  hostId: host.id,
  hostName: host.name,
  orderId: id(11),
  orderNumber: row().orderNumber,
  ownerId: id(2),
  ownerName: 'demo',
  attempt: 1,
  percentage: 0,
  steps: [],
  error: null,
  detail: null,
  log: [],
  by: 'demo',
  createdAt: inDays(0),
  startedAt: null,
  finishedAt: null,
  ...changes,
})

type Finding = RowOf<RouterOutputs['findings']['list']>
export const finding = (changes: Partial<Finding> = {}): Finding => ({
  id: id(91),
  hostId: host.id,
  hostName: host.name,
  serverId: id(12),
  serverName: '香港标准型-WYDR8Q',
  orderId: id(11),
  ownerId: id(2),
  ownerName: 'demo',
  cleanable: false,
  perhapsLast: false,
  kind: 'missing-domain',
  subject: id(12),
  details: {},
  firstSeenAt: inDays(-1),
  lastSeenAt: inDays(0),
  resolvedAt: null,
  ...changes,
})

type AnyOrder = RowOf<RouterOutputs['orders']['all']>
export const anyOrder = (changes: Partial<AnyOrder> = {}): AnyOrder => ({
  ...row(),
  userId: id(2),
  ownerName: 'demo',
  ...changes,
})

type AnyPayment = RowOf<RouterOutputs['payments']['all']>
/** One that hangs. */
export const anyPayment = (changes: Partial<AnyPayment> = {}): AnyPayment => {
  const { qrCode: _code, payUrl: _page, ...hanging } = { ...payment, status: 'PENDING' as const, completedAt: null }
  return {
    ...hanging,
    userId: id(2),
    ownerName: 'demo',
    checks: 3,
    nextCheckAt: inDays(0),
    failure: null,
    merchant: '1001@pay.example',
    ...changes,
  }
}

export const refund: RowOf<RouterOutputs['refunds']['list']> = {
  id: id(101),
  orderId: id(11),
  orderNumber: row().orderNumber,
  orderStatus: 'ACTIVE',
  userId: id(2),
  username: 'demo',
  reason: '不再需要',
  status: 'PENDING',
  paid: 67.15,
  returns: 67.15,
  refunded: null,
  decision: null,
  decidedBy: null,
  createdAt: inDays(-1),
  decidedAt: null,
}

export const user: RowOf<RouterOutputs['users']['list']> = {
  id: id(2),
  username: 'demo',
  email: 'demo@example.com',
  role: 'USER',
  isAdmin: false,
  createdAt: inDays(-30),
  status: 'active',
  secondFactor: false,
  balance: 1000,
  orderCount: 3,
  activeCount: 2,
}

export const announcement: RowOf<RouterOutputs['announcements']['list']> = {
  id: id(111),
  title: '线路维护',
  body: '今晚 02:00 起约一小时，网络可能短暂中断。',
  level: 'warning',
  startsAt: inDays(-1),
  endsAt: null,
  groupId: null,
  groupName: null,
  hostId: null,
  hostName: null,
  isMaintenance: false,
}

export const incident: RowOf<RouterOutputs['status']['incidents']> = {
  id: id(131),
  title: '香港线路中断',
  services: ['亚太 服务器', '支付'],
  startsAt: inDays(-0.1),
  endsAt: null,
  updates: [
    { id: id(133), at: inDays(-0.05), state: 'identified', body: '光缆被挖断，正在切换线路。' },
    { id: id(132), at: inDays(-0.1), state: 'investigating', body: '部分服务器无法访问，正在调查。' },
  ],
}

export const site: RouterOutputs['site']['get'] = { ...siteAtFirst, version: 1, savedAt: inDays(-1), savedBy: 'boss' }

export const storage: RouterOutputs['backupRepository']['get'] = {
  url: 'sftp:backup@203.0.113.9:/srv/backups',
  username: '',
  uploadLimitKib: 0,
  version: 1,
  savedAt: inDays(-1),
  savedBy: 'boss',
  test: null,
  check: { servers: 3, damaged: 0, late: 0, lastAt: inDays(-1), isOk: true, words: '3 台服务器的备份没有问题' },
}

export const reverseDns: RouterOutputs['reverseDns']['get'] = {
  url: 'http://10.0.0.2:8081',
  zones: ['2.0.192.in-addr.arpa', '8.b.d.0.1.0.0.2.ip6.arpa'],
  mustResolve: false,
  waiting: 0,
  failed: 0,
  version: 1,
  savedAt: inDays(-1),
  savedBy: 'boss',
}

export const settingsReads: Script = {
  'site.get': { data: site },
  'backupRepository.get': { data: storage },
  'reverseDns.get': { data: reverseDns },
}

export const note: RowOf<RouterOutputs['users']['notes']> = {
  id: id(121),
  authorName: 'boss',
  body: '大客户，续费前先联系。',
  createdAt: inDays(-2),
}

export const userDevice: RouterOutputs['users']['devices'][number] = {
  id: id(131),
  current: false,
  address: '203.0.113.99',
  userAgent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/140',
  createdAt: inDays(-20),
  lastSeenAt: inDays(0),
}

export const userAddress = `/users/${user.id}`
export const userReads: Script = {
  'users.get': { data: user },
  'orders.all': { data: pageOf(anyOrder()) },
  'servers.list': { data: pageOf(server) },
  'catalogue.groups': { data: pageOf(group) },
  'wallet.transactionsOf': { data: pageOf(transaction) },
  'payments.all': { data: pageOf(anyPayment()) },
  'users.devices': { data: [userDevice] },
  'users.notes': { data: pageOf(note) },
  'mails.list': { data: pageOf() },
  'audit.list': { data: pageOf() },
}

export const lostOrder = (n: number, changes: Partial<LostOrder> = {}): LostOrder => ({
  id: id(500 + n),
  orderNumber: `20261126000${n}`,
  serverName: `香港-${n}`,
  ownerId: id(2),
  ownerName: 'demo',
  status: 'ACTIVE',
  ipAddress: `203.0.113.${n}`,
  expiresAt: inDays(10),
  backups: n % 2,
  refund: 10 * n,
  credit: n - 1,
  stays: null,
  ...changes,
})

export const otherHost = { id: id(52), name: 'hk-2' }

/** From the host to the other one. */
export const migration = (changes: Partial<Migration> = {}): Migration => ({
  id: id(601),
  stage: 'STOPPING',
  from: { id: host.id, name: host.name },
  to: otherHost,
  percentage: 0,
  reason: null,
  by: 'boss',
  createdAt: inDays(-0.1),
  endedAt: null,
  ...changes,
})

export const migratable = (n: number, changes: Partial<Migratable> = {}): Migratable => ({
  serverId: id(610 + n),
  serverName: `香港-${n}`,
  orderNumber: `20261126000${n}`,
  ownerId: id(2),
  ownerName: 'demo',
  status: 'ACTIVE',
  ipAddress: `203.0.113.${n}`,
  diskGb: 40 * n,
  isHere: true,
  stays: null,
  migration: null,
  ...changes,
})

export const alertsRead: Script = { 'alerts.get': { data: { mailed: true, email: 'boss@example.com', fault: null } } }
export const findingsReads = (changes: Partial<Finding> = {}): Script => ({
  ...alertsRead,
  'findings.list': { data: pageOf(finding(changes)) },
})

export const hostAddress = `/hosts/${host.id}`
export const hostReads: Script = {
  'hosts.get': { data: host },
  'hosts.load': { data: { range: 'day', stepSeconds: 300, points: [] } },
  'hosts.growth': { data: { servers: 2, cpuCores: 4, memoryMb: 8192, diskGb: 80 } },
  'servers.list': { data: pageOf({ ...server, driver: 'kvm', hostId: host.id, hostName: host.name, orderId: id(11) }) },
  'jobs.list': { data: pageOf(job()) },
  'findings.list': { data: pageOf(finding()) },
  'images.list': { data: pageOf({ ...image, hosts: [imageOnHost] }) },
  'hosts.addresses': { data: pageOf({ ...address, state: 'used', serverName: job().serverName, orderId: id(11) }) },
  'audit.list': { data: pageOf() },
  'migrations.list': { data: [migratable(1)] },
  'catalogue.groups': { data: pageOf(group) },
  'pools.list': { data: pageOf(pool) },
}
