import type { BackupRepository } from '@vps/shared/agent.contract'
import { repositoryKind } from '@vps/shared/backups'
import type { BackupRepositoryInput, BackupRepositoryView } from '@vps/shared/backups.contract'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import * as z from 'zod'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { createSecret, deleteUnneeded, openIfReadable, openSecret } from '../secrets/secrets.js'
import type { Vault } from '../vault.js'
import { readChecks } from './checks.js'
import { noTest, readTest } from './repository-tests.js'

/**
 * One place for the shop; a row per address, since what lies in an earlier one stays. Passwords are sealed with those
 * of machines (decision 0104).
 */

/** Both are needed to read; the second only by S3 and REST servers. */
const passwords = z.object({ password: z.string(), loginPassword: z.string().nullable() })

const columns = ['id', 'url', 'username', 'secret_id', 'upload_limit_kib', 'version', 'is_current'] as const

/** For its operator. */
export async function readRepository(db: Db, now: Date): Promise<BackupRepositoryView> {
  const row = await db
    .selectFrom('backup_repositories as r')
    .innerJoin('users as u', 'u.id', 'r.saved_by')
    .select(['r.url', 'r.username', 'r.upload_limit_kib', 'r.version', 'r.saved_at', 'u.username as savedBy'])
    .where('r.is_current', '=', true)
    .executeTakeFirst()
  return {
    url: row?.url ?? null,
    username: row?.username ?? '',
    uploadLimitKib: row?.upload_limit_kib ?? 0,
    version: row?.version ?? 0,
    savedAt: row?.saved_at.toISOString() ?? null,
    savedBy: row?.savedBy ?? null,
    test: await readTest(db),
    check: await readChecks(db, now),
  }
}

/** New backups go there. CONFLICT with a newer version, INVALID_INPUT without needed passwords. */
export async function saveRepository(
  tx: Tx,
  admin: User,
  { vault, now }: { vault: Vault; now: Date },
  input: BackupRepositoryInput,
): Promise<void> {
  const rows = await tx.selectFrom('backup_repositories').select(columns).orderBy('id').forUpdate().execute()
  const current = rows.find((row) => row.is_current)
  if (input.version !== (current?.version ?? 0)) fail('CONFLICT')
  const same = rows.find((row) => row.url === input.url)
  // Unreadable ones are typed anew.
  const known = same ? await openIfReadable(tx, vault, same.secret_id) : null
  const before = known === null ? null : passwords.parse(JSON.parse(known))
  const after = {
    password: input.password ?? before?.password ?? refuse('password', '请填写加密密码'),
    loginPassword: input.username === '' ? null : (input.loginPassword ?? before?.loginPassword ?? null),
  }
  if (input.username !== '' && after.loginPassword === null) refuse('loginPassword', '请填写登录密码或密钥')
  if (same && before && before.password !== after.password) await refuseOtherPassword(tx, same.id)
  const secret = vault.seal(JSON.stringify(after))
  await createSecret(tx, secret, now)
  // Only the one that was read: the keys refuse the second of two that found none.
  if (current)
    await tx.updateTable('backup_repositories').set({ is_current: false }).where('id', '=', current.id).execute()
  const saved = {
    username: input.username,
    secret_id: secret.id,
    upload_limit_kib: input.uploadLimitKib,
    is_current: true,
    version: Math.max(0, ...rows.map((row) => row.version)) + 1,
    saved_by: admin.id,
    saved_at: now,
    ...noTest,
  }
  if (same) await tx.updateTable('backup_repositories').set(saved).where('id', '=', same.id).execute()
  else
    await tx
      .insertInto('backup_repositories')
      .values({ id: uuidv7(), url: input.url, ...saved })
      .execute()
  if (same) await deleteUnneeded(tx, [same.secret_id])
  const { url, username, uploadLimitKib } = input
  const details = { before: { url: current?.url ?? null }, after: { url, username, uploadLimitKib } }
  await noteChange(tx, admin, details, now)
}

/** Backups are no more sold or made; kept ones can be brought back. CONFLICT with a newer version. */
export async function clearRepository(tx: Tx, admin: User, version: number, now: Date): Promise<void> {
  const current = await tx
    .updateTable('backup_repositories')
    .set({ is_current: false })
    .where('is_current', '=', true)
    .where('version', '=', version)
    .returning('url')
    .executeTakeFirst()
  if (!current) fail('CONFLICT')
  await noteChange(tx, admin, { before: current, after: { url: null } }, now)
}

async function noteChange(tx: Tx, admin: User, details: Record<string, unknown>, now: Date): Promise<void> {
  publish(tx, { shop: 'site' })
  const subject = { kind: 'backup-repository', id: null }
  await recordAudit(tx, actorOf(admin), { action: 'backup-repository.save', subject, details }, now)
}

/** What is kept there is encrypted with the old one. */
async function refuseOtherPassword(tx: Tx, repositoryId: string): Promise<void> {
  const kept = await tx
    .selectFrom('backups')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .limit(1)
    .executeTakeFirst()
  if (kept) refuse('password', '该地址中已有备份，加密密码不能更改')
}

function refuse(field: string, message: string): never {
  fail('INVALID_INPUT', { message, errors: { [field]: message } })
}

/** Null: nowhere. */
export async function currentRepositoryId(db: Db): Promise<string | null> {
  const row = await db.selectFrom('backup_repositories').select('id').where('is_current', '=', true).executeTakeFirst()
  return row?.id ?? null
}

/** For the host that makes, brings back or forgets a backup. UnreadableSecret; throws where the backup is gone. */
export async function openRepositoryOf(
  db: Db,
  vault: Vault,
  { backupId, hostId }: { backupId: string; hostId: string | null },
): Promise<BackupRepository> {
  const { repository_id, holds } = await db
    .selectFrom('backups as b')
    .select(['b.repository_id', holdsBackups(hostId).as('holds')])
    .where('b.id', '=', backupId)
    .executeTakeFirstOrThrow()
  return { ...(await openRepository(db, vault, repository_id)), holdsBackups: holds }
}

/** Of `b`'s server, made there by this host, not forgotten yet. */
const holdsBackups = (hostId: string | null) => sql<boolean>`exists (select from backups m
  join jobs j on j.server_id = m.server_id and j.kind = 'backup' and j.status = 'SUCCEEDED' and j.host_id = ${hostId}
    and j.payload->>'backupId' = m.id::text
  where m.server_id = b.server_id and m.repository_id = b.repository_id and m.made_at is not null)`

/** For the host that tests or checks it. UnreadableSecret. */
export async function openRepository(db: Db, vault: Vault, id: string): Promise<BackupRepository> {
  const row = await db
    .selectFrom('backup_repositories')
    .select(['url', 'username', 'secret_id', 'upload_limit_kib'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return asTaken(row, await openPasswords(db, vault, row.secret_id))
}

async function openPasswords(db: Db, vault: Vault, id: string): Promise<z.infer<typeof passwords>> {
  return passwords.parse(JSON.parse(await openSecret(db, vault, id)))
}

type Row = { url: string; username: string; upload_limit_kib: number }

/** restic 0.14 takes a REST server's login only in its address. */
function asTaken(row: Row, { password, loginPassword }: z.infer<typeof passwords>): BackupRepository {
  const { url, username } = row
  const kind = repositoryKind(url)
  const login = username && loginPassword ? { username, loginPassword } : null
  const given = login && `${encodeURIComponent(login.username)}:${encodeURIComponent(login.loginPassword)}@`
  return {
    url: kind === 'rest' && given ? url.replace(/^(rest:https?:\/\/)/, `$1${given}`) : url,
    password,
    environment:
      kind === 's3' && login ? { AWS_ACCESS_KEY_ID: login.username, AWS_SECRET_ACCESS_KEY: login.loginPassword } : {},
    uploadLimitKib: row.upload_limit_kib,
  }
}
