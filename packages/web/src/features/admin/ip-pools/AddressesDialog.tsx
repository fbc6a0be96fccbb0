import * as text from '@vps/shared/text'
import * as labels from '@vps/shared/labels'
import { keepPreviousData } from '@tanstack/react-query'
import type { AddressView, PoolView } from '@vps/shared/pools.contract'
import { useState } from 'react'
import { messageOf } from '../../../api/errors'
import { trpc } from '../../../api/trpc'
import { RowButton } from '../../../ui/columns'
import { PagedTable, usePaging } from '../../../ui/PagedTable'
import { Empty } from '../../../ui/states'
import { Mono, RowActions } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { ReasonButton } from '../../../ui/Tip'
import { toast } from '../../../ui/toast'
import { useDebounced } from '../../../ui/use-debounced'
import { AddressChip, addressUserColumn } from '../parts/address-columns'
import { searchRestMs } from '../parts/Conditions'
import { rereadOperations } from '../parts/reread'
import { SearchedDialog } from './SearchedDialog'

interface AddressesDialogProps {
  pool: PoolView
  onHistory: (address: string) => void
  onClose: () => void
}

/** Who has each, and which are kept back. */
export function AddressesDialog({ pool, onHistory, onClose }: AddressesDialogProps) {
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim(), searchRestMs)
  const paging = usePaging(typed !== '', () => setTyped(''))
  const utils = trpc.useUtils()
  const addresses = trpc.pools.addresses.useQuery(
    { poolId: pool.id, page: paging.page, size: paging.size, ...(search ? { search } : {}) },
    { placeholderData: keepPreviousData },
  )
  // Harmless and reversible, so at once.
  const reserve = trpc.pools.reserveAddress.useMutation({
    onSuccess: (_, { address, reserved }) => {
      toast(reserved ? `已保留 ${address}` : `已取消保留 ${address}`, 'success')
      void rereadOperations(utils)
    },
    onError: (error) => toast(messageOf(error), 'error'),
  })

  return (
    <SearchedDialog
      title={`${pool.name} 的地址`}
      label="搜索地址"
      maxLength={45}
      typed={typed}
      onType={setTyped}
      paging={paging}
      onClose={onClose}
    >
      <PagedTable
        label={labels.address}
        columns={columnsOf({
          toggle: ({ address, state }) => reserve.mutate({ address, reserved: state !== 'reserved' }),
          asked: reserve.isPending ? reserve.variables.address : null,
          onHistory,
        })}
        rowKey={(address) => address.address}
        read={addresses}
        paging={paging}
        failed={text.addressesLoadFailed}
        empty={<Empty title={text.noAddresses} />}
      />
    </SearchedDialog>
  )
}

interface Acts extends Pick<AddressesDialogProps, 'onHistory'> {
  toggle: (address: AddressView) => void
  /** Being kept back, or given back. */
  asked: string | null
}

function columnsOf({ toggle, asked, onHistory }: Acts): Column<AddressView>[] {
  return [
    { key: 'address', head: labels.address, phone: 'title', cell: (row) => <Mono>{row.address}</Mono> },
    {
      key: 'state',
      head: labels.status,
      phone: 'chip',
      cell: ({ state }) => <AddressChip state={state} />,
    },
    addressUserColumn,
    {
      key: 'actions',
      head: labels.actions,
      align: 'right',
      phone: 'actions',
      cell: (row) => {
        const word = row.state === 'reserved' ? '取消保留' : labels.reserved
        return (
          <RowActions>
            <RowButton verb={labels.addressHistory} of={row.address} onClick={() => onHistory(row.address)} />
            <ReasonButton
              tone="quiet"
              size="sm"
              aria-label={`${word} ${row.address}`}
              busy={asked === row.address}
              reason={row.state === 'used' || row.state === 'releasing' ? text.addressInUse : null}
              onClick={() => toggle(row)}
            >
              {word}
            </ReasonButton>
          </RowActions>
        )
      },
    },
  ]
}
