import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { recordFinding } from '../findings/findings.js'
import { openSale, type Sale } from '../testing/sale.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale()))
afterEach(() => sale.app.close())

const waiting = async () => (await sale.admin.get('/waiting')).body.data

test('what waits for staff is counted as the overview counts it, and told to administrators alone', async () => {
  expect(await waiting()).toEqual({ refunds: 0, jobs: 0, findings: 0 })
  const id = await sale.buyActive()
  expect((await sale.lin.post(`/orders/${id}/refund`, { reason: '不再需要' })).status).toBe(200)
  const now = sale.app.deps.now()
  const finding = { hostId: sale.host.id, kind: 'stray-domain', subject: 'x', details: {} } as const
  await inTx(sale.app.db, (tx) => recordFinding(tx, finding, now))
  const failed = { status: 'FAILED', finished_at: now } as const
  await sale.app.db.updateTable('jobs').set(failed).execute()
  const { pendingRefunds, failedJobs, hosts } = (await sale.admin.get('/overview')).body.data
  expect(await waiting()).toEqual({ refunds: pendingRefunds, jobs: failedJobs, findings: hosts.findings })
  expect(await waiting()).toEqual({ refunds: 1, jobs: 1, findings: 1 })
  await sale.app.db
    .updateTable('jobs')
    .set({ created_at: new Date(now.getTime() - 8 * 86_400_000) })
    .execute()
  expect(await waiting()).toMatchObject({ jobs: 0 })
  expect((await sale.lin.get('/waiting')).status).toBe(403)
})
