import * as labels from '@vps/shared/labels'
import type { OrderView } from '@vps/shared/orders.contract'
import { periodNames } from '@vps/shared/periods'
import type { ReactNode } from 'react'
import { Button, ButtonLink, type ButtonProps } from './Button'
import { Money } from './Money'
import { endOf, Expiry, OrderChip } from './order'
import { Mono, NameButton, RowActions, TwoLines } from './cells'
import type { Column } from './column'
import { Time } from './Time'

/** What can be done with a row. */
export const actionsColumn = <Row,>(acts: (row: Row) => ReactNode, width?: string): Column<Row> => ({
  key: 'actions',
  head: labels.actions,
  align: 'right',
  phone: 'actions',
  ...(width ? { width } : {}),
  cell: (row) => <RowActions>{acts(row)}</RowActions>,
})

type Named = { verb: string; /** Which row's. */ of: string }

/** One act of a row: read aloud, its name says of which. */
export const RowButton = ({ verb, of, ...rest }: Named & Omit<ButtonProps, 'children'>) => (
  <Button tone="quiet" size="sm" aria-label={`${verb} ${of}`} {...rest}>
    {verb}
  </Button>
)

export const RowLink = ({ verb, of, href }: Named & { href: string }) => (
  <ButtonLink tone="quiet" size="sm" aria-label={`${verb} ${of}`} href={href}>
    {verb}
  </ButtonLink>
)

/** The number opens the order. */
export const orderColumn = <Row extends Pick<OrderView, 'orderNumber' | 'serverName'>>(
  open: (row: Row) => void,
): Column<Row> => ({
  key: 'order',
  head: labels.orderNumber,
  phone: 'title',
  cell: (order) => (
    <TwoLines>
      <NameButton type="button" onClick={() => open(order)}>
        <Mono>{order.orderNumber}</Mono>
      </NameButton>
      <small title={order.serverName}>{order.serverName}</small>
    </TwoLines>
  ),
})

export const orderStatusColumn: Column<Pick<OrderView, 'status'>> = {
  key: 'status',
  head: labels.status,
  phone: 'chip',
  cell: (order) => <OrderChip status={order.status} />,
}

export const amountColumn: Column<Pick<OrderView, 'amount' | 'billingPeriod'>> = {
  key: 'amount',
  head: labels.amount,
  align: 'right',
  cell: (order) => (
    <TwoLines>
      <Money yuan={order.amount} />
      <small>{periodNames[order.billingPeriod]}</small>
    </TwoLines>
  ),
}

/** Under them what the list tells besides. */
export const specColumn = <Row extends Pick<OrderView, 'cpuCores' | 'memoryGb'>>(
  besides: (row: Row) => string,
): Column<Row> => ({
  key: 'spec',
  head: labels.specification,
  cell: (order) => (
    <TwoLines>
      <span>
        {order.cpuCores} {labels.cores} {order.memoryGb} GB
      </span>
      <small title={besides(order)}>{besides(order)}</small>
    </TwoLines>
  ),
})

export const createdColumn: Column<{ createdAt: string }> = {
  key: 'created',
  head: labels.createdAt,
  cell: ({ createdAt }) => <Time at={createdAt} />,
}

export const expiresColumn: Column<Pick<OrderView, 'status' | 'expiresAt'>> = {
  key: 'expires',
  head: labels.expiresAt,
  cell: (order) => <Expiry at={endOf(order)} />,
}
