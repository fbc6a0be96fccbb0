import { v7 as uuidv7 } from 'uuid'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { openWallet } from '../wallet/open-wallet.js'

type NewAdministrator = { username: string; email: string; passwordHash: string }

/** With a wallet; gives the id. USERNAME_TAKEN, EMAIL_TAKEN. */
export async function createAdministrator(tx: Tx, input: NewAdministrator, now: Date): Promise<string> {
  const id = uuidv7()
  await tx
    .insertInto('users')
    .values({
      id,
      username: input.username,
      email: input.email,
      password_hash: input.passwordHash,
      role: 'ADMIN',
      created_at: now,
      updated_at: now,
    })
    .execute()
  await openWallet(tx, id, now)
  await recordAudit(
    tx,
    { kind: 'command', id: null },
    { action: 'account.create-admin', subject: { kind: 'user', id } },
    now,
  )
  return id
}
