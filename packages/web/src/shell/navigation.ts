import {
  ArrowLeftRight,
  ClipboardList,
  CreditCard,
  Gauge,
  House,
  ReceiptText,
  ShoppingBag,
  type LucideIcon,
} from 'lucide-react'
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

/** What the bar and the drawer offer; a visitor sees only home and products. */
export function navigationFor(signedIn: boolean): (NavEntry | NavGroup)[] {
  return signedIn ? [home, dashboard, sales, finance] : [home, sales]
}

export const isGroup = (item: NavEntry | NavGroup): item is NavGroup => 'entries' in item
