let jobs: readonly string[] = []
const listeners = new Set<() => void>()

/** Told once, however often asked. */
export function watchJob(jobId: string): void {
  if (!jobs.includes(jobId)) set([...jobs, jobId])
}

export const forgetJob = (jobId: string) => set(jobs.filter((id) => id !== jobId))

export const watchedJobs = () => jobs

export function subscribeToJobs(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(next: readonly string[]): void {
  jobs = next
  for (const listener of listeners) listener()
}
