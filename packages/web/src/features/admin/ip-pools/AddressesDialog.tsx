import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import * as states from '@vps/shared/states'
import { keepPreviousData } from '@tanstack/react-query'
import type { PoolView } from '@vps/shared/pools.contract'
import { useState } from 'react'
import { messageOf } from '../../../api/errors'
import { trpc, type Outputs } from '../../../api/trpc'
import { Button } from '../../../ui/Button'
import { Chip, type ChipTone } from '../../../ui/Chip'
import { Dialog } from '../../../ui/Dialog'
import { TextField } from '../../../ui/Field'
import { PagedTable, usePaging } from '../../../ui/PagedTable'
import { Empty } from '../../../ui/states'
import { Mono, RowActions, TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { ReasonButton } from '../../../ui/Tip'
import { Dim } from '../../../ui/Time'
import { toast } from '../../../ui/toast'
import { useDebounced } from '../../../ui/use-debounced'
import { searchRestMs } from '../parts/Conditions'
import { Fields } from '../parts/fields'
import { rereadOperations } from '../parts/reread'

type Address = Outputs['pools']['addresses']['content'][number]

const words: Record<Address['state'], [string, ChipTone]> = {
  free: [states.available, 'success'],
  used: ['使用中', 'info'],
  releasing: ['释放中', 'warning'],
  reserved: [labels.reserved, 'neutral'],
}

/** The addresses of a pool: who has each, and which are kept back. */
export function AddressesDialog({ pool, onClose }: { pool: PoolView; onClose: () => void }) {
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
    <Dialog
      title={`${pool.name} 的地址`}
      open
      width={820}
      onClose={onClose}
      footer={<Button onClick={onClose}>{verbs.close}</Button>}
    >
      <Fields>
        <TextField
          label="搜索地址"
          type="search"
          maxLength={45}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            paging.setPage(0)
          }}
        />
        <PagedTable
          label={labels.address}
          columns={columnsOf((address) =>
            reserve.mutate({ address: address.address, reserved: address.state !== 'reserved' }),
          )}
          rowKey={(address) => address.address}
          read={addresses}
          paging={paging}
          failed="加载地址失败"
          empty={<Empty title="暂无地址" />}
        />
      </Fields>
    </Dialog>
  )
}

function columnsOf(toggle: (address: Address) => void): Column<Address>[] {
  return [
    { key: 'address', head: labels.address, phone: 'title', cell: (row) => <Mono>{row.address}</Mono> },
    {
      key: 'state',
      head: labels.status,
      phone: 'chip',
      cell: ({ state }) => <Chip tone={words[state][1]}>{words[state][0]}</Chip>,
    },
    {
      key: 'server',
      head: '使用者',
      cell: (row) =>
        row.serverName ? (
          <TwoLines>
            <span>{row.serverName}</span>
            {row.orderNumber && <small>{row.orderNumber}</small>}
          </TwoLines>
        ) : (
          <Dim>—</Dim>
        ),
    },
    {
      key: 'actions',
      head: labels.actions,
      align: 'right',
      phone: 'actions',
      cell: (row) => {
        const word = row.state === 'reserved' ? '取消保留' : labels.reserved
        return (
          <RowActions>
            <ReasonButton
              tone="quiet"
              size="sm"
              aria-label={`${word} ${row.address}`}
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
