import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import type { AdminUserView } from '@vps/shared/accounts.contract'
import { ArrowLeft } from 'lucide-react'
import { lazy, Suspense, type ComponentType } from 'react'
import { useSearchParams } from 'wouter'
import { useSession } from '../../../api/session'
import { trpc } from '../../../api/trpc'
import { paths } from '../../../paths'
import { Alert } from '../../../ui/Alert'
import { Button, ButtonLink } from '../../../ui/Button'
import { Panel } from '../../../ui/Card'
import { Tag } from '../../../ui/Chip'
import { Page } from '../../../ui/Page'
import { RowMenu } from '../../../ui/RowMenu'
import { Bar, Failed } from '../../../ui/states'
import { SummaryCards } from '../../../ui/SummaryCards'
import { Money } from '../../../ui/Money'
import { TabLinks } from '../../../ui/TabLinks'
import { dateText, Dim } from '../../../ui/Time'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { HeadLine } from '../parts/HeadLine'
import { asLeft } from '../parts/use-searched'
import { AccountChip, useAccountActs } from './account-acts'
import { accountEntriesOf } from './user-entries'
import { userPartIn, userParts, type UserPart } from './user-parts'

const parts: Record<UserPart, ComponentType<{ user: string }>> = {
  orders: lazy(async () => ({ default: (await import('../orders/AllOrdersPage')).AllOrders })),
  servers: lazy(async () => ({ default: (await import('../servers/ServersPage')).Servers })),
  wallet: lazy(async () => ({ default: (await import('./WalletPart')).WalletPart })),
  payments: lazy(async () => ({ default: (await import('../payments/AllPaymentsPage')).AllPayments })),
  mails: lazy(async () => ({ default: (await import('./MailsPart')).MailsPart })),
  devices: lazy(async () => ({ default: (await import('./DevicesPart')).DevicesPart })),
  notes: lazy(async () => ({ default: (await import('./NotesPart')).NotesPart })),
  audit: lazy(async () => ({ default: (await import('../audit/AuditPage')).Audit })),
}

/** One customer, part by part. */
export default function UserPage({ id = '' }: { id?: string }) {
  return (
    <AdminOnly title={labels.user} denied={operationsDenied}>
      <Customer id={id} />
    </AdminOnly>
  )
}

function Customer({ id }: { id: string }) {
  const user = trpc.users.get.useQuery({ id })
  const [search] = useSearchParams()
  const part = userPartIn(search)
  const Part = parts[part]
  return (
    <Page
      title={user.data?.username ?? labels.user}
      note={user.data && <About user={user.data} />}
      back={
        <ButtonLink
          href={asLeft(paths.users())}
          aria-label={verbs.goBack}
          icon={<ArrowLeft size={16} strokeWidth={1.75} aria-hidden />}
        />
      }
      actions={user.data && <Acts user={user.data} />}
      refresh={{ updatedAt: user.dataUpdatedAt, busy: user.isFetching, run: () => void user.refetch() }}
    >
      {user.isError && !user.data ? (
        <Panel>
          <Failed title="加载用户失败" error={user.error} onRetry={() => void user.refetch()} />
        </Panel>
      ) : (
        <>
          <Figures of={user.data} />
          <FailedMails user={id} />
          <TabLinks
            label="客户的各部分"
            parts={userParts}
            current={part}
            hrefOf={(one) => paths.user(id, one === 'orders' ? undefined : one)}
          />
          <Suspense fallback={<Bar $height={240} />}>
            <Part key={part} user={id} />
          </Suspense>
        </>
      )}
    </Page>
  )
}

function FailedMails({ user }: { user: string }) {
  const failed = trpc.mails.list.useQuery({ userId: user, status: 'failed', page: 0, size: 1 })
  if (!failed.data?.totalElements) return null
  return (
    <Alert
      tone="warning"
      action={<ButtonLink href={`${paths.user(user, 'mails')}&status=failed`}>{verbs.viewDetails}</ButtonLink>}
    >
      {failed.data.totalElements} 封邮件没有送达这位客户。
    </Alert>
  )
}

function About({ user }: { user: AdminUserView }) {
  return (
    <HeadLine>
      <AccountChip status={user.status} />
      {user.secondFactor && <Tag>{labels.secondFactor}</Tag>}
      {user.isAdmin && <Tag>{labels.administrator}</Tag>}
      <a href={mailTo(user.email)}>{user.email}</a>
    </HeadLine>
  )
}

/** Else the customer chooses who else is written to: an address may hold `?bcc=`. */
const mailTo = (email: string) => `mailto:${email.split('@').map(encodeURIComponent).join('@')}`

function Acts({ user }: { user: AdminUserView }) {
  const { user: me } = useSession()
  const { acts, dialog } = useAccountActs()
  return (
    <>
      <Button onClick={() => acts.adjust(user)}>{verbs.adjustBalance}</Button>
      <RowMenu of={user.username} entries={accountEntriesOf(user, acts, user.id === me?.id)} />
      {dialog}
    </>
  )
}

function Figures({ of: user }: { of: AdminUserView | undefined }) {
  return (
    <SummaryCards
      cards={[
        {
          label: labels.balance,
          value: user && (user.balance === null ? <Dim>{labels.noWallet}</Dim> : <Money yuan={user.balance} />),
        },
        { label: labels.activeOrders, value: user?.activeCount },
        { label: labels.allOrdersCount, value: user?.orderCount },
        { label: labels.registeredAt, value: user && dateText(user.createdAt) },
      ]}
    />
  )
}
