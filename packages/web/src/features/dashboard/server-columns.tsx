import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { orderCan } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import { Link } from 'wouter'
import { paths } from '../../paths'
import { ButtonLink } from '../../ui/Button'
import type { MenuEntry } from '../../ui/Menu'
import { RowMenu } from '../../ui/RowMenu'
import { ServerChips, Spec } from '../../ui/order'
import { Mono, NameButton, TwoLines } from '../../ui/cells'
import type { Column } from '../../ui/column'
import { Dim } from '../../ui/Time'
import { installWord } from './install-word'
import { actionsColumn, expiresColumn } from '../../ui/columns'

interface Acts {
  open: (order: OrderView) => void
  connect: (order: OrderView) => void
  install: (order: OrderView) => void
}

const installing = (order: OrderView) =>
  order.status === 'PAID' || order.status === 'PROCESSING' || order.server?.installStatus === 'INSTALLING'

/** The columns of the server list, with what can be done in each row. */
export function serverColumns(acts: Acts): Column<OrderView>[] {
  return [
    {
      key: 'server',
      head: '服务器信息',
      phone: 'title',
      cell: (order) => (
        <TwoLines>
          {orderCan.openConsole(order) ? (
            <Link href={paths.console(order.id)} title={order.serverName}>
              {order.serverName}
            </Link>
          ) : (
            <NameButton type="button" title={order.serverName} onClick={() => acts.open(order)}>
              {order.serverName}
            </NameButton>
          )}
          <small>{order.orderNumber}</small>
        </TwoLines>
      ),
    },
    { key: 'status', head: labels.status, phone: 'chip', cell: (order) => <ServerChips order={order} /> },
    {
      key: 'ip',
      head: labels.ipAddress,
      cell: (order) => (order.ipAddress ? <Mono>{order.ipAddress}</Mono> : <Dim>—</Dim>),
    },
    { key: 'spec', head: labels.specification, cell: (order) => <Spec order={order} /> },
    {
      key: 'os',
      head: labels.operatingSystem,
      cell: (order) => (
        <>
          {order.osName} {order.osVersion}
        </>
      ),
    },
    expiresColumn,
    actionsColumn((order) => (
      <>
        {installing(order) && order.serverId ? (
          <ButtonLink tone="quiet" size="sm" href={paths.installProgress(order.serverId)}>
            {verbs.viewProgress}
          </ButtonLink>
        ) : (
          <ButtonLink tone="quiet" size="sm" href={paths.console(order.id)}>
            {verbs.manage}
          </ButtonLink>
        )}
        <RowMenu of={order.serverName} entries={entriesOf(order, acts)} />
      </>
    )),
  ]
}

/** Only ACTIVE with a server record; what is being installed can be looked at before that, too. */
function installEntry(order: OrderView, acts: Acts): MenuEntry {
  const label = installing(order) ? verbs.viewProgress : installWord(order)
  const entry = { id: 'install', label }
  if (!order.serverId) return { ...entry, reason: text.installNotStarted }
  if (label === verbs.viewProgress) return { ...entry, href: paths.installProgress(order.serverId) }
  return {
    ...entry,
    reason: order.status === 'ACTIVE' ? null : '只有活跃的服务器可以重装系统',
    onAction: () => acts.install(order),
  }
}

function entriesOf(order: OrderView, acts: Acts): MenuEntry[] {
  return [
    { id: 'open', label: verbs.viewDetails, onAction: () => acts.open(order) },
    {
      id: 'connect',
      label: verbs.connect,
      reason: order.status === 'ACTIVE' ? null : '只有活跃的服务器可以连接',
      onAction: () => acts.connect(order),
    },
    installEntry(order, acts),
    {
      id: 'manage',
      label: verbs.manage,
      reason: orderCan.openConsole.reason(order),
      href: paths.console(order.id),
    },
  ]
}
