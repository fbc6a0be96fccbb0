import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import type { HostView } from '@vps/shared/hosts.contract'
import { ArrowLeft } from 'lucide-react'
import { lazy, Suspense, type ComponentType } from 'react'
import styled from 'styled-components'
import { useSearchParams } from 'wouter'
import { silenceLookMs } from '../../../api/look-again'
import { trpc } from '../../../api/trpc'
import { paths } from '../../../paths'
import { font } from '../../../theme/tokens'
import { Button, ButtonLink } from '../../../ui/Button'
import { Panel } from '../../../ui/Card'
import { Page } from '../../../ui/Page'
import { RowMenu } from '../../../ui/RowMenu'
import { Bar, Failed } from '../../../ui/states'
import { SummaryCards } from '../../../ui/SummaryCards'
import { TabLinks } from '../../../ui/TabLinks'
import { Dim } from '../../../ui/Time'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { HeadLine } from '../parts/HeadLine'
import { AgentTag } from '../parts/AgentTag'
import { asLeft } from '../parts/use-searched'
import { usualSize } from '../parts/usual-size'
import { useHostActs } from './host-acts'
import { keepingEntriesOf } from './host-entries'
import { hostPartIn, hostParts, type HostPart } from './host-parts'
import { placesOn } from './host-room'
import { releasingText } from './host-words'
import { HostState, troubleText } from './HostState'

const HostOverview = lazy(async () => ({ default: (await import('./HostOverview')).HostOverview }))

const lists: Record<Exclude<HostPart, 'overview'>, ComponentType<{ host: string }>> = {
  servers: lazy(async () => ({ default: (await import('../servers/ServersPage')).Servers })),
  migrations: lazy(() => import('./Migrations')),
  jobs: lazy(async () => ({ default: (await import('../jobs/JobsPage')).Jobs })),
  findings: lazy(async () => ({ default: (await import('../findings/FindingsPage')).Findings })),
  images: lazy(async () => ({ default: (await import('./HostImages')).HostImages })),
  addresses: lazy(async () => ({ default: (await import('./HostAddresses')).HostAddresses })),
  audit: lazy(async () => ({ default: (await import('../audit/AuditPage')).Audit })),
}

/** One host, part by part. */
export default function HostPage({ id = '' }: { id?: string }) {
  return (
    <AdminOnly title={labels.host} denied={operationsDenied}>
      <Host id={id} />
    </AdminOnly>
  )
}

function Host({ id }: { id: string }) {
  const host = trpc.hosts.get.useQuery({ id }, { refetchInterval: silenceLookMs })
  const [search] = useSearchParams()
  const part = hostPartIn(search)
  return (
    <Page
      title={host.data?.name ?? labels.host}
      note={host.data && <About host={host.data} />}
      back={
        <ButtonLink
          href={asLeft(paths.hosts())}
          aria-label={verbs.goBack}
          icon={<ArrowLeft size={16} strokeWidth={1.75} aria-hidden />}
        />
      }
      actions={host.data && <Acts host={host.data} />}
      refresh={{ updatedAt: host.dataUpdatedAt, busy: host.isFetching, run: () => void host.refetch() }}
    >
      {host.isError && !host.data ? (
        <Panel>
          <Failed title="加载宿主机失败" error={host.error} onRetry={() => void host.refetch()} />
        </Panel>
      ) : (
        <>
          <Figures of={host.data} />
          <TabLinks
            label="宿主机的各部分"
            parts={hostParts}
            current={part}
            hrefOf={(one) => paths.host(id, one === 'overview' ? undefined : one)}
          />
          <Suspense fallback={<Bar $height={240} />}>
            <Shown key={part} part={part} id={id} host={host.data} />
          </Suspense>
        </>
      )}
    </Page>
  )
}

function Shown({ part, id, host }: { part: HostPart; id: string; host: HostView | undefined }) {
  if (part === 'overview') return host ? <HostOverview host={host} /> : <Bar $height={240} />
  const List = lists[part]
  return <List host={id} />
}

function About({ host }: { host: HostView }) {
  return (
    <HeadLine>
      <HostState host={host} />
      <AgentTag host={host} />
      {host.trouble && <span>{troubleText(host.trouble)}</span>}
    </HeadLine>
  )
}

function Acts({ host }: { host: HostView }) {
  const { acts, dialogs } = useHostActs()
  return (
    <>
      <Button onClick={() => acts.edit(host)}>{verbs.editHost}</Button>
      <RowMenu of={host.name} entries={keepingEntriesOf(host, acts)} />
      {dialogs}
    </>
  )
}

function RoomLeft({ host }: { host: HostView }) {
  return (
    <>
      {placesOn(host)}{' '}
      <Small>
        {labels.machinesUnit}，按 {usualSize} 计
      </Small>
    </>
  )
}

const isGone = ({ status }: HostView) => status === 'LOST' || status === 'RETIRED'

function Figures({ of: host }: { of: HostView | undefined }) {
  return (
    <SummaryCards
      cards={[
        {
          label: labels.server,
          value: host && (
            <>
              {host.servers} <Small>{releasingText(host)}</Small>
            </>
          ),
        },
        {
          label: '还能放下',
          value: host && (isGone(host) ? '—' : <RoomLeft host={host} />),
        },
        { label: labels.openJobs, value: host?.openJobs },
        {
          label: labels.finding,
          value: host?.findings,
          ...(host && host.findings > 0 ? { tone: 'warning' as const } : {}),
        },
      ]}
    />
  )
}

const Small = styled(Dim)`
  display: inline-block;
  ${font.xs}
  font-weight: 400;
`
