import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { AlreadyRunning, lockFolder } from '../../packages/agent/src/lock.js'
import { Refusal } from './refusal.js'

/** Marks what `npm start` begins. */
export const startedFor = 'STARTED_FOR_DATA_DIR'

/** Refuses beside another starter, ends what a killed one left. */
export async function takeDataDir(folder: string): Promise<void> {
  try {
    // The database's user may pass, but not list.
    fs.mkdirSync(folder, { recursive: true, mode: 0o711 })
    fs.accessSync(folder, fs.constants.W_OK)
  } catch {
    throw new Refusal(`DATA_DIR ${folder} cannot be written; choose another folder.`)
  }
  await lockFolder(folder).catch((error: unknown) => {
    if (!(error instanceof AlreadyRunning)) throw error
    throw new Refusal(`It is already running on ${folder}; stop that one or set another DATA_DIR.`)
  })
  await endOrphans(folder)
}

/** Made once; readable by its owner alone. */
export function keptSecret(folder: string, name: string): string {
  const file = path.join(folder, name)
  const kept = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : ''
  if (kept) return kept
  const made = randomBytes(32).toString('base64url')
  fs.writeFileSync(file, `${made}\n`, { mode: 0o600 })
  return made
}

/** Under the lock: what still runs for this folder has lost its starter. */
async function endOrphans(folder: string): Promise<void> {
  const mark = `${startedFor}=${folder}`
  for (const pid of processesWith(mark)) signal(pid, 'SIGTERM')
  const deadline = Date.now() + 5_000
  while (processesWith(mark).length > 0 && Date.now() < deadline) await pause(25)
  for (const pid of processesWith(mark)) signal(pid, 'SIGKILL')
}

function processesWith(setting: string): number[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(setting))
    .map(Number)
}

function environmentOf(pid: string): string[] {
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    // Somebody else's, or ended.
    return []
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // Ended between the two lines.
  }
}
