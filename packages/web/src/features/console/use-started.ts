import * as text from '@vps/shared/text'
import { trpc } from '../../api/trpc'
import { watchJob } from '../../jobs/watched-jobs'
import { toast } from '../../ui/toast'

/** For an act on the disk or drive: its end is told on whatever page. */
export function useStarted() {
  const utils = trpc.useUtils()
  return ({ jobId }: { jobId: string }) => {
    watchJob(jobId)
    toast(text.submitted, 'success')
    void utils.console.invalidate()
    void utils.snapshots.invalidate()
    void utils.backups.invalidate()
  }
}
