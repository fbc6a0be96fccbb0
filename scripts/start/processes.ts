import fs from 'node:fs'

/** A process named so that a later one with the same number is not mistaken for it. */
export type ProcessMark = { pid: number; bornAt: string }

/** The mark of a living process; nothing where there is none, or only a zombie. */
export function markProcess(pid: number): ProcessMark | undefined {
  try {
    const fields = fs
      .readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    // After the name: state is the first field, the start time in clock ticks since boot the twentieth.
    const [state, bornAt] = [fields[0], fields[19]]
    return state === 'Z' || !bornAt ? undefined : { pid, bornAt }
  } catch {
    return undefined
  }
}

/** Whether exactly this process still lives. */
export function lives(mark: ProcessMark): boolean {
  return markProcess(mark.pid)?.bornAt === mark.bornAt
}

/** Ends process groups: politely, then after `graceMs` for good. */
export async function endGroups(marks: readonly ProcessMark[], graceMs: number): Promise<void> {
  for (const mark of marks) signalGroup(mark, 'SIGTERM')
  const deadline = Date.now() + graceMs
  while (marks.some(lives) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 25))
  for (const mark of marks) signalGroup(mark, 'SIGKILL')
}

function signalGroup(mark: ProcessMark, signal: NodeJS.Signals): void {
  if (!lives(mark)) return
  try {
    process.kill(-mark.pid, signal)
  } catch {
    // It ended between the two lines.
  }
}
