import { once } from 'node:events'
import { storable } from '@vps/shared/storable'
import * as text from '@vps/shared/text'
import type { Tx } from '../db/client.js'
import { inTx, publish } from '../db/tx.js'
import type { Deps, Mail } from '../deps.js'
import { composeMail } from './compose-mail.js'
import type { QueuedMail } from './enqueue-mail.js'
import { isOver } from './is-over.js'

/** Makes its words, sends them, keeps what became of it. Failures are thrown, and tried again. */
export async function sendMail(deps: Deps, { mailId, ...job }: QueuedMail, ending?: AbortSignal): Promise<void> {
  let mail: Mail | null = null
  const tell = (outcome: Outcome) => writeOutcome(deps, mailId, mail, outcome)
  try {
    mail = (await isOver(deps.db, job, deps.now()))
      ? null
      : await composeMail(deps.db, deps.vault, job, deps.config.publicUrl)
    if (!mail) return await tell({ status: 'dropped', error: null })
    if (!deps.sendMail) {
      deps.log.warn({ template: job.template }, 'mail not sent: SMTP_URL is not set')
      return await tell({ status: 'failed', error: text.noMailServer })
    }
    // Whether it went is not always known; a mailbox shows the same one once.
    await unlessEnding(deps.sendMail({ ...mail, id: mailId }), ending)
  } catch (error) {
    await tell({ status: 'failed', error: error instanceof Error ? storable(error.message.slice(0, 300)) : null })
    throw error
  }
  await tell({ status: 'sent', error: null })
}

/** Killed beside a silent server, a process would hold its mail: rather twice than late. */
async function unlessEnding(sent: Promise<void>, ending: AbortSignal | undefined): Promise<void> {
  if (!ending) return sent
  const over = new AbortController()
  const ended = once(ending, 'abort', { signal: over.signal }).then(() => Promise.reject(new Error('程序正在停止')))
  try {
    await Promise.race([sent, ended])
  } finally {
    over.abort()
  }
}

type Outcome = { status: 'sent' | 'failed' | 'dropped'; error: string | null }

/** A sent mail must not go again because this failed. */
async function writeOutcome(deps: Deps, id: string | undefined, mail: Mail | null, outcome: Outcome): Promise<void> {
  if (id === undefined) return
  try {
    await inTx(deps.db, (tx) => update(tx, id, mail, outcome, deps.now()))
  } catch (error) {
    deps.log.error({ err: error, mailId: id, status: outcome.status }, 'what became of a mail was not written down')
  }
}

async function update(tx: Tx, id: string, mail: Mail | null, outcome: Outcome, now: Date): Promise<void> {
  await tx
    .updateTable('mails')
    .set((eb) => ({ ...outcome, tried_at: now, attempts: eb('attempts', '+', 1) }))
    .$if(mail !== null, (query) => query.set({ address: mail?.to ?? '', subject: mail?.subject ?? null }))
    .where('id', '=', id)
    .execute()
  publish(tx, { shop: 'mail' })
}
