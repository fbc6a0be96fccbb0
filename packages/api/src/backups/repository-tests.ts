import type { RepositoryProblem } from '@vps/shared/backups'
import { repositoryTesting, repositoryTestSeconds, repositoryWords, repositoryWorks } from '@vps/shared/backups'
import type { BackupRepositoryView } from '@vps/shared/backups.contract'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { isAlive } from '../fleet/is-alive.js'

/**
 * Whether a host's own engine can use the current repository. Rides on the host's claim as connection tests do. One at
 * a time, in the repository's row.
 */

const seconds = sql.lit(repositoryTestSeconds)
const isWaited = sql<boolean>`(r.tested_at is null and r.test_asked_at > clock_timestamp() - make_interval(secs => ${seconds}))`
/** Handed out late it could not be answered in time. */
const waitsForHost = sql<boolean>`(r.test_handed_at is null and r.test_asked_at > clock_timestamp() - interval '30 seconds')`

/** By this host, or the one heard last. One under way is shared. MOVE_NOT_ALLOWED without a repository or host. */
export async function askForTest(tx: Tx, admin: User, hostId: string | null, now: Date): Promise<void> {
  const repository = await tx
    .selectFrom('backup_repositories as r')
    .select(['r.id', 'r.url', isWaited.as('isWaited')])
    .where('r.is_current', '=', true)
    .forUpdate()
    .executeTakeFirst()
  if (!repository) fail('MOVE_NOT_ALLOWED', { message: '请先保存备份存储的设置' })
  if (repository.isWaited) return
  const host = await tx
    .selectFrom('hosts as h')
    .innerJoin('host_heartbeats as b', 'b.host_id', 'h.id')
    .select('h.id')
    .where(isAlive('b'))
    .$if(hostId !== null, (query) => query.where('h.id', '=', hostId))
    .orderBy('b.last_seen_at', 'desc')
    .orderBy('h.id')
    .limit(1)
    .executeTakeFirst()
  if (!host) fail('MOVE_NOT_ALLOWED', { message: hostId ? '所选宿主机不在线' : '没有在线的宿主机' })
  await tx
    .updateTable('backup_repositories')
    .set({ ...noTest, test_id: uuidv7(), test_host_id: host.id, test_asked_at: now })
    .where('id', '=', repository.id)
    .execute()
  publish(tx, { host: host.id }, { shop: 'site' })
  const subject = { kind: 'backup-repository', id: null }
  const details = { url: repository.url, hostId: host.id }
  await recordAudit(tx, actorOf(admin), { action: 'backup-repository.test', subject, details }, now)
}

/** Of untried settings. */
export const noTest = {
  test_id: null,
  test_host_id: null,
  test_asked_at: null,
  test_handed_at: null,
  tested_at: null,
  test_problem: null,
  test_detail: '',
}

/** Those waiting for their host. */
export const openRepositoryTests = (db: Db) =>
  db.selectFrom('backup_repositories as r').select('r.test_id as id').where(waitsForHost)

/** Once; as its row is, still sealed. */
export async function claimRepositoryTest(
  tx: Tx,
  hostId: string,
): Promise<{ id: string; repositoryId: string } | null> {
  const row = await tx
    .updateTable('backup_repositories as r')
    .set({ test_handed_at: sql`clock_timestamp()` })
    .where('r.test_host_id', '=', hostId)
    .where(waitsForHost)
    .returning(['r.id as repositoryId', 'r.test_id as id'])
    .executeTakeFirst()
  return row?.id ? { id: row.id, repositoryId: row.repositoryId } : null
}

type Tested = { id: string; problem: RepositoryProblem | null; detail: string }

/** Nothing for one asked anew, or of settings changed since. */
export async function finishRepositoryTest(tx: Tx, hostId: string, { id, problem, detail }: Tested): Promise<void> {
  await tx
    .updateTable('backup_repositories')
    .set({ tested_at: sql`clock_timestamp()`, test_problem: problem, test_detail: detail })
    .where('test_id', '=', id)
    .where('test_host_id', '=', hostId)
    .where('tested_at', 'is', null)
    .execute()
  publish(tx, { shop: 'site' })
}

/** Of the current repository; null: none since its settings were saved. */
export async function readTest(db: Db): Promise<BackupRepositoryView['test']> {
  const row = await db
    .selectFrom('backup_repositories as r')
    .innerJoin('hosts as h', 'h.id', 'r.test_host_id')
    .select(['h.name as hostName', 'r.test_asked_at', 'r.tested_at', 'r.test_problem', 'r.test_detail'])
    .select(isWaited.as('isWaited'))
    .where('r.is_current', '=', true)
    .executeTakeFirst()
  if (!row?.test_asked_at) return null
  const { hostName, tested_at, isWaited: runs } = row
  const problem = tested_at ? row.test_problem : runs ? null : 'unanswered'
  return {
    state: runs ? 'RUNNING' : problem ? 'FAILED' : 'OK',
    askedAt: row.test_asked_at.toISOString(),
    testedAt: tested_at?.toISOString() ?? null,
    hostName,
    problem,
    words: problem ? repositoryWords[problem] : runs ? repositoryTesting : repositoryWorks,
    detail: row.test_detail,
  }
}
