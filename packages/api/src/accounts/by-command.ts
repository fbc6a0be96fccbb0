import type { Role } from '@vps/shared/accounts'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { enqueueMail } from '../mail/enqueue-mail.js'
import { fail } from '../errors.js'
import { clearSecondFactor } from './second-factor.js'
import { revokeAllSessions } from './sessions.js'

/** Ends every session of the account. NOT_FOUND. */
export async function setPassword(tx: Tx, username: string, passwordHash: string, now: Date): Promise<void> {
  const id = await change(tx, username, { password_hash: passwordHash }, now)
  await revokeAllSessions(tx, id, null, now)
  await enqueueMail(tx, { template: 'passwordChanged', userId: id })
  await record(tx, id, 'account.reset-password', now)
}

/** False: there was none. NOT_FOUND. */
export async function clearSecondFactorOf(tx: Tx, username: string, now: Date): Promise<boolean> {
  const id = await change(tx, username, {}, now)
  return clearSecondFactor(tx, { kind: 'command', id: null }, id, now)
}

/** NOT_FOUND; MOVE_NOT_ALLOWED where nobody could administer any more. */
export async function grantRole(tx: Tx, username: string, role: Role, now: Date): Promise<void> {
  if (role !== 'ADMIN') await refuseTheLast(tx, username)
  const id = await change(tx, username, { role }, now)
  publish(tx, { sessionsOf: id })
  await record(tx, id, `account.grant-${role.toLowerCase()}`, now)
}

/** Locked by id: of two who go at once the second stays. */
async function refuseTheLast(tx: Tx, username: string): Promise<void> {
  const active = await tx
    .selectFrom('users')
    .select('username')
    .where('role', '=', 'ADMIN')
    .where('status', '=', 'active')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const [last, another] = active
  if (last && !another && last.username.toLowerCase() === username.toLowerCase())
    fail('MOVE_NOT_ALLOWED', {
      message: `${last.username} is the only active administrator: grant ADMIN to another first`,
    })
}

async function change(
  tx: Tx,
  username: string,
  to: { password_hash?: string; role?: Role },
  now: Date,
): Promise<string> {
  const user = await tx
    .updateTable('users')
    .set({ ...to, updated_at: now })
    .where((eb) => eb(eb.fn('lower', ['username']), '=', username.toLowerCase()))
    .returning('id')
    .executeTakeFirst()
  return user?.id ?? fail('NOT_FOUND', { message: `no account ${username}` })
}

const record = (tx: Tx, id: string, action: string, now: Date) =>
  recordAudit(tx, { kind: 'command', id: null }, { action, subject: { kind: 'user', id } }, now)
