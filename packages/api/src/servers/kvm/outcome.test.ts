import type { JobResult } from '@vps/shared/jobs.contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../../db/tx.js'
import type { JobRow } from '../../jobs/claim.js'
import { createSecret } from '../../secrets/secrets.js'
import { everyRow } from '../../testing/rows.js'
import { openSale, type Sale } from '../../testing/sale.js'
import { observeJob } from '../drivers.js'

let sale: Sale
let serverId: string
let install: JobRow
beforeEach(async () => {
  sale = await openSale()
  serverId = await sale.serverOf(await sale.buyActive())
  install = await sale.app.db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow()
})
afterEach(() => sale.app.close())

const server = () => sale.app.db.selectFrom('servers').selectAll().where('id', '=', serverId).executeTakeFirstOrThrow()
const place = () => sale.app.db.selectFrom('placements').selectAll().executeTakeFirstOrThrow()
const observe = (job: Partial<JobRow>, result: JobResult | null) =>
  inTx(sale.app.db, (tx) => observeJob(tx, { ...install, ...job }, result, sale.app.deps.now()))
const ok = (power: 'on' | 'off' | 'unknown' | 'absent') => ({ ok: true, power, proven: false }) as const
const failed = (power: 'on' | 'off' | 'unknown' | 'absent') =>
  ({ ok: false, message: '没有响应', detail: '', final: true, aborted: false, power }) as const

describe('the power of a machine', () => {
  test.each<[string, JobResult | null, string]>([
    ['a start that is done', ok('on'), 'on'],
    ['a stop that is done', ok('off'), 'off'],
    ['a failure that saw it running', failed('on'), 'on'],
    ['a failure that saw it off', failed('off'), 'off'],
    ['a machine that was not there', ok('absent'), 'unknown'],
    ['a failure that saw nothing', failed('unknown'), 'unknown'],
    ['a host that was lost', null, 'unknown'],
  ])('after %s is what was seen', async (_, result, power) => {
    await sale.app.db
      .updateTable('servers')
      .set({ power: power === 'off' ? 'on' : 'off' })
      .execute()
    const before = await server()
    await observe({ kind: 'restart' }, result)
    const after = await server()
    expect(after.power).toBe(power)
    expect(after.power_changed_at!.getTime()).toBeGreaterThan(before.power_changed_at!.getTime())
    expect(after.install_status).toBe('COMPLETED')
  })

  test('that did not change keeps the moment since when it is so', async () => {
    const before = await server()
    await observe({ kind: 'restart' }, ok('on'))
    expect((await server()).power_changed_at).toEqual(before.power_changed_at)
  })
})

describe('a set-up', () => {
  test.each<[JobRow['kind'], JobResult | null, string]>([
    ['install', ok('on'), 'COMPLETED'],
    ['install', failed('off'), 'FAILED'],
    ['install', null, 'FAILED'],
    ['reinstall', failed('off'), 'FAILED'],
    ['reinstall', null, 'FAILED'],
  ])('%s ends as it ended', async (kind, result, install_status) => {
    await sale.app.db.updateTable('servers').set({ install_status: 'INSTALLING' }).execute()
    await observe({ kind }, result)
    expect((await server()).install_status).toBe(install_status)
  })
})

describe('a password', () => {
  test('counts once the machine was heard to have it, and not before', async () => {
    const other = sale.app.deps.vault.seal('Another-pass-2')
    await inTx(sale.app.db, (tx) => createSecret(tx, other, sale.app.deps.now()))
    const before = await server()
    const reset = { kind: 'resetPassword', secret_id: other.id } as const
    for (const result of [failed('on'), null]) {
      await observe(reset, result)
      expect((await server()).secret_id).toBe(before.secret_id)
    }
    await observe({ ...reset, kind: 'restart' }, ok('on'))
    expect((await server()).secret_id).toBe(before.secret_id)
    await observe(reset, ok('on'))
    expect((await server()).secret_id).toBe(other.id)
  })
})

describe('a machine that has left its place', () => {
  test('is told nothing of by what still ran there', async () => {
    await sale.app.db.updateTable('placements').set({ state: 'releasing', releasing_at: new Date() }).execute()
    const before = await everyRow(sale.app)
    for (const kind of ['install', 'restart', 'resetPassword', 'resize'] as const)
      for (const result of [ok('on'), failed('off'), null]) await observe({ kind, secret_id: null }, result)
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('is known to be destroyed only by a clean-up that was heard to be done', async () => {
    const cleanUp = { kind: 'destroy', payload: { kind: 'destroy' } } as const
    const before = await server()
    await observe(cleanUp, null)
    await observe(cleanUp, failed('on'))
    expect((await place()).destroyed_at).toBeNull()
    await observe(cleanUp, ok('absent'))
    expect((await place()).destroyed_at).toEqual(expect.any(Date))
    expect(await server()).toEqual(before)
  })
})
