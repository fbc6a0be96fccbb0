import { errorTable } from '@vps/shared/errors'
import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { orderCan } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import { renewReason } from '../../checkout/renew-reason'
import { paths } from '../../paths'
import { actReason } from '../../servers/act-reason'
import { consoleOf } from '../../servers/console-server'
import type { MenuEntry } from '../../ui/Menu'
import { installWord } from './install-word'

export type ServerAct = 'open' | 'connect' | 'install' | 'restart' | 'label' | 'renew'

export type Ask = (what: ServerAct, order: OrderView) => void

export const installing = (order: OrderView) =>
  order.status === 'PAID' || order.status === 'PROCESSING' || order.server?.installStatus === 'INSTALLING'

/** Only ACTIVE with a server record; an installation can be looked at before. */
function installEntry(order: OrderView, ask: Ask): MenuEntry {
  const label = installing(order) ? verbs.viewProgress : installWord(order)
  const entry = { id: 'install', label }
  if (!order.serverId) return { ...entry, reason: text.installNotStarted }
  if (label === verbs.viewProgress) return { ...entry, href: paths.installProgress(order.serverId) }
  return {
    ...entry,
    reason:
      order.status === 'ACTIVE'
        ? (unlessVirtual(order, errorTable.NOT_SUPPORTED.message) ?? lostReason(order))
        : '只有活跃的服务器可以重装系统',
    onAction: () => ask('install', order),
  }
}

/** Of what a dedicated server does not have. */
const unlessVirtual = (order: OrderView, reason: string) => (order.server?.driver === 'ssh' ? reason : null)

const lostReason = (order: OrderView) => (order.server?.hostLost ? text.onLostHost : null)

/** What cannot be done stays, with the reason. */
export function entriesOf(order: OrderView, ask: Ask): MenuEntry[] {
  return [
    { id: 'open', label: verbs.viewDetails, onAction: () => ask('open', order) },
    {
      id: 'connect',
      label: verbs.connect,
      reason: order.status === 'ACTIVE' ? null : '只有活跃的服务器可以连接',
      onAction: () => ask('connect', order),
    },
    {
      id: 'remote',
      label: labels.remoteConsole,
      reason: order.serverId
        ? (unlessVirtual(order, text.noRemoteConsole) ?? orderCan.openRemote.reason(order) ?? lostReason(order))
        : text.installNotStarted,
      href: paths.remote(order.serverId ?? ''),
    },
    {
      id: 'restart',
      label: verbs.restart,
      reason: order.serverId ? actReason(consoleOf(order, undefined), 'restart') : text.installNotStarted,
      onAction: () => ask('restart', order),
    },
    installEntry(order, ask),
    { id: 'labels', label: verbs.setLabels, onAction: () => ask('label', order) },
    { id: 'renew', label: verbs.renew, reason: renewReason(order), onAction: () => ask('renew', order) },
    { id: 'order', label: verbs.viewOrder, href: paths.orders(order.id) },
    // Else it stands beside the menu.
    ...(installing(order)
      ? [
          {
            id: 'manage',
            label: verbs.manage,
            reason: orderCan.openConsole.reason(order),
            href: paths.console(order.id),
          },
        ]
      : []),
  ]
}
