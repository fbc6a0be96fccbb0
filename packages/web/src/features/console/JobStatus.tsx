import styled from 'styled-components'
import { trpc } from '../../api/trpc'
import { color, font } from '../../theme/tokens'
import { Chip } from '../../ui/Chip'
import { durationText } from '../../ui/Time'
import { useServerNow } from '../../ui/use-server-now'
import { actionWords } from '@vps/shared/job-words'

const fallbackLookMs = 5_000
/** A host that is heard takes one at once. */
const atOnceSeconds = 10

/** What the machine is doing. */
export function JobStatus({ jobId }: { jobId: string }) {
  const { data: job } = trpc.jobs.get.useQuery(
    { id: jobId },
    { refetchInterval: (query) => (isOpen(query.state.data?.status) ? fallbackLookMs : false) },
  )
  const open = isOpen(job?.status)
  const now = useServerNow(open ? 1_000 : null)

  if (!job || !open) return null
  const step = job.steps.find(({ status }) => status === 'running')
  const seconds = (now - Date.parse(job.startedAt ?? job.createdAt)) / 1000
  return (
    <Line>
      <Line role="status">
        <Chip tone="info" busy>
          正在{actionWords[job.kind] ?? job.kind}
        </Chip>
        {job.startedAt === null && seconds > atOnceSeconds && <span>尚未开始，等待接手</span>}
        {step && <span>{step.label}</span>}
      </Line>
      {/* Not said with each change, which would drown all else; whoever asks reads them. */}
      {job.percentage > 0 && <span>{job.percentage}%</span>}
      <time>{durationText(seconds)}</time>
    </Line>
  )
}

const isOpen = (status: string | undefined) => status === undefined || status === 'QUEUED' || status === 'RUNNING'

const Line = styled.span`
  display: inline-flex;
  align-items: center;
  flex-wrap: wrap;
  gap: 4px 8px;
  ${font.xs}
  ${font.numbers}
  color: ${color.text2};
`
