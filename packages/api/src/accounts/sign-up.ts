import { v7 as uuidv7 } from 'uuid'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { openWallet } from '../wallet/open-wallet.js'
import { refuseReservedEmail } from './email-changes.js'
import { openSession, type Visitor } from './sessions.js'

type SignUp = { username: string; email: string; passwordHash: string; visitor: Visitor }

/** USERNAME_TAKEN, EMAIL_TAKEN. */
export async function signUp(tx: Tx, input: SignUp, now: Date): Promise<{ userId: string; token: string }> {
  const userId = uuidv7()
  await tx
    .insertInto('users')
    .values({
      id: userId,
      username: input.username,
      email: input.email,
      password_hash: input.passwordHash,
      created_at: now,
      updated_at: now,
    })
    .execute()
  await refuseReservedEmail(tx, input.email, userId, now)
  await openWallet(tx, userId, now)
  const token = await openSession(tx, userId, input.visitor, now)
  await recordAudit(
    tx,
    { kind: 'user', id: userId, address: input.visitor.address },
    { action: 'account.register', subject: { kind: 'user', id: userId } },
    now,
  )
  return { userId, token }
}
