import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { endGroups, lives, markProcess, type ProcessMark } from './processes.js'
import { Refusal } from './refusal.js'

/** What `npm start` keeps in DATA_DIR: one starter at a time, its children's numbers, and made secrets. */
export type DataDir = {
  path: string
  /** A secret made once and kept, readable by its owner alone. */
  secret(name: string): string
  /** Notes the children, so that a starter that was killed leaves no orphans to the next one. */
  noteChildren(marks: readonly ProcessMark[]): void
  release(): void
}

/** Takes the folder for this process; refuses when another starter lives in it, ends what a killed one left behind. */
export async function takeDataDir(folder: string): Promise<DataDir> {
  const file = (name: string) => path.join(folder, name)
  try {
    // The database's own user passes through, but cannot list.
    fs.mkdirSync(folder, { recursive: true, mode: 0o711 })
    fs.accessSync(folder, fs.constants.W_OK)
  } catch {
    throw new Refusal(`DATA_DIR ${folder} cannot be written; choose another folder.`)
  }
  takeLock(file('starter.lock'), folder)
  await endOrphans(file('children.json'))
  return {
    path: folder,
    secret: (name) => readOrMake(file(name)),
    noteChildren: (marks) => {
      // Somebody may have removed the folder under us: then there is no next start to tell, but children to stop.
      if (fs.existsSync(folder)) fs.writeFileSync(file('children.json'), JSON.stringify(marks))
    },
    release: () => {
      fs.rmSync(file('children.json'), { force: true })
      fs.rmSync(file('starter.lock'), { force: true })
    },
  }
}

function takeLock(lock: string, folder: string): void {
  const own = JSON.stringify(markProcess(process.pid) ?? { pid: process.pid, bornAt: '' })
  // Written aside and linked into place: whoever reads the lock reads it whole, and only one link succeeds.
  const draft = `${lock}.${process.pid}`
  fs.writeFileSync(draft, own)
  try {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      try {
        fs.linkSync(draft, lock)
        return
      } catch {
        const holder = readJson<ProcessMark>(lock)
        if (holder && lives(holder))
          throw new Refusal(
            `It is already running on ${folder} (process ${holder.pid}); stop that one or set another DATA_DIR.`,
          )
        fs.rmSync(lock, { force: true })
      }
    }
    throw new Refusal(`The lock ${lock} cannot be taken; another start is under way.`)
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

async function endOrphans(file: string): Promise<void> {
  const orphans = readJson<ProcessMark[]>(file) ?? []
  await endGroups(orphans, 5_000)
  fs.rmSync(file, { force: true })
}

function readOrMake(file: string): string {
  const kept = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : ''
  if (kept) return kept
  const made = randomBytes(32).toString('base64url')
  fs.writeFileSync(file, `${made}\n`, { mode: 0o600 })
  return made
}

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as T
  } catch {
    return undefined
  }
}
