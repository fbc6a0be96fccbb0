import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { keepPreviousData } from '@tanstack/react-query'
import { jobCan, jobKinds, jobStatuses, type JobStatus } from '@vps/shared/jobs'
import { ListChecks } from 'lucide-react'
import { useState } from 'react'
import { trpc } from '../../../api/trpc'
import { actionWords, jobStatusWords } from '@vps/shared/job-words'
import { Chip, type ChipTone } from '../../../ui/Chip'
import { RowMenu } from '../../../ui/RowMenu'
import { NameButton, TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { Dim, Time } from '../../../ui/Time'
import { toast } from '../../../ui/toast'
import { useFilters } from '../../../ui/use-filters'
import { useServerNow } from '../../../ui/use-server-now'
import { messageOf } from '../../../api/errors'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { chosen } from '../parts/choices'
import { Conditions } from '../parts/Conditions'
import { DayRange } from '../../../ui/DayRange'
import { daysIn } from '../../../ui/typed-date'
import { FilterTag } from '../parts/FilterTag'
import { CustomerLink, HostLink, OrderLink, ServerLink } from '../parts/links'
import { ListPage } from '../parts/ListPage'
import type { AdminJob } from '../parts/rows'
import { AdoptJob, CancelJob, JobDialog, RetryJob } from './JobDialog'
import { actionsColumn, RowButton } from '../../../ui/columns'
import { FilterSelect } from '../../../ui/FilterSelect'
import { stepText, tookText, titleOf } from './job-texts'

const tones: Record<JobStatus, ChipTone> = {
  QUEUED: 'neutral',
  RUNNING: 'info',
  SUCCEEDED: 'success',
  FAILED: 'error',
  SUPERSEDED: 'neutral',
  CANCELLED: 'neutral',
}

/** 任务. */
export default function JobsPage() {
  return (
    <AdminOnly title={labels.job} denied={operationsDenied}>
      <Jobs />
    </AdminOnly>
  )
}

/** All, or one host's. */
export function Jobs({ host }: { host?: string }) {
  const filters = useFilters(['status', 'kind', 'server', 'from', 'to'] as const)
  const { server } = filters.values
  const status = chosen(jobStatuses, filters.values.status)
  const kind = chosen(jobKinds, filters.values.kind)
  const asked = {
    page: filters.page,
    size: filters.size,
    ...(status ? { status } : {}),
    ...(kind ? { kind } : {}),
    ...(server ? { serverId: server } : {}),
    ...daysIn(filters.values),
    ...(host ? { hostId: host } : {}),
  }
  const jobs = trpc.jobs.list.useQuery(asked, { placeholderData: keepPreviousData })
  const utils = trpc.useUtils()
  const runNow = trpc.jobs.runNow.useMutation({
    onSuccess: () => {
      toast('任务将立即执行', 'success')
      void utils.jobs.list.invalidate()
    },
    onError: (error) => toast(messageOf(error), 'error'),
  })
  const [opened, setOpened] = useState<AdminJob | null>(null)
  const [cancelled, setCancelled] = useState<AdminJob | null>(null)
  const [retried, setRetried] = useState<AdminJob | null>(null)
  const [adopted, setAdopted] = useState<AdminJob | null>(null)
  const running = jobs.data?.content.some((job) => job.status === 'RUNNING') ?? false
  const now = useServerNow(running ? 1_000 : null)
  const listed = jobs.data?.content.find((job) => job.id === opened?.id)
  // Ended, or pushed off this page by newer ones.
  const alone = trpc.jobs.get.useQuery({ id: opened?.id ?? '' }, { enabled: opened !== null && !listed })
  const shown = opened && (listed ?? { ...opened, ...alone.data })

  return (
    <ListPage
      part={host !== undefined}
      title={labels.job}
      what={labels.job}
      wide
      read={jobs}
      filters={filters}
      exported={{ list: 'jobs', asked }}
      columns={columnsOf(now, {
        open: setOpened,
        runNow: (job) => runNow.mutate({ id: job.id }),
        cancel: setCancelled,
        retry: setRetried,
        adopt: setAdopted,
      }).filter(({ key }) => key !== 'host' || !host)}
      rowKey={(job) => job.id}
      empty={{ icon: ListChecks, text: '安装、开关机、重置密码等对机器的操作会显示在这里。' }}
      conditions={<JobConditions filters={filters} first={jobs.data?.content[0]} />}
    >
      {shown && <JobDialog job={shown} now={now} onClose={() => setOpened(null)} />}
      {cancelled && <CancelJob job={cancelled} onClose={() => setCancelled(null)} />}
      {retried && <RetryJob job={retried} onClose={() => setRetried(null)} />}
      {adopted && <AdoptJob job={adopted} onClose={() => setAdopted(null)} />}
    </ListPage>
  )
}

type Filters = ReturnType<typeof useFilters<'status' | 'kind' | 'server' | 'from' | 'to'>>

function JobConditions({ filters, first }: { filters: Filters; first: AdminJob | undefined }) {
  const { server, status, kind } = filters.values
  return (
    <Conditions active={filters.active} onReset={filters.reset}>
      <FilterSelect
        label={labels.status}
        all={labels.allStatuses}
        values={jobStatuses}
        word={(value) => jobStatusWords[value] ?? value}
        value={status}
        onChange={(status) => filters.set({ status })}
      />
      <FilterSelect
        label={labels.kind}
        all={labels.allKinds}
        values={jobKinds}
        word={(value) => actionWords[value] ?? value}
        value={kind}
        onChange={(kind) => filters.set({ kind })}
      />
      <DayRange values={filters.values} onChange={filters.set} />
      {server && <FilterTag label={`服务器 ${first?.serverName ?? ''}`} onRemove={() => filters.set({ server: '' })} />}
    </Conditions>
  )
}

interface Acts {
  open: (job: AdminJob) => void
  runNow: (job: AdminJob) => void
  cancel: (job: AdminJob) => void
  retry: (job: AdminJob) => void
  adopt: (job: AdminJob) => void
}

function columnsOf(now: number, acts: Acts): Column<AdminJob>[] {
  return [
    {
      key: 'kind',
      head: labels.job,
      phone: 'title',
      cell: (job) => (
        <TwoLines>
          <NameButton onClick={() => acts.open(job)}>{actionWords[job.kind] ?? job.kind}</NameButton>
          <small title={job.serverName}>
            <ServerLink orderId={job.orderId} name={job.serverName} />
          </small>
        </TwoLines>
      ),
    },
    {
      key: 'status',
      head: labels.status,
      phone: 'chip',
      cell: (job) => (
        <Chip tone={tones[job.status]} busy={job.status === 'RUNNING'}>
          {jobStatusWords[job.status]}
          {job.status === 'RUNNING' && ` ${job.percentage}%`}
        </Chip>
      ),
    },
    { key: 'step', head: '步骤', cell: (job) => stepText(job) ?? <Dim>—</Dim> },
    { key: 'attempt', head: '尝试', align: 'right', cell: (job) => job.attempt },
    {
      key: 'owner',
      head: labels.user,
      cell: (job) =>
        job.ownerId && job.ownerName ? (
          <TwoLines>
            <CustomerLink id={job.ownerId} name={job.ownerName} />
            {job.orderNumber && (
              <small>
                <OrderLink number={job.orderNumber} />
              </small>
            )}
          </TwoLines>
        ) : (
          <Dim>—</Dim>
        ),
    },
    {
      key: 'host',
      head: labels.host,
      cell: (job) => (job.hostId && job.hostName ? <HostLink id={job.hostId} name={job.hostName} /> : <Dim>SSH</Dim>),
    },
    { key: 'by', head: labels.initiator, cell: (job) => job.by ?? <Dim>{labels.system}</Dim> },
    { key: 'created', head: labels.createdAt, cell: (job) => <Time at={job.createdAt} /> },
    { key: 'took', head: '用时', align: 'right', cell: (job) => tookText(job, now) ?? <Dim>—</Dim> },
    {
      key: 'error',
      head: labels.error,
      cell: (job) => job.error ?? <Dim>—</Dim>,
    },
    actionsColumn((job) => (
      <>
        <RowButton verb={labels.details} of={titleOf(job)} onClick={() => acts.open(job)} />
        <RowMenu
          of={`任务 ${titleOf(job)}`}
          entries={[
            entry('立即执行', jobCan.runNow(job), () => acts.runNow(job)),
            entry(verbs.retry, jobCan.retry(job), () => acts.retry(job)),
            entry('接管', jobCan.adopt(job), () => acts.adopt(job)),
            { ...entry(verbs.cancelJob, jobCan.cancel(job), () => acts.cancel(job)), danger: true },
          ]}
        />
      </>
    )),
  ]
}

const entry = (label: string, reason: string | null, onAction: () => void) => ({
  id: label,
  label,
  reason,
  onAction,
})
