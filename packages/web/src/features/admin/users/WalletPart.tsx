import { keepPreviousData } from '@tanstack/react-query'
import * as labels from '@vps/shared/labels'
import { entryTypeNames, signedAmount, transactionStatusNames } from '@vps/shared/wallet'
import type { TransactionView } from '@vps/shared/wallet.contract'
import { Wallet } from 'lucide-react'
import { trpc } from '../../../api/trpc'
import { Mono, TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { Money } from '../../../ui/Money'
import { PagedTable } from '../../../ui/PagedTable'
import { Empty } from '../../../ui/states'
import { Dim, Time } from '../../../ui/Time'
import { useFilters } from '../../../ui/use-filters'

/** With the balance after each entry. */
export function WalletPart({ user }: { user: string }) {
  const paging = useFilters([])
  const entries = trpc.wallet.transactionsOf.useQuery(
    { userId: user, page: paging.page, size: paging.size },
    { placeholderData: keepPreviousData },
  )
  return (
    <PagedTable
      label={labels.walletEntries}
      columns={columns}
      rowKey={(entry) => entry.id}
      read={entries}
      paging={paging}
      failed="加载钱包流水失败"
      empty={
        <Empty icon={Wallet} title="暂无钱包流水">
          充值、支付、退款和调整都会显示在这里。
        </Empty>
      }
    />
  )
}
const columns: Column<TransactionView>[] = [
  { key: 'at', head: labels.time, cell: (entry) => <Time at={entry.createdAt} /> },
  {
    key: 'type',
    head: labels.kind,
    phone: 'title',
    cell: (entry) => (
      <TwoLines>
        <span>
          {entryTypeNames[entry.type]}
          {entry.status !== 'COMPLETED' && `（${transactionStatusNames[entry.status]}）`}
        </span>
        <small title={entry.description}>{entry.description}</small>
      </TwoLines>
    ),
  },
  { key: 'number', head: labels.transactionNumber, cell: (entry) => <Mono>{entry.transactionNumber}</Mono> },
  {
    key: 'amount',
    head: labels.amount,
    align: 'right',
    cell: (entry) => <Money yuan={Math.abs(entry.amount)} sign={signedAmount(entry) < 0 ? '-' : '+'} />,
  },
  {
    key: 'after',
    head: labels.balance,
    align: 'right',
    cell: (entry) => (entry.balanceAfter === null ? <Dim>—</Dim> : <Money yuan={entry.balanceAfter} />),
  },
]
