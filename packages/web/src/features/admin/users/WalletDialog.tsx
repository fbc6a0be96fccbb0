import { keepPreviousData } from '@tanstack/react-query'
import type { AdminUserView } from '@vps/shared/accounts.contract'
import { entryTypeNames, signedAmount, transactionStatusNames } from '@vps/shared/wallet'
import type { TransactionView } from '@vps/shared/wallet.contract'
import { trpc } from '../../../api/trpc'
import { Button } from '../../../ui/Button'
import { Dialog } from '../../../ui/Dialog'
import { Money } from '../../../ui/Money'
import { PagedTable, usePaging } from '../../../ui/PagedTable'
import { Empty } from '../../../ui/states'
import { Mono, TwoLines, type Column } from '../../../ui/Table'
import { Dim, Time } from '../../../ui/Time'

/** A user's wallet: every entry with the balance after it, newest first. */
export function WalletDialog({ user, onClose }: { user: AdminUserView; onClose: () => void }) {
  const paging = usePaging()
  const entries = trpc.wallet.transactionsOf.useQuery(
    { userId: user.id, page: paging.page, size: paging.size },
    { placeholderData: keepPreviousData },
  )
  return (
    <Dialog
      title={`${user.username} 的钱包流水`}
      open
      width={820}
      onClose={onClose}
      footer={<Button onClick={onClose}>关闭</Button>}
    >
      <PagedTable
        label="钱包流水"
        columns={columns}
        rowKey={(entry) => entry.id}
        read={entries}
        paging={paging}
        failed="加载钱包流水失败"
        empty={<Empty title="暂无钱包流水">充值、支付、退款和调整都会显示在这里。</Empty>}
      />
    </Dialog>
  )
}

const columns: Column<TransactionView>[] = [
  { key: 'at', head: '时间', cell: (entry) => <Time at={entry.createdAt} /> },
  {
    key: 'type',
    head: '类型',
    phone: 'title',
    cell: (entry) => (
      <TwoLines>
        <span>
          {entryTypeNames[entry.type]}
          {entry.status !== 'COMPLETED' && `（${transactionStatusNames[entry.status]}）`}
        </span>
        <small>{entry.description}</small>
      </TwoLines>
    ),
  },
  { key: 'number', head: '交易号', cell: (entry) => <Mono>{entry.transactionNumber}</Mono> },
  {
    key: 'amount',
    head: '金额',
    align: 'right',
    cell: (entry) => <Money yuan={Math.abs(entry.amount)} sign={signedAmount(entry) < 0 ? '-' : '+'} />,
  },
  {
    key: 'after',
    head: '余额',
    align: 'right',
    cell: (entry) => (entry.balanceAfter === null ? <Dim>—</Dim> : <Money yuan={entry.balanceAfter} />),
  },
]
