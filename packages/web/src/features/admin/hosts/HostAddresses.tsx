import { keepPreviousData } from '@tanstack/react-query'
import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import type { AddressView } from '@vps/shared/pools.contract'
import { Network } from 'lucide-react'
import { trpc } from '../../../api/trpc'
import { Mono } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { PagedTable } from '../../../ui/PagedTable'
import { Empty } from '../../../ui/states'
import { useFilters } from '../../../ui/use-filters'
import { AddressChip, addressUserColumn } from '../parts/address-columns'

/** Of the servers on a host. */
export function HostAddresses({ host }: { host: string }) {
  const paging = useFilters([])
  const addresses = trpc.hosts.addresses.useQuery(
    { hostId: host, page: paging.page, size: paging.size },
    { placeholderData: keepPreviousData },
  )
  return (
    <PagedTable
      label={labels.address}
      columns={columns}
      rowKey={({ address }) => address}
      read={addresses}
      paging={paging}
      failed={text.addressesLoadFailed}
      empty={
        <Empty icon={Network} title={text.noAddresses}>
          这台宿主机上的服务器所用的地址会显示在这里。
        </Empty>
      }
    />
  )
}

const columns: Column<AddressView>[] = [
  { key: 'address', head: labels.address, phone: 'title', cell: ({ address }) => <Mono>{address}</Mono> },
  { key: 'state', head: labels.status, phone: 'chip', cell: ({ state }) => <AddressChip state={state} /> },
  { key: 'pool', head: labels.ipPool, cell: ({ poolName }) => poolName },
  addressUserColumn,
]
