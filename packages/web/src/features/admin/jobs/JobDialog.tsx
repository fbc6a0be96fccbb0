import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import styled from 'styled-components'
import { trpc } from '../../../api/trpc'
import { useKeyed } from '../../../api/use-keyed'
import { paths } from '../../../paths'
import { actionWords, jobStatusWords } from '@vps/shared/job-words'
import { font } from '../../../theme/tokens'
import { Alert } from '../../../ui/Alert'
import { Button, ButtonLink } from '../../../ui/Button'
import { Confirm } from '../../../ui/Confirm'
import { Dialog } from '../../../ui/Dialog'
import { Facts } from '../../../ui/Facts'
import { Steps } from '../../../ui/Steps'
import { dateTimeText, Time } from '../../../ui/Time'
import { toast } from '../../../ui/toast'
import { Command } from '../parts/Command'
import { CustomerLink, HostLink, OrderLink, ServerLink } from '../parts/links'
import type { AdminJob } from '../parts/rows'

/** Its steps, and what the hypervisor said. */
export function JobDialog({ job, now, onClose }: { job: AdminJob; now: number; onClose: () => void }) {
  return (
    <Dialog
      title={`${actionWords[job.kind] ?? job.kind} · ${job.serverName}`}
      open
      width={640}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{verbs.close}</Button>
          {job.orderId && <ButtonLink href={paths.console(job.orderId)}>{verbs.openConsole}</ButtonLink>}
        </>
      }
    >
      <Parts>
        <Facts
          columns={2}
          facts={[
            [labels.status, `${jobStatusWords[job.status]}${job.status === 'RUNNING' ? ` ${job.percentage}%` : ''}`],
            [labels.attempts, job.attempt],
            [labels.host, job.hostId && job.hostName && <HostLink key="host" id={job.hostId} name={job.hostName} />],
            [labels.server, <ServerLink key="server" orderId={job.orderId} name={job.serverName} />],
            [labels.order, job.orderNumber && <OrderLink key="order" number={job.orderNumber} />],
            [
              labels.user,
              job.ownerId && job.ownerName && <CustomerLink key="user" id={job.ownerId} name={job.ownerName} />,
            ],
            [labels.initiator, job.by ?? labels.system],
            [labels.createdAt, <Time key="created" at={job.createdAt} />],
            [labels.startTime, <Time key="started" at={job.startedAt} />],
            [labels.endTime, <Time key="finished" at={job.finishedAt} />],
            [labels.jobNumber, job.id, 'mono'],
          ]}
        />
        <Steps steps={job.steps} now={now} />
        {job.error && <Alert tone={job.status === 'FAILED' ? 'error' : 'warning'}>{job.error}</Alert>}
        {job.detail && <Command label="详细信息">{job.detail}</Command>}
        {job.log.length > 0 && (
          <section>
            <h3>{labels.log}</h3>
            <Command label={labels.log}>
              {job.log.map(({ at, text }) => `${dateTimeText(at)}  ${text}`).join('\n')}
            </Command>
          </section>
        )}
      </Parts>
    </Dialog>
  )
}

/** Takes a waiting job back; asks a running one to stop. */
export function CancelJob({ job, onClose }: { job: AdminJob; onClose: () => void }) {
  const utils = trpc.useUtils()
  const cancel = trpc.jobs.cancel.useMutation()
  // An agent may begin it while the question is read.
  const { data: latest = job } = trpc.jobs.get.useQuery({ id: job.id }, { staleTime: 0 })
  return (
    <Confirm
      open
      danger
      title={verbs.cancelJob}
      confirmLabel="确认取消任务"
      onClose={onClose}
      onConfirm={async () => {
        await cancel.mutateAsync({ id: job.id })
        const { status } = await utils.jobs.get.fetch({ id: job.id }, { staleTime: 0 }).catch(() => latest)
        toast(status === 'CANCELLED' ? '任务已取消' : '已请求中止任务', 'success')
        await utils.jobs.list.invalidate()
      }}
    >
      <p>
        <JobOf job={job} />
        {latest.status === 'RUNNING'
          ? '正在执行，代理会在安全的步骤之间中止，并尽量恢复到执行之前；已清除的数据无法找回。'
          : '将不再执行。'}
      </p>
    </Confirm>
  )
}

/** For one that failed or was cancelled. */
export function RetryJob({ job, onClose }: { job: AdminJob; onClose: () => void }) {
  const utils = trpc.useUtils()
  const [retry] = useKeyed(trpc.jobs.retry.useMutation().mutateAsync)
  const destroys = job.kind === 'reinstall' || job.kind === 'destroy'
  return (
    <Confirm
      open
      danger={destroys}
      title={verbs.retryJob}
      confirmLabel="确认重试"
      onClose={onClose}
      onConfirm={async () => {
        await retry({ id: job.id })
        toast('已重新提交任务', 'success')
        await utils.jobs.list.invalidate()
      }}
    >
      <p>
        对服务器 <b>{job.serverName}</b> 再次执行“{actionWords[job.kind] ?? job.kind}”，内容与原任务完全相同。
        {job.kind === 'reinstall' && '服务器上的数据会被清除。'}
      </p>
    </Confirm>
  )
}

/** Takes it from its agent; whoever is free begins it anew. */
export function AdoptJob({ job, onClose }: { job: AdminJob; onClose: () => void }) {
  const utils = trpc.useUtils()
  const adopt = trpc.jobs.adopt.useMutation()
  return (
    <Confirm
      open
      title={verbs.adoptJob}
      confirmLabel="确认接管"
      onClose={onClose}
      onConfirm={async () => {
        await adopt.mutateAsync({ id: job.id })
        // It gives way to what was asked of its machine meanwhile.
        const { status } = await utils.jobs.get.fetch({ id: job.id }, { staleTime: 0 }).catch(() => job)
        toast(status === 'SUPERSEDED' ? `任务${jobStatusWords[status]}` : '任务已收回并重新派发', 'success')
        await utils.jobs.list.invalidate()
      }}
    >
      <p>
        <JobOf job={job} />
        将从当前执行者手中收回，立即以新的尝试重新派发；已完成的步骤会被识别，不会重复造成损害，也不计入失败次数。
      </p>
      <p>适用于长时间没有进展的任务。</p>
    </Confirm>
  )
}

const JobOf = ({ job }: { job: AdminJob }) => (
  <>
    {labels.server} <b>{job.serverName}</b> 的任务“{actionWords[job.kind] ?? job.kind}”
  </>
)

const Parts = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 16px;

  h3 {
    margin: 0 0 8px;
    ${font.sm}
    font-weight: 600;
  }
`
