import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { recordFinding } from '../findings/findings.js'
import { sweep } from '../schedule/sweep.js'
import { call } from '../testing/people.js'
import { openSale, type Sale } from '../testing/sale.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale()))
afterEach(() => sale.app.close())

const move = (status: string) => sale.admin.put(`/hosts/${sale.host.id}/status`, { status })
const jobs = async (query: string) => (await sale.admin.get(`/jobs?size=50${query}`)).body.data.content
const findings = async () => (await sale.admin.get('/findings')).body.data.content as { kind: string }[]

async function leaveCleanUpBehind(): Promise<void> {
  const id = await sale.buy()
  await sale.lin.put(`/orders/${id}/cancel`)
  await move('LOST')
}

describe('once a host is retired', () => {
  test('what was queued for it ends, and says why; before, it waits for the host', async () => {
    await leaveCleanUpBehind()
    await sweep(sale.app.deps)
    expect(await jobs('&status=QUEUED')).toMatchObject([{ kind: 'destroy' }])
    expect((await move('RETIRED')).status).toBe(200)
    await sweep(sale.app.deps)
    expect(await jobs('&status=QUEUED')).toEqual([])
    const [ended] = await jobs('&kind=destroy')
    expect(ended).toMatchObject({ status: 'CANCELLED', error: '宿主机已退役', finishedAt: expect.any(String) })
    expect(ended.log.at(-1).text).toBe('宿主机已退役')
  })

  test('what ran on it ends once its lease is lost', async () => {
    const id = await sale.buy()
    await sale.lin.put(`/orders/${id}/cancel`)
    expect((await sale.agent.claim())?.payload.kind).toBe('destroy')
    await move('LOST')
    await move('RETIRED')
    await sale.app.db
      .updateTable('jobs')
      .set({ lease_until: new Date(0) })
      .where('status', '=', 'RUNNING')
      .execute()
    await sweep(sale.app.deps)
    expect([await jobs('&status=QUEUED'), await jobs('&status=RUNNING')]).toEqual([[], []])
  })

  test('what was found on it stands no longer; what was found elsewhere does', async () => {
    const now = sale.app.deps.now()
    const kind = 'stray-volume'
    await inTx(sale.app.db, async (tx) => {
      await recordFinding(tx, { hostId: sale.host.id, kind, subject: 'old.qcow2', details: {} }, now)
      await recordFinding(tx, { hostId: null, kind: 'wrong-clock', subject: 'elsewhere', details: {} }, now)
    })
    await move('DRAINING')
    await sweep(sale.app.deps)
    expect((await findings()).map((finding) => finding.kind).toSorted()).toEqual(['stray-volume', 'wrong-clock'])
    expect((await move('RETIRED')).status).toBe(200)
    await sweep(sale.app.deps)
    expect((await findings()).map((finding) => finding.kind)).toEqual(['wrong-clock'])
  })

  test('its pools and its group can be deleted, though nothing of it can be edited any more', async () => {
    const pool = await sale.app.db.selectFrom('ip_pools').select('id').executeTakeFirstOrThrow()
    await sale.app.db.deleteFrom('price_groups').execute()
    await move('DRAINING')
    const { token } = sale.admin
    const remove = async () => [
      (await call(sale.app, 'DELETE', `/ip-pools/${pool.id}`, { token })).body.code,
      (await call(sale.app, 'DELETE', `/groups/${sale.shop.groupId}`, { token })).body.code,
    ]
    expect(await remove()).toEqual(['IN_USE', 'IN_USE'])
    expect((await move('RETIRED')).status).toBe(200)
    expect(await remove()).toEqual([undefined, undefined])
    expect((await sale.admin.get('/hosts')).body.data.content).toMatchObject([
      { status: 'RETIRED', pools: [], groups: [] },
    ])
  })
})
