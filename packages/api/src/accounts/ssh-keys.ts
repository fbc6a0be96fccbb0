import { createHash } from 'node:crypto'
import { maxSshKeys } from '@vps/shared/accounts'
import type { SshKeyView } from '@vps/shared/accounts.contract'
import { v7 as uuidv7 } from 'uuid'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'

/** `SHA256:…` as ssh-keygen shows it: unpadded base64 of the blob's hash (RFC 4253, 6.6). */
export function fingerprintOf(publicKey: string): string {
  return `SHA256:${createHash('sha256').update(blobOf(publicKey)).digest('base64').replace(/=+$/, '')}`
}

const blobOf = (publicKey: string) => Buffer.from(publicKey.split(' ')[1] ?? '', 'base64')

/** Its fields, each behind its length, are as many bytes as there are, and the first names its type (RFC 4253, 6.6). */
function isWhole(publicKey: string): boolean {
  const blob = blobOf(publicKey)
  const fields: Buffer[] = []
  let at = 0
  while (at + 4 <= blob.length) {
    const end = at + 4 + blob.readUInt32BE(at)
    fields.push(blob.subarray(at + 4, end))
    at = end
  }
  return at === blob.length && fields.length > 1 && fields[0]?.toString() === publicKey.split(' ')[0]
}

export async function listSshKeys(db: Db, userId: string): Promise<SshKeyView[]> {
  const rows = await db
    .selectFrom('ssh_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .limit(maxSshKeys)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    publicKey: row.public_key,
    fingerprint: row.fingerprint,
    createdAt: row.created_at.toISOString(),
  }))
}

/** INVALID_INPUT for one cut off; SSH_KEY_TAKEN, TOO_MANY_SSH_KEYS. */
export async function addSshKey(
  tx: Tx,
  user: User,
  input: { name: string; publicKey: string },
  now: Date,
): Promise<void> {
  if (!isWhole(input.publicKey)) fail('INVALID_INPUT', { errors: { publicKey: '公钥不完整，请重新复制整行' } })
  await tx.selectFrom('users').select('id').where('id', '=', user.id).forNoKeyUpdate().execute()
  if ((await listSshKeys(tx, user.id)).length >= maxSshKeys) fail('TOO_MANY_SSH_KEYS')
  const fingerprint = fingerprintOf(input.publicKey)
  await tx
    .insertInto('ssh_keys')
    .values({
      id: uuidv7(),
      user_id: user.id,
      name: input.name,
      public_key: input.publicKey,
      fingerprint,
      created_at: now,
    })
    .execute()
  await recordAudit(
    tx,
    actorOf(user),
    { action: 'ssh-key.add', subject: { kind: 'user', id: user.id }, details: { fingerprint } },
    now,
  )
  publish(tx, { user: user.id, what: 'account', id: user.id })
}

/** Machines that carry it keep it. NOT_FOUND for another's. */
export async function removeSshKey(tx: Tx, user: User, id: string, now: Date): Promise<void> {
  const removed = await tx
    .deleteFrom('ssh_keys')
    .where('id', '=', id)
    .where('user_id', '=', user.id)
    .returning('fingerprint')
    .executeTakeFirst()
  if (!removed) fail('NOT_FOUND')
  await recordAudit(
    tx,
    actorOf(user),
    { action: 'ssh-key.remove', subject: { kind: 'user', id: user.id }, details: removed },
    now,
  )
  publish(tx, { user: user.id, what: 'account', id: user.id })
}
