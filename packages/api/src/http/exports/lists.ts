import type { inferRouterOutputs } from '@trpc/server'
import { accountStatusNames } from '@vps/shared/accounts'
import { actionNames, actorKindNames, subjectNames } from '@vps/shared/audit-words'
import { placementNames } from '@vps/shared/catalogue'
import { findingNames } from '@vps/shared/finding-words'
import { hostStatusNames } from '@vps/shared/hosts'
import { firmwareWords } from '@vps/shared/images'
import * as labels from '@vps/shared/labels'
import { actionWords, jobStatusWords } from '@vps/shared/job-words'
import { mailStatusNames, mailTemplateNames } from '@vps/shared/mails'
import { orderStatusNames, refundStatusNames } from '@vps/shared/orders'
import { paymentMethods, paymentStatusNames } from '@vps/shared/payments'
import { periodNames } from '@vps/shared/periods'
import { powerNames } from '@vps/shared/servers'
import * as states from '@vps/shared/states'
import { entryTypeNames, transactionStatusNames } from '@vps/shared/wallet'
import type { AppRouter } from '../trpc/app-router.js'

type Outputs = inferRouterOutputs<AppRouter>
type RowOf<Path extends string> = Path extends `${infer Noun}.${infer Name}`
  ? Noun extends keyof Outputs
    ? Name extends keyof Outputs[Noun]
      ? Outputs[Noun][Name] extends { content: (infer Row)[] }
        ? Row
        : never
      : never
    : never
  : never

type Words = Readonly<Record<string, string>>
/** A spreadsheet sums money, what was spent as less, and sorts moments. Words may have one for nothing, by ''. */
type Column<Field> = readonly [head: string, field: Field, as?: 'yuan' | 'signed yuan' | 'moment' | Words]
export type ExportedList = { procedure: string; key: string; columns: readonly Column<string>[] }

/** `key` tells rows apart; a field not of the list does not compile. */
const list = <Path extends string>(
  procedure: Path,
  key: keyof RowOf<Path> & string,
  columns: readonly Column<keyof RowOf<Path> & string>[],
): ExportedList => ({ procedure, key, columns })

const money = <Field extends string>(what: string, field: Field): Column<Field> => [
  `${what}（${labels.yuan}）`,
  field,
  'yuan',
]
const moment = <Field extends string>(what: string, field: Field): Column<Field> => [what, field, 'moment']
const methods: Words = Object.fromEntries(paymentMethods.map(({ code, name }) => [code, name]))
const sizes = [
  ['CPU', 'cpuCores'],
  [`${labels.memory} GB`, 'memoryGb'],
  [labels.diskGb, 'storageGb'],
] as const

/** A customer's own transactions. */
export const transactionsList = list('wallet.page', 'id', [
  [labels.transactionNumber, 'transactionNumber'],
  [labels.kind, 'type', entryTypeNames],
  [`${labels.amount}（${labels.yuan}）`, 'amount', 'signed yuan'],
  [labels.status, 'status', transactionStatusNames],
  ['交易前余额', 'balanceBefore', 'yuan'],
  ['交易后余额', 'balanceAfter', 'yuan'],
  [labels.description, 'description'],
  [labels.orderNumber, 'orderNumber'],
  [labels.paymentMethod, 'paymentMethod', methods],
  moment(labels.createdAt, 'createdAt'),
  moment(labels.finishedAt, 'completedAt'),
])

/** By their names in the address. */
export const exportedLists: Readonly<Record<string, ExportedList>> = {
  orders: list('orders.all', 'id', [
    [labels.orderNumber, 'orderNumber'],
    [labels.user, 'ownerName'],
    [labels.status, 'status', orderStatusNames],
    money(labels.amount, 'amount'),
    [labels.billingPeriod, 'billingPeriod', periodNames],
    [labels.server, 'serverName'],
    [labels.ipAddress, 'ipAddress'],
    [labels.serverGroup, 'groupName'],
    [labels.priceGroup, 'priceGroupName'],
    ...sizes,
    [`${labels.bandwidth} Mbps`, 'bandwidthMbps'],
    [labels.osName, 'osName'],
    [labels.osVersion, 'osVersion'],
    [labels.autoRenewal, 'autoRenewal'],
    moment(labels.createdAt, 'createdAt'),
    moment(labels.paidAt, 'paidAt'),
    moment(labels.expiresAt, 'expiresAt'),
    [labels.cancelReason, 'cancelReason'],
  ]),
  payments: list('payments.all', 'outTradeNo', [
    [labels.orderNumber, 'outTradeNo'],
    [labels.gatewayNumber, 'tradeNo'],
    [labels.user, 'ownerName'],
    [labels.status, 'status', paymentStatusNames],
    money(labels.amount, 'money'),
    [labels.paymentMethod, 'type', methods],
    [labels.merchant, 'merchant'],
    moment(labels.createdAt, 'createdAt'),
    moment(labels.finishedAt, 'completedAt'),
    [labels.error, 'failure'],
  ]),
  refunds: list('refunds.list', 'id', [
    [labels.orderNumber, 'orderNumber'],
    [labels.user, 'username'],
    [labels.status, 'status', refundStatusNames],
    [labels.reason, 'reason'],
    money(labels.paidSoFar, 'paid'),
    money(states.refunded, 'refunded'),
    moment(labels.createdAt, 'createdAt'),
    moment(labels.decidedAt, 'decidedAt'),
    ['处理人', 'decidedBy'],
    [labels.decisionNote, 'decision'],
  ]),
  users: list('users.list', 'id', [
    [labels.username, 'username'],
    [labels.email, 'email'],
    [labels.status, 'status', accountStatusNames],
    [labels.administrator, 'isAdmin'],
    money(labels.balance, 'balance'),
    [labels.allOrdersCount, 'orderCount'],
    [labels.activeOrders, 'activeCount'],
    moment(labels.registeredAt, 'createdAt'),
  ]),
  servers: list('servers.list', 'id', [
    [labels.name, 'name'],
    [labels.serverGroup, 'groupName'],
    [labels.ipAddress, 'ip'],
    [labels.port, 'port'],
    [labels.power, 'power', powerNames],
    [labels.isSold, 'isSold'],
    [labels.user, 'ownerName'],
    [labels.orderNumber, 'orderNumber'],
    [labels.host, 'hostName'],
    [labels.operatingSystem, 'operatingSystem'],
    ['CPU', 'cpuCores'],
    [`${labels.memory} GB`, 'memory'],
    [labels.diskGb, 'diskSpace'],
    [labels.diskType, 'diskType'],
    [labels.networkSpeed, 'networkSpeed'],
    moment(labels.createdAt, 'createdAt'),
  ]),
  hosts: list('hosts.list', 'id', [
    [labels.name, 'name'],
    [labels.status, 'status', hostStatusNames],
    [states.online, 'alive'],
    [labels.agentVersion, 'agentVersion'],
    moment(labels.lastHeard, 'lastSeenAt'),
    ['CPU', 'cpuCores'],
    [labels.cpuOvercommit, 'cpuOvercommit'],
    ['已分配 CPU', 'usedCpu'],
    [`${labels.memory} MB`, 'memoryMb'],
    [`${labels.reservedMemory} MB`, 'reservedMemoryMb'],
    [`已分配${labels.memory} MB`, 'usedMemoryMb'],
    [labels.diskGb, 'diskGb'],
    [`已分配${labels.diskGb}`, 'usedDiskGb'],
    [labels.server, 'servers'],
    [labels.finding, 'findings'],
  ]),
  images: list('images.list', 'id', [
    [labels.osName, 'osName'],
    [labels.osVersion, 'osVersion'],
    [labels.file, 'file'],
    [labels.downloadAddress, 'url'],
    [labels.checksum, 'sha256'],
    [labels.firmware, 'firmware', firmwareWords],
    [`${labels.minDisk} GB`, 'minDiskGb'],
    [labels.isActive, 'isActive'],
  ]),
  'ip-pools': list('pools.list', 'id', [
    [labels.name, 'name'],
    [labels.network, 'network'],
    [labels.gateway, 'gateway'],
    [labels.firstAddress, 'firstAddress'],
    [labels.lastAddress, 'lastAddress'],
    [labels.bridge, 'bridge'],
    [labels.addressCount, 'total'],
    [labels.taken, 'used'],
    [labels.reserved, 'reserved'],
  ]),
  jobs: list('jobs.list', 'id', [
    [labels.jobNumber, 'id'],
    [labels.kind, 'kind', actionWords],
    [labels.status, 'status', jobStatusWords],
    [labels.server, 'serverName'],
    [labels.host, 'hostName'],
    [labels.user, 'ownerName'],
    [labels.orderNumber, 'orderNumber'],
    [labels.attempts, 'attempt'],
    [labels.initiator, 'by', { '': labels.system }],
    moment(labels.createdAt, 'createdAt'),
    moment(labels.startTime, 'startedAt'),
    moment(labels.endTime, 'finishedAt'),
    [labels.error, 'error'],
  ]),
  findings: list('findings.list', 'id', [
    [labels.kind, 'kind', findingNames],
    [labels.host, 'hostName'],
    [labels.server, 'serverName'],
    [labels.user, 'ownerName'],
    [labels.subject, 'subject'],
    [labels.details, 'details'],
    moment(labels.firstSeen, 'firstSeenAt'),
    moment(labels.lastSeen, 'lastSeenAt'),
    moment(labels.decidedAt, 'resolvedAt'),
  ]),
  audit: list('audit.list', 'id', [
    moment(labels.time, 'at'),
    [labels.actor, 'actorName'],
    ['身份', 'actorKind', actorKindNames],
    [labels.event, 'action', actionNames],
    ['对象类型', 'subjectKind', subjectNames],
    [labels.subject, 'subjectName'],
    [labels.subjectNumber, 'subjectId'],
    [labels.sourceAddress, 'address'],
    [labels.details, 'details'],
  ]),
  mails: list('mails.list', 'id', [
    moment(labels.createdAt, 'createdAt'),
    [labels.recipient, 'address'],
    [labels.kind, 'template', mailTemplateNames],
    [labels.subjectLine, 'subject'],
    [labels.status, 'status', mailStatusNames],
    [labels.attempts, 'attempts'],
    moment(labels.lastTry, 'triedAt'),
    [labels.error, 'error'],
  ]),
  announcements: list('announcements.list', 'id', [
    [labels.title, 'title'],
    [labels.content, 'body'],
    moment(labels.startTime, 'startsAt'),
    moment(labels.endTime, 'endsAt'),
    [labels.serverGroup, 'groupName'],
    [labels.host, 'hostName'],
  ]),
  incidents: list('status.incidents', 'id', [
    [labels.title, 'title'],
    [labels.affectedServices, 'services'],
    moment(labels.startTime, 'startsAt'),
    moment(labels.recoveredAt, 'endsAt'),
  ]),
  categories: list('catalogue.categories', 'id', [
    [labels.name, 'name'],
    [labels.description, 'description'],
    [labels.sortOrder, 'sortOrder'],
    [labels.isActive, 'isActive'],
    [labels.groupCount, 'groupCount'],
  ]),
  groups: list('catalogue.groups', 'id', [
    [labels.name, 'name'],
    [labels.description, 'description'],
    [labels.region, 'region'],
    [labels.country, 'country'],
    [labels.city, 'city'],
    [labels.placementPolicy, 'placement', placementNames],
    [labels.isActive, 'isActive'],
    ['服务器数', 'serverCount'],
  ]),
  'price-groups': list('catalogue.priceGroups', 'id', [
    [labels.name, 'name'],
    [labels.serverGroup, 'serverGroupName'],
    money(periodNames.HOURLY, 'hourlyPrice'),
    money(periodNames.DAILY, 'dailyPrice'),
    money(periodNames.MONTHLY, 'monthlyPrice'),
    money(periodNames.QUARTERLY, 'quarterlyPrice'),
    money(periodNames.SEMI_ANNUAL, 'semiAnnualPrice'),
    money(periodNames.ANNUAL, 'annualPrice'),
    [labels.discountPercentage, 'discountPercentage'],
    [labels.isActive, 'isActive'],
  ]),
}

/** By the name of its file. */
export const exportedFiles = [
  ...Object.entries(exportedLists).map(([name, list]) => ({ name, list, path: `/exports/${name}` })),
  { name: 'transactions', list: transactionsList, path: '/transactions/export' },
]
