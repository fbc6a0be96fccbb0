import styled from 'styled-components'
import { trpc } from '../../../api/trpc'
import { paths } from '../../../paths'
import { actionWords, jobStatusWords } from '../../../shell/job-words'
import { color, font, radius } from '../../../theme/tokens'
import { Alert } from '../../../ui/Alert'
import { Button, ButtonLink } from '../../../ui/Button'
import { Confirm } from '../../../ui/Confirm'
import { Dialog } from '../../../ui/Dialog'
import { Facts } from '../../../ui/Facts'
import { Steps } from '../../../ui/Steps'
import { Time } from '../../../ui/Time'
import { toast } from '../../../ui/toast'
import type { AdminJob } from './JobsPage'

/** A job as it runs: its steps, and what the hypervisor said where it failed. */
export function JobDialog({ job, now, onClose }: { job: AdminJob; now: number; onClose: () => void }) {
  return (
    <Dialog
      title={`${actionWords[job.kind] ?? job.kind} · ${job.serverName}`}
      open
      width={640}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          {job.orderId && <ButtonLink href={paths.console(job.orderId)}>打开服务器控制台</ButtonLink>}
        </>
      }
    >
      <Parts>
        <Facts
          columns={2}
          facts={[
            ['状态', `${jobStatusWords[job.status]}${job.status === 'RUNNING' ? ` ${job.percentage}%` : ''}`],
            ['尝试次数', job.attempt],
            ['宿主机', job.hostName],
            ['发起人', job.by ?? '系统'],
            ['创建时间', <Time key="created" at={job.createdAt} />],
            ['开始时间', <Time key="started" at={job.startedAt} />],
            ['结束时间', <Time key="finished" at={job.finishedAt} />],
            ['任务编号', job.id, 'mono'],
          ]}
        />
        <Steps steps={job.steps} now={now} />
        {job.error && <Alert tone={job.status === 'FAILED' ? 'error' : 'warning'}>{job.error}</Alert>}
        {job.detail && (
          <Detail tabIndex={0} role="group" aria-label="详细信息">
            {job.detail}
          </Detail>
        )}
      </Parts>
    </Dialog>
  )
}

/** Takes a waiting act back, or asks a running one to stop. */
export function CancelJob({ job, onClose }: { job: AdminJob; onClose: () => void }) {
  const utils = trpc.useUtils()
  const cancel = trpc.admin.operations.cancelJob.useMutation()
  return (
    <Confirm
      open
      danger
      title="取消任务"
      confirmLabel="确认取消任务"
      onClose={onClose}
      onConfirm={async () => {
        await cancel.mutateAsync({ id: job.id })
        toast(job.status === 'RUNNING' ? '已请求中止任务' : '任务已取消', 'success')
        await utils.admin.operations.jobs.invalidate()
      }}
    >
      <p>
        服务器 <b>{job.serverName}</b> 的任务“{actionWords[job.kind] ?? job.kind}”
        {job.status === 'RUNNING' ? '正在执行，代理会在安全的步骤之间中止；已完成的步骤不会撤回。' : '将不再执行。'}
      </p>
    </Confirm>
  )
}

const Parts = styled.div`
  display: grid;
  gap: 16px;
`

const Detail = styled.pre`
  max-height: 240px;
  margin: 0;
  padding: 12px 16px;
  border-radius: ${radius.control};
  background: ${color.sunken};
  font-family: ${font.family.mono};
  ${font.xs}
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  overflow: auto;
`
