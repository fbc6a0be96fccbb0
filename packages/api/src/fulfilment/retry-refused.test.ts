import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { everyRow } from '../testing/rows.js'
import { openSale, type Sale } from '../testing/sale.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale()))
afterEach(() => sale.app.close())

describe('retrying', () => {
  const retry = (job: string, who = sale.admin, key: string = randomUUID()) =>
    who.post(`/jobs/${job}/retry`, undefined, { key })
  const failedJob = async (change: object = { error: '没有响应' }) => {
    const id = await sale.buyActive()
    const serverId = await sale.serverOf(id)
    const { jobId } = (await sale.lin.post('/server-management/action', { serverId, action: 'restart' })).body.data
    await sale.agent.serve({ ok: false, final: true })
    await sale.app.db.updateTable('jobs').set(change).where('id', '=', jobId).execute()
    return jobId as string
  }

  test.each([
    ['runs', { status: 'RUNNING', lease_until: new Date(), finished_at: null }, '只有失败或已取消的任务可以重试'],
    ['was a set-up', { kind: 'install' }, '安装失败由系统换机或退款，升级失败已退回费用，不能重试'],
    ['was a resize', { kind: 'resize' }, '安装失败由系统换机或退款，升级失败已退回费用，不能重试'],
    ['was a clean-up of a place that is held', { kind: 'destroy' }, '服务器已不在这台宿主机上，无需重试'],
    ['was a clean-up of what was found', { kind: 'destroy', placement_id: null }, '请在发现项中再次清理'],
  ])('is refused for a job that %s, with nothing changed', async (_, change, message) => {
    const job = await failedJob(change)
    const before = await everyRow(sale.app)
    expect((await retry(job)).body).toMatchObject({ code: 'MOVE_NOT_ALLOWED', message })
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('is for administrators, for a job that is there, on a machine that is where it was', async () => {
    const job = await failedJob()
    expect((await retry(job, sale.lin)).status).toBe(403)
    expect((await retry(randomUUID())).body.code).toBe('NOT_FOUND')
    await sale.app.db.updateTable('placements').set({ state: 'releasing', releasing_at: new Date() }).execute()
    expect((await retry(job)).body.message).toBe('服务器已不在这台宿主机上，无需重试')
  })

  test('five times at once asks once; with one key all hear of the same job', async () => {
    const job = await failedJob()
    const replies = await Promise.all(Array.from({ length: 5 }, () => retry(job, sale.admin, 'k')))
    expect(new Set(replies.map(({ body }) => body.data?.id)).size).toBe(1)
    const open = await sale.app.db.selectFrom('jobs').select('id').where('status', '=', 'QUEUED').execute()
    expect(open).toEqual([{ id: replies[0]!.body.data.id }])
  })
})
