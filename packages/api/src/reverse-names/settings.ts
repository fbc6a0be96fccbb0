import type { ReverseDnsInput, ReverseDnsTest, ReverseDnsView } from '@vps/shared/reverse-names.contract'
import { sql } from 'kysely'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import type { Deps } from '../deps.js'
import { fail } from '../errors.js'
import { resolveOf } from '../findings/findings.js'
import { createSecret, deleteUnneeded, openIfReadable } from '../secrets/secrets.js'
import type { Vault } from '../vault.js'
import { lookAtZone, type Fault, type PowerDns } from './power-dns.js'
import { countOpen, hurryNames, writeAllAgain } from './rows.js'

/** One PowerDNS for the shop. Its key is sealed with the passwords of machines. */

const columns = ['url', 'secret_id', 'zones', 'must_resolve', 'version'] as const

/** Null: names are not offered. */
export async function offeredNames(db: Db): Promise<{ zones: string[]; mustResolve: boolean } | null> {
  const row = await db.selectFrom('reverse_dns').select(['zones', 'must_resolve']).executeTakeFirst()
  return row ? { zones: row.zones, mustResolve: row.must_resolve } : null
}

/** For its operator. */
export async function readReverseDns(db: Db): Promise<ReverseDnsView> {
  const [row, open] = await Promise.all([
    db
      .selectFrom('reverse_dns as r')
      .innerJoin('users as u', 'u.id', 'r.saved_by')
      .select(['r.url', 'r.zones', 'r.must_resolve', 'r.version', 'r.saved_at', 'u.username'])
      .executeTakeFirst(),
    countOpen(db),
  ])
  return {
    url: row?.url ?? null,
    zones: row?.zones ?? [],
    mustResolve: row?.must_resolve ?? false,
    ...open,
    version: row?.version ?? 0,
    savedAt: row?.saved_at.toISOString() ?? null,
    savedBy: row?.username ?? null,
  }
}

/**
 * Names are written there from now on, all anew for another server or zones. CONFLICT with a newer version,
 * INVALID_INPUT without the key.
 */
export async function saveReverseDns(
  tx: Tx,
  admin: User,
  { vault, now }: { vault: Vault; now: Date },
  input: ReverseDnsInput,
): Promise<void> {
  const before = await tx.selectFrom('reverse_dns').select(columns).forUpdate().executeTakeFirst()
  if (input.version !== (before?.version ?? 0)) fail('CONFLICT')
  const { url, zones, mustResolve } = input
  // A key is for the server it was typed for.
  const kept = before?.url === url ? before.secret_id : null
  const secret = input.key === null ? null : vault.seal(input.key)
  const secretId = secret?.id ?? kept
  if (secretId === null) fail('INVALID_INPUT', { message: keyMissing, errors: { key: keyMissing } })
  if (secret) await createSecret(tx, secret, now)
  const row = {
    url,
    zones,
    secret_id: secretId,
    must_resolve: mustResolve,
    version: before ? before.version + 1 : await unusedVersion(tx),
    saved_by: admin.id,
    saved_at: now,
  }
  // The key refuses both of two that begin at once.
  await (before ? tx.updateTable('reverse_dns').set(row) : tx.insertInto('reverse_dns').values(row)).execute()
  if (before && before.secret_id !== secretId) await deleteUnneeded(tx, [before.secret_id])
  if (before && before.url !== url) await endAway(tx, before.url, now)
  if (before?.url === url && String(before.zones) === String(zones)) await hurryNames(tx, now)
  else await writeAllAgain(tx, now)
  await note(tx, admin, { before: { url: before?.url ?? null }, after: { url, zones, mustResolve } }, now)
}
const keyMissing = '请填写 API 密钥'

/** Written names stay; nothing more is written. CONFLICT with a newer version. */
export async function clearReverseDns(tx: Tx, admin: User, version: number, now: Date): Promise<void> {
  const before = await tx
    .deleteFrom('reverse_dns')
    .where('version', '=', version)
    .returning(['url', 'secret_id'])
    .executeTakeFirst()
  if (!before) fail('CONFLICT')
  await deleteUnneeded(tx, [before.secret_id])
  await endAway(tx, before.url, now)
  await note(tx, admin, { before: { url: before.url }, after: { url: null } }, now)
}

export const nameServerAway = 'name-server-away'

/** Nobody asks there any more. */
const endAway = (tx: Tx, url: string, now: Date) => resolveOf(tx, nameServerAway, new URL(url).host, now)

/**
 * Above all that were taken away: a form opened before then must not pass for one of now. Each save and each clearing
 * left an entry.
 */
async function unusedVersion(tx: Tx): Promise<number> {
  const { entries } = await tx
    .selectFrom('audit_log')
    .select(sql<number>`count(*)::int`.as('entries'))
    .where('subject_kind', '=', subjectKind)
    .executeTakeFirstOrThrow()
  return entries + 1
}
const subjectKind = 'reverse-dns'

async function note(tx: Tx, admin: User, details: Record<string, unknown>, now: Date): Promise<void> {
  publish(tx, { shop: 'site' })
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'reverse-dns.save', subject: { kind: subjectKind, id: null }, details },
    now,
  )
}

type With = Pick<Deps, 'db' | 'vault' | 'config'>

/** Null: no settings; `server` null: no key of ours opens its own. */
export async function openPowerDns({ db, vault, config }: With): Promise<Opened | null> {
  const row = await db.selectFrom('reverse_dns').select(columns).executeTakeFirst()
  if (!row) return null
  const key = await openIfReadable(db, vault, row.secret_id)
  const server = key === null ? null : { url: row.url, key, allowed: config.allowedNetworks }
  return { url: row.url, server, zones: row.zones }
}
type Opened = { url: string; server: PowerDns | null; zones: string[] }

export const unreadableKey: Fault = { message: 'API 密钥无法读取，请重新填写', away: true }

const testMs = 20_000

/** Asks for each zone, writes nothing. NOT_FOUND without settings. */
export async function testReverseDns(deps: With): Promise<ReverseDnsTest> {
  const opened = await openPowerDns(deps)
  if (!opened) fail('NOT_FOUND', { message: '请先保存名称服务器的设置' })
  const { server, zones } = opened
  const signal = AbortSignal.timeout(testMs)
  const told: ReverseDnsTest['zones'] = []
  let away: Fault | null = server ? null : unreadableKey
  for (const zone of zones) {
    // An absent server would fail each zone, as slowly.
    const fault: Fault | null = away ?? (server && (await lookAtZone(server, zone, signal)))
    if (fault?.away) away = fault
    told.push({ zone, fault: fault?.message ?? null })
  }
  return { zones: told }
}
