import * as labels from '@vps/shared/labels'
import { Mono, TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { Dim } from '../../../ui/Time'
import { CustomerLink, OrderLink } from '../parts/links'

interface Placed {
  serverName: string
  orderNumber: string
  ownerId: string
  ownerName: string
  ipAddress: string | null
}

/** Which server on a host, and whose. */
export const placedColumns: Column<Placed>[] = [
  {
    key: 'server',
    head: labels.server,
    phone: 'title',
    cell: ({ serverName, orderNumber }) => (
      <TwoLines>
        <span>{serverName}</span>
        <small>
          <OrderLink number={orderNumber} />
        </small>
      </TwoLines>
    ),
  },
  {
    key: 'owner',
    head: labels.user,
    cell: ({ ownerId, ownerName }) => <CustomerLink id={ownerId} name={ownerName} />,
  },
  {
    key: 'ip',
    head: labels.ipAddress,
    cell: ({ ipAddress }) => (ipAddress ? <Mono>{ipAddress}</Mono> : <Dim>—</Dim>),
  },
]
