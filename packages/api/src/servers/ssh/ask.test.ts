import type { JobResult } from '@vps/shared/jobs.contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../../db/tx.js'
import { createSecret } from '../../secrets/secrets.js'
import { everyRow } from '../../testing/rows.js'
import { addReached, openSale, type Sale } from '../../testing/sale.js'
import type { Act } from '../driver/driver.js'
import { askServer, moveServer, observeJob } from '../drivers.js'
import { readSshAccess } from './access.js'

let sale: Sale
let orderId: string
let serverId: string
beforeEach(async () => {
  sale = await openSale({ addresses: 0 })
  serverId = await addReached(sale)
  orderId = await sale.buy()
  await endJobs('SUCCEEDED')
})
afterEach(() => sale.app.close())

const now = () => sale.app.deps.now()
const endJobs = (status: 'SUCCEEDED' | 'FAILED') =>
  sale.app.db
    .updateTable('jobs')
    .set({ status, attempt: 1, finished_at: now(), lease_until: null })
    .where('status', '=', 'QUEUED')
    .execute()
const ask = (act: Act, secretId: string | null = null) => {
  sale.app.advance(1000)
  return inTx(sale.app.db, (tx) => askServer(tx, serverId, { act, orderId, secretId }, now()))
}
const jobOf = (id: string | null) =>
  sale.app.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const row = () =>
  sale.app.db
    .selectFrom('servers as s')
    .innerJoin('dedicated_servers as d', 'd.server_id', 's.id')
    .selectAll(['s', 'd'])
    .executeTakeFirstOrThrow()
async function newSecret(password: string): Promise<string> {
  const secret = sale.app.deps.vault.seal(password)
  await inTx(sale.app.db, (tx) => createSecret(tx, secret, now()))
  return secret.id
}

describe('an act on a dedicated server', () => {
  test.each<[string, Act, object]>([
    ['restart', { kind: 'restart' }, { kind: 'restart', ssh: 'restart' }],
    ['stop', { kind: 'stop', force: false }, { kind: 'stop', ssh: 'power-off' }],
    ['suspend', { kind: 'suspend' }, { kind: 'stop', ssh: 'lock' }],
    ['resume', { kind: 'resume' }, { kind: 'start', ssh: 'unlock' }],
    ['password', { kind: 'resetPassword', byRestart: false }, { kind: 'resetPassword', ssh: 'reset-password' }],
  ])('%s is a job of our worker', async (_, act, payload) => {
    expect(await jobOf(await ask(act))).toMatchObject({
      payload,
      status: 'QUEUED',
      host_id: null,
      placement_id: null,
      order_id: orderId,
      generation: 1,
    })
  })

  test('that SSH cannot do is refused, and so is a second one; a suspension never is', async () => {
    const image = await sale.app.db.selectFrom('images').selectAll().executeTakeFirstOrThrow()
    const before = await everyRow(sale.app)
    const impossible: Act[] = [
      { kind: 'start' },
      { kind: 'reinstall', image, sshPort: null, sshKeys: [] },
      { kind: 'resetPassword', byRestart: true },
    ]
    for (const act of impossible) await expect(ask(act)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
    expect(await everyRow(sale.app)).toBe(before)
    const waiting = await ask({ kind: 'restart' })
    await expect(ask({ kind: 'stop', force: true })).rejects.toMatchObject({ code: 'LOCKED' })
    await ask({ kind: 'suspend' })
    expect((await jobOf(waiting)).status).toBe('SUPERSEDED')
  })

  test('is tried nowhere else when it fails: another machine is another price', async () => {
    const before = await everyRow(sale.app)
    expect(await inTx(sale.app.db, (tx) => moveServer(tx, serverId, now()))).toBe(false)
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('to lock it brings the password of a lock that broke off, and a new one after one that was heard', async () => {
    const locking = await ask({ kind: 'suspend' })
    const secret = await newSecret('Locked-away-1')
    await sale.app.db.updateTable('jobs').set({ secret_id: secret }).where('id', '=', locking).execute()
    await endJobs('FAILED')
    const again = await ask({ kind: 'suspend' })
    expect((await jobOf(again)).secret_id).toBe(secret)
    await endJobs('SUCCEEDED')
    expect((await jobOf(await ask({ kind: 'suspend' }))).secret_id).toBeNull()
    await endJobs('FAILED')
    await ask({ kind: 'resume' })
    await endJobs('FAILED')
    expect((await jobOf(await ask({ kind: 'suspend' }))).secret_id).toBeNull()
  })
})

describe('what is heard of an act', () => {
  const ok: JobResult = { ok: true, power: 'on', proven: true }
  const lost: JobResult = { ok: false, message: '', detail: '', final: false, aborted: false, power: 'unknown' }
  async function heard(act: Act, result: JobResult | null, secretId: string | null = null) {
    const job = await jobOf(await ask(act, secretId))
    await endJobs(result?.ok ? 'SUCCEEDED' : 'FAILED')
    await inTx(sale.app.db, (tx) => observeJob(tx, { ...job, secret_id: secretId }, result, now()))
    return row()
  }

  test('a new password counts when it was heard to be set; the one before is then forgotten', async () => {
    const [before, next] = [(await row()).secret_id, await newSecret('Brand-new-2')]
    const reset = { kind: 'resetPassword', byRestart: false } as const
    expect((await heard(reset, lost, next)).secret_id).toBe(before)
    expect((await heard(reset, null, next)).secret_id).toBe(before)
    expect((await heard(reset, ok, next)).secret_id).toBe(next)
    const kept = await sale.app.db.selectFrom('machine_secrets').select('id').execute()
    expect(kept.map(({ id }) => id)).not.toContain(before)
  })

  test('it is locked and unlocked as it was heard, with its owner’s password untouched', async () => {
    const [before, secret] = [(await row()).secret_id, await newSecret('Locked-away-1')]
    expect((await heard({ kind: 'suspend' }, lost, secret)).locked_secret_id).toBeNull()
    expect(await heard({ kind: 'suspend' }, ok, secret)).toMatchObject({ locked_secret_id: secret, secret_id: before })
    expect((await heard({ kind: 'resume' }, lost)).locked_secret_id).toBe(secret)
    expect((await heard({ kind: 'resume' }, ok)).locked_secret_id).toBeNull()
  })

  test('its power is what the act says; a failure says nothing', async () => {
    expect((await heard({ kind: 'restart' }, { ...ok, power: 'unknown' })).power).toBe('unknown')
    expect((await heard({ kind: 'stop', force: false }, { ...ok, power: 'off' })).power).toBe('off')
    expect((await heard({ kind: 'restart' }, lost)).power).toBe('off')
    expect((await heard({ kind: 'restart' }, { ...ok, power: 'absent' })).power).toBe('unknown')
  })

  test('nothing is known from an act of an order that has ended since', async () => {
    const job = await jobOf(await ask({ kind: 'restart' }))
    await sale.app.db.updateTable('servers').set({ order_id: null, user_id: null }).execute()
    const before = await everyRow(sale.app)
    await inTx(sale.app.db, (tx) => observeJob(tx, job, { ...ok, power: 'off' }, now()))
    expect(await everyRow(sale.app)).toBe(before)
  })
})

describe('the passwords to try', () => {
  const access = () => readSshAccess(sale.app.db, serverId)

  test('are the one that locks it, its owner’s, then those of acts that broke off, newest first and four at most', async () => {
    const { secret_id: owners } = await row()
    expect((await access()).knownSecretIds).toContain(owners)
    const lock = await newSecret('Locked-away-1')
    await sale.app.db.updateTable('dedicated_servers').set({ locked_secret_id: lock }).execute()
    const broken: string[] = []
    for (let n = 0; n < 6; n += 1) {
      const secret = await newSecret(`Broken-off-${n}`)
      await ask({ kind: 'resetPassword', byRestart: false }, secret)
      await endJobs('FAILED')
      broken.unshift(secret)
    }
    expect(await access()).toMatchObject({
      knownSecretIds: [lock, owners, ...broken.slice(0, 4)],
      ownerSecretId: owners,
      target: { host: '203.0.113.9', port: 22, username: 'root', hostKey: null },
    })
  })

  test('are no others once an act was heard to have set one, nor of what nobody began, nor of another order', async () => {
    const { secret_id: owners } = await row()
    await ask({ kind: 'resetPassword', byRestart: false }, await newSecret('Broken-off-1'))
    await endJobs('FAILED')
    await ask({ kind: 'resume' })
    await endJobs('SUCCEEDED')
    await ask({ kind: 'resetPassword', byRestart: false }, await newSecret('Never-begun-1'))
    expect((await access()).knownSecretIds).toEqual([owners])
    await sale.app.db.updateTable('jobs').set({ attempt: 1 }).where('status', '=', 'QUEUED').execute()
    expect((await access()).knownSecretIds).toHaveLength(2)
    await sale.app.db.updateTable('servers').set({ order_id: null, user_id: null }).execute()
    expect((await access()).knownSecretIds).toEqual([owners])
  })
})
