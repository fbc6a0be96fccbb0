import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { orderCan } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import styled from 'styled-components'
import { Link } from 'wouter'
import { paths } from '../../paths'
import { Tag } from '../../ui/Chip'
import { RowMenu } from '../../ui/RowMenu'
import { ServerChips, Spec } from '../../ui/order'
import { CopiedText } from '../../ui/CopiedText'
import { NameButton, TwoLines } from '../../ui/cells'
import type { Column } from '../../ui/column'
import { Dim } from '../../ui/Time'
import { actionsColumn, expiresColumn, RowLink } from '../../ui/columns'
import { CpuCell } from './CpuCell'
import { type Ask, installing, entriesOf } from './server-entries'

/** With what can be done in each row. */
export function serverColumns(
  ask: Ask,
  cpuOf: (order: OrderView) => readonly (number | null)[] | undefined,
): Column<OrderView>[] {
  return [
    {
      key: 'server',
      head: '服务器信息',
      phone: 'title',
      cell: (order) => (
        <Named>
          {orderCan.openConsole(order) ? (
            <Link href={paths.console(order.id)} title={order.serverName}>
              {order.serverName}
            </Link>
          ) : (
            <NameButton type="button" title={order.serverName} onClick={() => ask('open', order)}>
              {order.serverName}
            </NameButton>
          )}
          <small>{order.orderNumber}</small>
          {order.labels.length > 0 && (
            <Labels aria-label={labels.serverLabels}>
              {order.labels.map((label) => (
                <Tag as="li" key={label} $tone="neutral">
                  {label}
                </Tag>
              ))}
            </Labels>
          )}
        </Named>
      ),
    },
    { key: 'status', head: labels.status, phone: 'chip', cell: (order) => <ServerChips order={order} /> },
    {
      key: 'ip',
      head: labels.ipAddress,
      cell: (order) =>
        order.ipAddress ? (
          <CopiedText text={order.ipAddress} what={labels.ipAddress} of={order.serverName} />
        ) : (
          <Dim>—</Dim>
        ),
    },
    { key: 'cpu', head: 'CPU', cell: (order) => <CpuCell values={cpuOf(order)} /> },
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
          <RowLink verb={verbs.viewProgress} of={order.serverName} href={paths.installProgress(order.serverId)} />
        ) : (
          <RowLink verb={verbs.manage} of={order.serverName} href={paths.console(order.id)} />
        )}
        <RowMenu of={order.serverName} entries={entriesOf(order, ask)} />
      </>
    )),
  ]
}

/* A number fits: in two parts it is read as two. */
const Named = styled(TwoLines)`
  min-width: 130px;
`

const Labels = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: 4px;
  margin-top: 4px;
`
