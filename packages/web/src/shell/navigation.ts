import * as verbs from '@vps/shared/verbs'
import * as pages from '../page-names'
import * as labels from '@vps/shared/labels'
import type { Waiting } from '@vps/shared/overview.contract'
import type { Session } from '../api/session'
import { paths } from '../paths'
import type { NavIcon } from './navigation-icons'

export interface NavEntry {
  label: string
  href: string
  icon: NavIcon
  waits?: keyof Waiting
}

export interface NavGroup {
  label: string
  entries: NavEntry[]
}

const home: NavEntry = { label: labels.home, href: paths.home(), icon: 'House' }
const sales: NavEntry = { label: labels.product, href: paths.sales(), icon: 'ShoppingBag' }
const dashboard: NavEntry = { label: pages.console, href: paths.dashboard(), icon: 'Gauge' }

const finance: NavGroup = {
  label: '财务',
  entries: [
    { label: labels.order, href: paths.orders(), icon: 'ClipboardList' },
    { label: pages.transactions, href: paths.transactions(), icon: 'ArrowLeftRight' },
    { label: verbs.recharge, href: paths.recharge(), icon: 'CreditCard' },
    { label: pages.payments, href: paths.paymentHistory(), icon: 'ReceiptText' },
  ],
}

const management: NavGroup = {
  label: pages.serverManagement,
  entries: [
    { label: pages.categories, href: paths.categories(), icon: 'FolderTree' },
    { label: pages.groups, href: paths.groups(), icon: 'Boxes' },
    { label: pages.servers, href: paths.servers(), icon: 'Server' },
    { label: labels.priceGroup, href: paths.priceGroups(), icon: 'Tags' },
  ],
}

const business: NavGroup = {
  label: '商务',
  entries: [
    { label: pages.overview, href: paths.overview(), icon: 'ChartLine' },
    { label: pages.allOrders, href: paths.allOrders(), icon: 'ClipboardList' },
    { label: pages.allPayments, href: paths.allPayments(), icon: 'ReceiptText' },
    { label: labels.refundRequest, href: paths.refunds(), icon: 'Undo2', waits: 'refunds' },
    { label: labels.user, href: paths.users(), icon: 'Users' },
  ],
}

const machineRoom: NavGroup = {
  label: '机房',
  entries: [
    { label: labels.host, href: paths.hosts(), icon: 'HardDrive' },
    { label: labels.image, href: paths.images(), icon: 'Disc3' },
    { label: labels.ipPool, href: paths.ipPools(), icon: 'Network' },
    { label: labels.job, href: paths.jobs(), icon: 'ListChecks', waits: 'jobs' },
    { label: labels.finding, href: paths.findings(), icon: 'SearchCheck', waits: 'findings' },
  ],
}

const system: NavGroup = {
  label: labels.system,
  entries: [
    { label: pages.announcements, href: paths.announcements(), icon: 'Megaphone' },
    { label: labels.incident, href: paths.incidents(), icon: 'Siren' },
    { label: labels.siteSettings, href: paths.settings(), icon: 'PanelsTopLeft' },
    { label: pages.auditLog, href: paths.audit(), icon: 'ScrollText' },
  ],
}

/** What the bar and the drawer offer. */
export function navigationFor({ token, user }: Pick<Session, 'token' | 'user'>): (NavEntry | NavGroup)[] {
  if (token === null) return [home, sales]
  if (user?.isAdmin) return [home, dashboard, management, business, machineRoom, system, sales, finance]
  return [home, dashboard, sales, finance]
}

/** Also one thing in an entry's list. */
export const isWithin = (path: string, href: string): boolean => path === href || path.startsWith(`${href}/`)

export const isGroup = (item: NavEntry | NavGroup): item is NavGroup => 'entries' in item
