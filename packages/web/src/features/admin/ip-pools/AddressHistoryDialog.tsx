import { keepPreviousData } from '@tanstack/react-query'
import * as labels from '@vps/shared/labels'
import type { AddressTermView } from '@vps/shared/pools.contract'
import { History } from 'lucide-react'
import { useState } from 'react'
import { trpc } from '../../../api/trpc'
import { Mono, TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { PagedTable, usePaging } from '../../../ui/PagedTable'
import { Empty } from '../../../ui/states'
import { Dim, Time } from '../../../ui/Time'
import { useDebounced } from '../../../ui/use-debounced'
import { addressUserColumn } from '../parts/address-columns'
import { searchRestMs } from '../parts/Conditions'
import { CustomerLink } from '../parts/links'
import { SearchedDialog } from './SearchedDialog'

/** Abuse is told days later: who had the address then. */
export function AddressHistoryDialog({ of, onClose }: { of: string; onClose: () => void }) {
  const [typed, setTyped] = useState(of)
  const text = useDebounced(typed.trim(), searchRestMs)
  const paging = usePaging()
  const terms = trpc.pools.history.useQuery(
    { text, page: paging.page, size: paging.size },
    { placeholderData: keepPreviousData },
  )
  return (
    <SearchedDialog
      title="地址使用记录"
      label="IP 地址（可带端口）"
      maxLength={60}
      typed={typed}
      onType={setTyped}
      paging={paging}
      onClose={onClose}
    >
      <PagedTable
        label={labels.addressHistory}
        columns={columns}
        rowKey={({ address, serverId, from }) => `${address} ${serverId} ${from}`}
        read={terms}
        paging={paging}
        failed="加载使用记录失败"
        empty={
          <Empty icon={History} title="没有人用过这个地址">
            请填写完整的 IP 地址；共享地址可带外部端口，如 203.0.113.7:20022。
          </Empty>
        }
      />
    </SearchedDialog>
  )
}

const columns: Column<AddressTermView>[] = [
  {
    key: 'address',
    head: labels.address,
    phone: 'title',
    cell: ({ address, ports }) => (
      <TwoLines>
        <Mono>{address}</Mono>
        {ports && (
          <small>
            {ports.outside}:{ports.firstPort}–{ports.firstPort + ports.ports - 1}
          </small>
        )}
      </TwoLines>
    ),
  },
  {
    key: 'user',
    head: labels.user,
    cell: ({ ownerId, ownerName }) =>
      ownerId && ownerName ? <CustomerLink id={ownerId} name={ownerName} /> : <Dim>—</Dim>,
  },
  { ...addressUserColumn, head: labels.server },
  { key: 'from', head: labels.startTime, cell: ({ from }) => <Time at={from} /> },
  { key: 'until', head: labels.endTime, cell: ({ until }) => (until ? <Time at={until} /> : '至今') },
]
