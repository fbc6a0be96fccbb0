import { noFirewall } from '@vps/shared/firewall'
import type { RouterOutputs } from './script'

type Order = RouterOutputs['orders']['get']
type Row = RouterOutputs['orders']['list'][number]
type Offer = RouterOutputs['shop']['priceGroups'][number]
type Details = RouterOutputs['console']['details']
type Snapshot = RouterOutputs['snapshots']['list'][number]
type Elsewhere = RouterOutputs['backups']['elsewhere'][number]
type Backups = RouterOutputs['backups']['list']
type ReverseNames = RouterOutputs['reverseNames']['list']

const day = 24 * 3_600_000
/** In so many days. */
export const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString()

/** The same thing in every test. */
export const id = (n: number): string => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`

const ids = { order: id(11), server: id(12), category: id(21), group: id(22), offer: id(23) }

/** As a list's first page. */
export const pageOf = <Row>(...content: Row[]) => ({
  content,
  totalElements: content.length,
  totalPages: content.length > 0 ? 1 : 0,
  number: 0,
  size: 10,
})

/** Paid, its server running. */
export const row = (changes: Partial<Row> = {}): Row => ({
  id: ids.order,
  orderNumber: 'V261027Z0V3WYDR8Q',
  userId: id(1),
  serverName: '香港标准型-WYDR8Q',
  serverId: ids.server,
  amount: 67.15,
  status: 'ACTIVE',
  suspendReason: null,
  suspendNote: null,
  cancelReason: null,
  billingPeriod: 'MONTHLY',
  autoRenewal: true,
  labels: [],
  createdAt: inDays(-20),
  paidAt: inDays(-20),
  activatedAt: inDays(-20),
  expiresAt: inDays(10),
  cpuCores: 2,
  memoryGb: 4,
  storageGb: 40,
  bandwidthMbps: 100,
  ipCount: 1,
  backups: 0,
  priceGroupId: ids.offer,
  priceGroupName: '香港标准型',
  serverGroupId: ids.group,
  groupName: '香港 CN2',
  sshPort: 22,
  machineSshPort: 22,
  username: 'root',
  ipAddress: '10.66.0.4',
  osName: 'Ubuntu',
  osVersion: '24.04 LTS',
  refundableUntil: null,
  refund: null,
  server: {
    id: ids.server,
    installStatus: 'COMPLETED',
    status: 'ONLINE',
    power: 'on',
    driver: 'kvm',
    hostLost: false,
  },
  ...changes,
})
/** The same, whole. */
export const order = (changes: Partial<Order> = {}): Order => ({
  ...row(),
  initialPassword: 'R733fbqF3sY7',
  ...changes,
})

/** A job that has ended at once. */
export const endedJob = (kind: RouterOutputs['jobs']['get']['kind']): RouterOutputs['jobs']['get'] => ({
  id: id(90),
  kind,
  status: 'SUCCEEDED',
  serverId: ids.server,
  steps: [],
  percentage: 100,
  attempt: 1,
  error: null,
  createdAt: inDays(0),
  startedAt: inDays(0),
  finishedAt: inDays(0),
})

/** Lets SSH in, and nothing else. */
export const firewall = (
  changes: Partial<RouterOutputs['firewall']['get']> = {},
): RouterOutputs['firewall']['get'] => ({
  firewall: {
    ...noFirewall,
    enabled: true,
    inbound: 'drop',
    rules: [
      { direction: 'in', protocol: 'tcp', ports: { from: 22, to: 22 }, remote: null, action: 'accept', note: 'SSH' },
      { direction: 'in', protocol: 'icmp', ports: null, remote: null, action: 'accept', note: 'Ping' },
    ],
  },
  revision: 3,
  state: 'APPLIED',
  sshPort: 22,
  ...changes,
})

export const details = (changes: Partial<Details> = {}): Details => ({
  id: ids.server,
  orderId: ids.order,
  serverName: '香港标准型-WYDR8Q',
  orderNumber: 'V261027Z0V3WYDR8Q',
  ipAddress: '10.66.0.4',
  ipAddresses: ['10.66.0.4'],
  forwarded: [],
  machineSshPort: 22,
  addedAddresses: [],
  ipPrefixes: [],
  sshPort: 22,
  username: 'root',
  osName: 'Ubuntu',
  osVersion: '24.04 LTS',
  cpuCores: 2,
  memoryGb: 4,
  storageGb: 40,
  bandwidthMbps: 100,
  status: 'ONLINE',
  power: 'on',
  powerObservedAt: inDays(0),
  installStatus: 'COMPLETED',
  orderStatus: 'ACTIVE',
  groupName: '香港 CN2',
  diskType: 'SSD',
  networkSpeed: '100 Mbps',
  sshAccess: true,
  expiryDate: inDays(10),
  createTime: inDays(-20),
  lastUpdate: inDays(0),
  uptime: 20,
  openJob: null,
  migrating: false,
  movesBack: false,
  hostLost: false,
  driver: 'kvm',
  protected: false,
  trouble: null,
  snapshots: { used: 0, most: 1 },
  keptBackups: { own: false, elsewhere: false },
  rescue: { offered: true, since: null },
  iso: { offered: true, inserted: null, bootedAt: null },
  ...changes,
})

export const insertedIso: Details['iso'] = {
  offered: true,
  inserted: { name: 'Debian 12 安装光盘', boots: true, since: inDays(-0.25), until: inDays(0.75) },
  bootedAt: inDays(-0.25),
}

/** A ready one. */
export const snapshot = (changes: Partial<Snapshot> = {}): Snapshot => ({
  id: id(71),
  name: '升级数据库之前',
  state: 'READY',
  diskGb: 40,
  createdAt: inDays(-2),
  ...changes,
})

/** A ready one, made by its schedule. */
export const backup = (changes: Partial<Backups['backups'][number]> = {}): Backups['backups'][number] => ({
  id: id(81),
  origin: 'SCHEDULE',
  state: 'READY',
  jobId: null,
  percentage: 100,
  error: null,
  osName: 'Debian',
  osVersion: '12',
  diskGb: 40,
  diskBytes: 40 * 1024 ** 3,
  addedBytes: 812 * 1024 ** 2,
  createdAt: inDays(-1),
  takenAt: inDays(-1),
  ...changes,
})

/** Of another server of the same owner. */
export const elsewhere = (changes: Partial<Elsewhere> = {}): Elsewhere => ({
  id: id(86),
  serverId: id(87),
  serverName: '旧服务器',
  osName: 'Debian',
  osVersion: '12',
  diskGb: 20,
  diskBytes: 20 * 1024 ** 3,
  takenAt: inDays(-3),
  reason: null,
  ...changes,
})

/** Three were bought, one is there. */
export const backups = (changes: Partial<Backups> = {}): Backups => ({
  most: 3,
  used: 1,
  manual: 0,
  isScheduled: true,
  isStored: true,
  schedule: { frequency: 'daily', hour: 3, weekday: null, nextAt: inDays(0.5) },
  backups: [backup()],
  ...changes,
})

/** Set, and written. */
export const reverseName = (changes: Partial<ReverseNames['names'][number]> = {}): ReverseNames['names'][number] => ({
  address: '10.66.0.4',
  name: 'mail.example.com',
  state: 'WRITTEN',
  error: null,
  isOffered: true,
  ...changes,
})

/** Of one address. */
export const reverseNames = (changes: Partial<ReverseNames> = {}): ReverseNames => ({
  mustResolve: false,
  names: [reverseName()],
  ...changes,
})

/** Sold by the month, in two systems. */
export const offer = (changes: Partial<Offer> = {}): Offer => ({
  id: ids.offer,
  name: '香港标准型',
  description: '2 核 4 GB 起，按需选配',
  hourlyPrice: 0.2,
  dailyPrice: 3.8,
  monthlyPrice: 79,
  quarterlyPrice: 228,
  semiAnnualPrice: 439,
  annualPrice: 799,
  sortOrder: 1,
  isActive: true,
  serverGroupId: ids.group,
  salesPageHtml: '',
  hasDiscount: false,
  discountPercentage: null,
  discountStartTime: null,
  discountEndTime: null,
  unitRates: { cpu: 10, memory: 5, storage: 0.5, bandwidth: 1, ip: 20, backup: 0 },
  mostBackups: 0,
  included: { cpuCores: 2, memoryGb: 4, storageGb: 40, bandwidthMbps: 10, ipCount: 1 },
  natPorts: null,
  locked: false,
  dedicated: false,
  osOptions: [{ name: 'Debian', versions: ['12'] }],
  available: true,
  ...changes,
})

/** For sale, at an order's price. */
export const quoted: RouterOutputs['orders']['quote'] = {
  amount: 29,
  originalAmount: 29,
  discount: 0,
  lines: [],
  available: true,
}

/** By a core. */
export const growth: RouterOutputs['orders']['upgradeQuote'] = {
  amount: 3.3,
  periodBefore: 67.15,
  periodAfter: 77.15,
  remainingSeconds: 864_000,
  available: true,
  spec: { cpuCores: 3, memoryGb: 4, storageGb: 40, bandwidthMbps: 100, ipCount: 1, backups: 0 },
}

export const category: RouterOutputs['shop']['categories'][number] = {
  id: ids.category,
  name: '云服务器',
  description: '通用型 KVM 云服务器',
  sortOrder: 1,
  isActive: true,
}
export const group: RouterOutputs['shop']['groups'][number] = {
  id: ids.group,
  categoryId: ids.category,
  categoryName: category.name,
  name: '香港 CN2',
  description: '三网直连回国',
  region: '亚太',
  country: '中国',
  city: '香港',
  sortOrder: 1,
  isActive: true,
}

export const payment: RouterOutputs['payments']['list']['content'][number] = {
  outTradeNo: 'RX2X7855NKYCHEP2446XRFH52R',
  tradeNo: 'DEMOP2446XRFH52R',
  money: 200,
  type: 'alipay',
  status: 'SUCCESS',
  name: '账户充值',
  createdAt: inDays(-20),
  completedAt: inDays(-20),
  clientIp: '203.0.113.99',
  device: 'pc',
  qrCode: null,
  payUrl: null,
}
export const transaction: RouterOutputs['wallet']['page']['content'][number] = {
  id: id(31),
  transactionNumber: payment.outTradeNo,
  type: 'RECHARGE',
  amount: 200,
  status: 'COMPLETED',
  balanceBefore: 0,
  balanceAfter: 200,
  description: '账户充值',
  orderNumber: null,
  orderId: null,
  paymentMethod: 'alipay',
  createdAt: inDays(-20),
  completedAt: inDays(-20),
}

/** Of a prepared second factor. */
export const authenticator: RouterOutputs['secondFactor']['prepare'] = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/shop:demo?issuer=shop&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
}
