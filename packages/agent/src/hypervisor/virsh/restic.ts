import type { BackupRepository } from '@vps/shared/agent.contract'
import { repositoryProblemIn } from '@vps/shared/backups'
import * as text from '@vps/shared/text'
import * as z from 'zod'
import { HypervisorError } from '../hypervisor.js'
import { drain, feed, type Moving, patienceMs, type Program, type Sink, type Source } from './piped.js'
import { run, type RunOptions } from './run.js'

/**
 * A machine's backups, in its own restic repository: locks, checks and clearing hold up no other. Each is one file, the
 * disk without its holes (disk-archive.ts), tagged with its row's id once whole; earlier ones are the whole disk.
 */

const whole = '/disk.raw'
const sparse = /^\/disk\.(\d+)\.tar$/
/** Until all has come: restic keeps a killed agent's half. */
const half = 'half'
/** A question to a far repository; forgetting rewrites packs. */
const askMs = 120_000
const clearMs = 6 * 3_600_000
const checkMs = 2 * 3_600_000

export type Kept = { id: string; tags: string[] }

/** `bytes`: the disk's; `keptBytes`: read of it. */
export type KeptDisk = { path: string; bytes: number; keptBytes: number; isWhole: boolean }

/** Address and secrets are never in arguments or in what it throws. */
function openPrograms({ url, password, environment, uploadLimitKib }: BackupRepository, folder: string) {
  const address = `${url.replace(/\/+$/, '')}/${folder}`
  const secrets = [password, address, url, ...Object.values(environment)].filter((one) => one.length > 3)
  const env = {
    ...environment,
    RESTIC_REPOSITORY: address,
    RESTIC_PASSWORD: password,
  }
  const limited = uploadLimitKib > 0 ? ['--limit-upload', String(uploadLimitKib)] : []
  const program = (...args: string[]): Program => ({
    program: 'nice',
    args: ['-n', '19', 'ionice', '-c', '3', 'restic', '--no-cache', ...limited, ...args],
    env,
  })
  const throwClean = (error: unknown): never => {
    if (!(error instanceof HypervisorError)) throw error
    const said = secrets.reduce((words, secret) => words.replaceAll(secret, '***'), error.message)
    throw new HypervisorError(said, { customer: error.customer ?? text.backupStorageAway, final: error.final })
  }
  const ask = async (args: string[], options: Omit<RunOptions, 'env'> = {}): Promise<string> => {
    const { program: name, args: all } = program(...args)
    for (let left = untoldTries; ; left -= 1) {
      try {
        return await run(name, all, { timeoutMs: askMs, ...options, env })
      } catch (error) {
        if (left === 0 || !isUntold(error)) return throwClean(error)
      }
    }
  }
  return { program, ask, throwClean }
}

/** Where ssh ends at once, restic often ends before telling why: asked again. */
const isUntold = (error: unknown) =>
  error instanceof HypervisorError &&
  error.message.includes('unable to start the sftp session') &&
  !error.message.includes('subprocess ')
const untoldTries = 5

/** Asks nothing yet. The folder is the server's id. */
export function openRestic(repository: BackupRepository, serverId: string) {
  const { program, ask, throwClean } = openPrograms(repository, serverId)

  const list = async (): Promise<Kept[]> =>
    (snapshots.parse(JSON.parse(await ask(['snapshots', '--json', '--no-lock']))) ?? []).map(({ id, tags }) => ({
      id,
      tags: tags ?? [],
    }))

  return {
    list,

    /** What held backups begins anew only where the place is known to be there: by an operator's test. */
    async openOrMake(): Promise<void> {
      await ask(['cat', 'config', '--no-lock']).catch(async (error: unknown) => {
        if (!isMissing(error)) throw error
        if (repository.holdsBackups === true) await refuseUntested(repository)
        await ask(['init'])
      })
      // Only locks of the dead, or silent for half an hour.
      await ask(['unlock'])
    },

    halves: (kept: readonly Kept[]) => kept.filter(({ tags }) => tags.includes(half)).map(({ id }) => id),

    /** Read to its end; gives how much was new. `bytes`: the disk's. */
    async keep(backupId: string, bytes: number, source: Source, moving: Moving): Promise<number> {
      const named = ['--stdin', '--stdin-filename', `disk.${bytes}.tar`]
      const to = program('backup', '--json', '--host', serverId, '--tag', half, ...named)
      const stallMs = patienceMs(repository.uploadLimitKib)
      const made = summaryIn(await feed(source, to, { ...moving, stallMs }).catch(throwClean))
      await ask(['tag', '--set', backupId, made.snapshot_id])
      // restic succeeds, too, where it found nothing to tag.
      if (!(await list()).some(({ tags }) => tags.includes(backupId)))
        throw new HypervisorError('what was kept is not marked as whole', { customer: text.backupStorageAway })
      return made.data_added
    },

    async diskOf({ id }: Kept): Promise<KeptDisk> {
      const lines = (await ask(['ls', '--json', '--no-lock', id])).trim().split('\n')
      for (const { path = '', size: keptBytes } of lines.map((line) => entries.parse(JSON.parse(line)))) {
        if (keptBytes === undefined) continue
        const bytes = path === whole ? keptBytes : Number(sparse.exec(path)?.[1])
        if (bytes > 0) return { path, bytes, keptBytes, isWhole: path === whole }
      }
      throw new HypervisorError('the backup holds no disk', { final: true })
    },

    /** With a shared lock: other work waits for other servers' jobs. */
    async bring(
      { id }: Kept,
      { path, keptBytes }: KeptDisk,
      sink: Sink,
      { isShared, ...moving }: Omit<Moving, 'totalBytes'> & { isShared: boolean },
    ): Promise<void> {
      const from = program('dump', ...(isShared ? [] : ['--no-lock']), id, path)
      await drain(from, sink, { ...moving, totalBytes: keptBytes }).catch(throwClean)
    },

    /** Of these, and of what a broken-off run forgot. */
    async giveRoomBack(ids: readonly string[], signal: AbortSignal): Promise<void> {
      await ask(['unlock'], { signal })
      await ask(ids.length > 0 ? ['forget', '--prune', ...ids] : ['prune'], { timeoutMs: clearMs, signal })
    },

    /**
     * Without a lock, which a killed agent would leave: only this machine's own jobs write there, and they wait. What
     * restic found wrong, or null; throws where it could not look.
     */
    async damage({ part, parts }: { part: number; parts: number }, signal: AbortSignal): Promise<string | null> {
      try {
        await ask(['check', '--no-lock', `--read-data-subset=${part}/${parts}`], { timeoutMs: checkMs, signal })
        return null
      } catch (error) {
        if (!(error instanceof HypervisorError) || repositoryProblemIn(error.message) !== 'damaged') throw error
        return error.message.slice(error.message.indexOf(': ') + 2)
      }
    },
  }
}

/** A folder that is not mounted looks like a new one: backups would lie on the host's own disk, and be told as kept. */
async function refuseUntested(repository: BackupRepository): Promise<void> {
  const { ask } = openPrograms(repository, testFolder)
  await ask(['cat', 'config', '--no-lock']).catch((error: unknown) => {
    if (!isMissing(error)) throw error
    const words =
      'the repository is not there any more: is it mounted? If it is lost, test the storage, and it begins anew'
    throw new HypervisorError(words, { customer: text.backupStorageAway })
  })
}

const testFolder = 'portal-test'

/** Written, read and forgotten in its own folder, which restic cannot remove. Throws restic's words. */
export async function tryOut(repository: BackupRepository, signal: AbortSignal): Promise<void> {
  const { ask } = openPrograms(repository, testFolder)
  const limited = { timeoutMs: tryMs, signal }
  await ask(['cat', 'config', '--no-lock'], limited).catch(async (error: unknown) => {
    if (!isMissing(error)) throw error
    await ask(['init'], limited)
  })
  await ask(['unlock'], limited)
  const backup = ['backup', '--json', '--host', 'test', '--stdin', '--stdin-filename', 'test']
  const made = summaryIn(await ask(backup, { ...limited, input: trial }))
  const read = await ask(['dump', '--no-lock', made.snapshot_id, '/test'], limited)
  if (read !== trial) throw new HypervisorError('what was read does not match what was written')
  const kept = snapshots.parse(JSON.parse(await ask(['snapshots', '--json', '--no-lock'], limited))) ?? []
  await ask(['forget', '--prune', ...kept.map(({ id }) => id)], limited)
}

/** For each question, so that all are asked in the test's time. */
const tryMs = 25_000
const trial = 'written and read back'

/** Also where it is out of reach: making one says so at once. */
const isMissing = (error: unknown) =>
  error instanceof HypervisorError && error.message.includes('Is there a repository')

const summaryIn = (said: string) => summary.parse(JSON.parse(said.trim().split('\n').at(-1) ?? ''))

const snapshots = z.array(z.looseObject({ id: z.string(), tags: z.array(z.string()).nullish() })).nullable()
const summary = z.looseObject({
  message_type: z.literal('summary'),
  snapshot_id: z.string(),
  data_added: z.number(),
})
const entries = z.looseObject({ path: z.string().optional(), size: z.number().optional() })
