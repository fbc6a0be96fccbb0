import * as verbs from '@vps/shared/verbs'
import type { AdminPriceGroup } from '@vps/shared/catalogue.contract'
import { paths } from '../../../paths'
import { dateText } from '../../../ui/Time'
import type { MenuEntry } from '../../../ui/Menu'

export interface Acts {
  edit: (group: AdminPriceGroup) => void
  remove: (group: AdminPriceGroup) => void
  preview: (group: AdminPriceGroup) => void
  discount: (group: AdminPriceGroup) => void
  restore: (group: AdminPriceGroup) => void
}

export const entriesOf = (group: AdminPriceGroup, acts: Acts): MenuEntry[] => [
  {
    id: 'discount',
    label: group.hasDiscount ? '修改折扣' : verbs.applyDiscount,
    textValue: verbs.applyDiscount,
    onAction: () => acts.discount(group),
  },
  {
    id: 'restore',
    label: verbs.restorePrices,
    reason: group.hasDiscount ? null : '没有折扣',
    onAction: () => acts.restore(group),
  },
  {
    id: 'shop',
    label: '在产品页查看',
    reason: group.isActive ? null : '停用的价格组不出售',
    href: paths.sales(group.serverGroupId, group.id),
  },
  { id: 'sales-page', label: verbs.editSalesPage, href: paths.salesPage(group.id) },
  {
    id: 'remove',
    label: verbs.remove,
    danger: true,
    onAction: () => acts.remove(group),
  },
]

export function discountTimes({ discountPercentage, discountStartTime, discountEndTime }: AdminPriceGroup): string {
  const from = discountStartTime ? `${dateText(discountStartTime)} 起` : '立即生效'
  const until = discountEndTime ? `至 ${dateText(discountEndTime)}` : '长期有效'
  return `省 ${discountPercentage}%，${from}，${until}`
}
