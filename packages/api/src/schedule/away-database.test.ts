import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { enqueueMail } from '../mail/enqueue-mail.js'
import { startApp, type TestApp } from '../testing/app.js'
import { alterDatabase } from '../testing/away.js'
import { person } from '../testing/people.js'
import { runWorker, type Worker } from './run.js'

let app: TestApp
beforeEach(async () => {
  app = await startApp({ env: { DATABASE_POOL: '5' } })
})
let worker: Worker | undefined
afterEach(async () => {
  await worker?.stop()
  await app.close()
})

const unheard: unknown[] = []
const hear = (error: unknown) => void unheard.push(error)
beforeEach(() => void process.on('unhandledRejection', hear))
afterEach(() => void process.off('unhandledRejection', hear))

/** A mail server takes it, and says so when told to. */
function heldMail() {
  let sent = 0
  let letGo = () => {}
  const gone = new Promise<void>((resolve) => (letGo = resolve))
  return { sent: () => sent, letGo, send: () => (sent++, gone) }
}

test('a process that is told to end while it waits for the database ends in order', async () => {
  const lin = await person(app, 'lin')
  const mail = heldMail()
  const stopping = new AbortController()
  worker = await runWorker({ ...app.deps, sendMail: mail.send, stopping })
  await inTx(app.db, (tx) => enqueueMail(tx, { template: 'passwordChanged', userId: lin.user.id }))
  await expect.poll(mail.sent).toBe(1)
  await alterDatabase(app.owner, 'connection limit 0')
  mail.letGo()
  await expect.poll(() => app.logged()).toContain('what became of a mail was not written down')
  stopping.abort()
  await worker.stop()
  worker = undefined
  expect(unheard).toEqual([])
  await alterDatabase(app.owner, 'connection limit -1')
})

test.each([
  ['does not answer', false],
  ['may only be read', true],
])('while the database %s, which is told once, no timer tells it every five seconds', async (_, isReadOnly) => {
  let asked = 0
  const health = {
    clockAheadMs: 0,
    get answers() {
      asked++
      return isReadOnly
    },
    isReadOnly,
  }
  worker = await runWorker({ ...app.deps, health })
  await alterDatabase(app.owner, 'connection limit 0')
  await expect.poll(() => asked).toBeGreaterThan(8)
  expect(app.logged()).not.toMatch(/could not be run|could not look for what is due|cannot be looked for/)
  await alterDatabase(app.owner, 'connection limit -1')
})

test.each([
  ['away', 'connection limit 0', 'connection limit -1'],
  ['only to be read', 'set default_transaction_read_only to on', 'reset default_transaction_read_only'],
])('a mail that is gone while the database is %s ends no process, and is not sent twice', async (_, begin, end) => {
  const lin = await person(app, 'lin')
  const mail = heldMail()
  worker = await runWorker({ ...app.deps, sendMail: mail.send })
  await inTx(app.db, (tx) => enqueueMail(tx, { template: 'passwordChanged', userId: lin.user.id }))
  await expect.poll(mail.sent).toBe(1)
  await alterDatabase(app.owner, begin)
  mail.letGo()
  await expect.poll(() => app.logged()).toContain('what became of a mail was not written down')
  await expect.poll(() => app.logged()).toContain('routines: could not be run')
  await alterDatabase(app.owner, end)
  const left = async () => {
    const { rows } = await sql`select id from graphile_worker.jobs where task_identifier = 'send_mail'`.execute(
      app.owner,
    )
    return rows.length
  }
  await expect.poll(left).toBe(0)
  expect(mail.sent()).toBe(1)
  expect(unheard).toEqual([])
})
