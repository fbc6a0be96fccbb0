import {
  ArrowLeftRight,
  Boxes,
  ChartLine,
  ClipboardList,
  CreditCard,
  Disc3,
  FolderTree,
  Gauge,
  HardDrive,
  House,
  ListChecks,
  Megaphone,
  Network,
  ReceiptText,
  ScrollText,
  SearchCheck,
  Server,
  ShoppingBag,
  Tags,
  Undo2,
  Users,
  type LucideIcon,
} from 'lucide-react'
import type { Session } from '../api/session'
import { paths } from '../paths'

export interface NavEntry {
  label: string
  href: string
  icon: LucideIcon
}

export interface NavGroup {
  label: string
  entries: NavEntry[]
}

const home: NavEntry = { label: '首页', href: paths.home(), icon: House }
const sales: NavEntry = { label: '产品', href: paths.sales(), icon: ShoppingBag }
const dashboard: NavEntry = { label: '控制台', href: paths.dashboard(), icon: Gauge }

const finance: NavGroup = {
  label: '财务',
  entries: [
    { label: '订单', href: paths.orders(), icon: ClipboardList },
    { label: '交易记录', href: paths.transactions(), icon: ArrowLeftRight },
    { label: '充值', href: paths.recharge(), icon: CreditCard },
    { label: '支付记录', href: paths.paymentHistory(), icon: ReceiptText },
  ],
}

const management: NavGroup = {
  label: '服务器管理',
  entries: [
    { label: '分类管理', href: paths.categories(), icon: FolderTree },
    { label: '分组管理', href: paths.groups(), icon: Boxes },
    { label: '服务器列表', href: paths.servers(), icon: Server },
    { label: '价格组', href: paths.priceGroups(), icon: Tags },
  ],
}

const operations: NavGroup = {
  label: '运营',
  entries: [
    { label: '概览', href: paths.overview(), icon: ChartLine },
    { label: '全部订单', href: paths.allOrders(), icon: ClipboardList },
    { label: '退款申请', href: paths.refunds(), icon: Undo2 },
    { label: '宿主机', href: paths.hosts(), icon: HardDrive },
    { label: '镜像', href: paths.images(), icon: Disc3 },
    { label: 'IP 池', href: paths.ipPools(), icon: Network },
    { label: '任务', href: paths.jobs(), icon: ListChecks },
    { label: '发现项', href: paths.findings(), icon: SearchCheck },
    { label: '公告管理', href: paths.announcements(), icon: Megaphone },
    { label: '用户', href: paths.users(), icon: Users },
    { label: '审计日志', href: paths.audit(), icon: ScrollText },
  ],
}

/** What the bar and the drawer offer: a visitor sees only home and products, an administrator two menus more. */
export function navigationFor({ token, user }: Pick<Session, 'token' | 'user'>): (NavEntry | NavGroup)[] {
  if (token === null) return [home, sales]
  if (user?.isAdmin) return [home, dashboard, management, operations, sales, finance]
  return [home, dashboard, sales, finance]
}

export const isGroup = (item: NavEntry | NavGroup): item is NavGroup => 'entries' in item
