import * as text from '@vps/shared/text'
import { useEffect, useSyncExternalStore } from 'react'
import { isAnswer } from '../api/errors'
import { trpc } from '../api/trpc'
import { toast } from '../ui/toast'
import { actionWords } from '@vps/shared/job-words'
import { forgetJob, subscribeToJobs, watchedJobs } from './watched-jobs'

const fallbackLookMs = 5_000

/** Says on any page how each watched job ended. */
export function JobWatcher() {
  return useSyncExternalStore(subscribeToJobs, watchedJobs).map((jobId) => <Watch key={jobId} jobId={jobId} />)
}

function Watch({ jobId }: { jobId: string }) {
  const { data: job, error: unread } = trpc.jobs.get.useQuery({ id: jobId }, { refetchInterval: fallbackLookMs })
  const { status, kind = '', error } = job ?? {}
  const act = actionWords[kind] ?? kind
  const isUnknown = !status && !isAnswer(unread)

  useEffect(() => {
    if (status === 'QUEUED' || status === 'RUNNING' || isUnknown) return
    if (status === 'SUCCEEDED') toast(kind === 'resetPassword' ? text.passwordReset : `${act}完成`, 'success')
    if (status === 'FAILED') toast(`${text.operationFailed}: ${error ?? act}`, 'error')
    forgetJob(jobId)
  }, [jobId, status, kind, act, error, isUnknown])

  return null
}
