import type { UserNoteView } from '@vps/shared/accounts.contract'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import { v7 as uuidv7 } from 'uuid'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { countRows, toPage } from '../db/page.js'
import { fail } from '../errors.js'

/** What staff wrote about a customer, newest first. */
export async function pageNotes(db: Db, input: PageInput & { userId: string }): Promise<Page<UserNoteView>> {
  const notes = db
    .selectFrom('user_notes as n')
    .innerJoin('users as a', 'a.id', 'n.author_id')
    .where('n.user_id', '=', input.userId)
    .orderBy('n.created_at', 'desc')
    .orderBy('n.id', 'desc')
  const [rows, count] = await Promise.all([
    notes
      .select(['n.id', 'a.username as authorName', 'n.body', 'n.created_at'])
      .limit(input.size)
      .offset(input.page * input.size)
      .execute(),
    countRows(db, notes.select('n.id')),
  ])
  const content = rows.map(({ created_at, ...note }) => ({ ...note, createdAt: created_at.toISOString() }))
  return toPage(content, count, input)
}

/** Stays as written; audited. UNKNOWN_RECORD. Gives its id. */
export async function addNote(tx: Tx, author: User, input: { userId: string; body: string }, now: Date) {
  const user = await tx.selectFrom('users').select('id').where('id', '=', input.userId).executeTakeFirst()
  if (!user) fail('UNKNOWN_RECORD')
  const id = uuidv7()
  const note = { id, user_id: input.userId, author_id: author.id, body: input.body, created_at: now }
  await tx.insertInto('user_notes').values(note).execute()
  await recordAudit(
    tx,
    actorOf(author),
    { action: 'account.note', subject: { kind: 'user', id: input.userId }, details: { note: input.body } },
    now,
  )
  return id
}
