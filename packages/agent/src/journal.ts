import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { generation, jobResult, jobStep } from '@vps/shared/jobs.contract'
import { jobKinds } from '@vps/shared/jobs'
import * as z from 'zod'
import { isMissing, readIfThere, writeDurably } from './files.js'
import { takingTurns } from './wait.js'

/**
 * A file per job in STATE_DIR/jobs, written before each step: what was held, and how far. No payload, no secret: both
 * come again with the claim.
 */
const journalEntry = z.object({
  jobId: z.uuid(),
  serverId: z.uuid(),
  kind: z.enum(jobKinds),
  attempt: z.int(),
  generation,
  steps: z.array(jobStep),
  percentage: z.int(),
  result: jobResult.nullable(),
})
export type JournalEntry = z.infer<typeof journalEntry>

export type Journal = ReturnType<typeof openJournal>

/** The journal in this state folder. */
export function openJournal(stateDir: string) {
  const folder = join(stateDir, 'jobs')
  const pathOf = (jobId: string) => join(folder, `${jobId}.json`)
  // A job may be adopted while a step is written down.
  const inTurn = takingTurns()
  return {
    write: (entry: JournalEntry) => inTurn(() => writeDurably(pathOf(entry.jobId), JSON.stringify(entry))),

    remove: (jobId: string) => inTurn(() => rm(pathOf(jobId), { force: true })),

    /**
     * An unreadable file is put aside, or stays where nothing can be written, as after an error of the disk: the API
     * hands its job out again.
     */
    async readAll(): Promise<{ entries: JournalEntry[]; unreadable: string[] }> {
      const entries: JournalEntry[] = []
      const unreadable: string[] = []
      for (const name of await filesIn(folder)) {
        const parsed = parse((await readIfThere(join(folder, name)).catch(() => null)) ?? '')
        if (parsed) entries.push(parsed)
        else {
          unreadable.push(name)
          await rename(join(folder, name), join(folder, `${name}.unreadable`)).catch(() => {})
        }
      }
      return { entries, unreadable }
    },
  }
}

function parse(text: string): JournalEntry | null {
  try {
    return journalEntry.parse(JSON.parse(text))
  } catch {
    return null
  }
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.json'))
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
