/** What is told before anything was chosen. */
import type { PriceGroupView } from '@vps/shared/catalogue.contract'
import * as labels from '@vps/shared/labels'
import { isIpv6 } from '@vps/shared/networks'
import type { OrderView } from '@vps/shared/orders.contract'
import * as text from '@vps/shared/text'

type Owned = Pick<OrderView, 'ipAddress' | 'backups'>
type Offer = Pick<PriceGroupView, 'locked' | 'mostBackups' | 'natPorts'>

/** More are IPv4 beside IPv4, and not of a shared one. */
export const noMoreAddresses = ({ ipAddress }: Pick<Owned, 'ipAddress'>, offer: Pick<Offer, 'natPorts'> | undefined) =>
  typeof offer?.natPorts === 'number' || isIpv6(ipAddress ?? '')

/** Without an offer its plan is off sale, and does not grow; one that is sold as it stands grows in backups alone. */
export function upgradeAdvice(order: Owned, offer: Offer | undefined, hasOthers: boolean): string {
  if (!offer) return hasOthers ? '当前套餐已下架，请选择其他套餐。' : '当前套餐已下架，暂无可升级的套餐。'
  const backups = offer.mostBackups > order.backups
  if (!offer.locked) return `请选择更高的配置。${restart(!noMoreAddresses(order, offer), backups)}`
  if (hasOthers) return `${text.fixedPlan}，请选择其他套餐${backups ? '或增加备份' : ''}。${restart(false, backups)}`
  return `${text.fixedPlan}，${backups ? '可以增加备份，不需要重启。' : '暂无可升级的套餐。'}`
}

function restart(addresses: boolean, backups: boolean): string {
  const free = [...(addresses ? [' IP '] : []), ...(backups ? [labels.backups] : [])].join('或')
  return `升级期间服务器会重启一次${free && `，仅增加${free}不需要重启`}。`
}
