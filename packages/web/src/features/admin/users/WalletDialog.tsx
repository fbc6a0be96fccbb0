import { keepPreviousData } from '@tanstack/react-query'
import type { AdminUserView } from '@vps/shared/accounts'
import { entryTypeNames, signedAmount, transactionStatusNames, type TransactionView } from '@vps/shared/wallet'
import { useState } from 'react'
import { trpc } from '../../../api/trpc'
import { Button } from '../../../ui/Button'
import { Dialog } from '../../../ui/Dialog'
import { Money } from '../../../ui/Money'
import { Pager } from '../../../ui/Pager'
import { Empty, Failed } from '../../../ui/states'
import { Mono, Table, TwoLines, type Column } from '../../../ui/Table'
import { Dim, Time } from '../../../ui/Time'

/** A user's wallet: every entry with the balance after it, newest first. */
export function WalletDialog({ user, onClose }: { user: AdminUserView; onClose: () => void }) {
  const [page, setPage] = useState(0)
  const [size, setSize] = useState(10)
  const entries = trpc.admin.users.transactions.useQuery(
    { userId: user.id, page, size },
    { placeholderData: keepPreviousData },
  )
  const found = entries.data
  return (
    <Dialog
      title={`${user.username} 的钱包流水`}
      open
      width={820}
      onClose={onClose}
      footer={<Button onClick={onClose}>关闭</Button>}
    >
      <Table
        label="钱包流水"
        columns={columns}
        rows={found?.content}
        rowKey={(entry) => entry.id}
        expected={size}
        busy={entries.isFetching}
        instead={
          entries.isError && !found ? (
            <Failed title="加载钱包流水失败" error={entries.error} onRetry={() => void entries.refetch()} />
          ) : found?.content.length === 0 ? (
            <Empty title="暂无钱包流水">充值、支付、退款和调整都会显示在这里。</Empty>
          ) : null
        }
      />
      {found && found.content.length > 0 && (
        <Pager
          total={found.totalElements}
          estimated={found.totalIsEstimate}
          page={page}
          size={size}
          onPage={setPage}
          onSize={(next) => {
            setSize(next)
            setPage(0)
          }}
        />
      )}
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
