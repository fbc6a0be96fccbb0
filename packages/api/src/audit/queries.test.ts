import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { recordFinding } from '../findings/findings.js'
import { person } from '../testing/people.js'
import { addReached, openSale, type Sale } from '../testing/sale.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale()))
afterEach(() => sale.app.close())

const newest = async () => (await sale.admin.get('/audit?size=1')).body.data.content[0]

test('an operator’s act on a job names the server it was for', async () => {
  const id = await sale.buy()
  const { serverName } = await sale.order(id)
  const { id: jobId } = (await sale.admin.get('/jobs')).body.data.content[0]
  expect((await sale.admin.post(`/jobs/${jobId}/run-now`)).status).toBe(200)
  expect(await newest()).toMatchObject({ action: 'job.run-now', actorName: 'boss', subjectName: serverName })
})

test('one on a job of a dedicated server names it as it was called then, not as its next customer calls it', async () => {
  await addReached(sale)
  const before = await sale.buy()
  await sale.lin.put(`/orders/${before}/server-name`, { serverName: '林的数据库' })
  const { id: jobId } = (await sale.admin.get('/jobs')).body.data.content[0]
  expect((await sale.admin.post(`/jobs/${jobId}/run-now`)).status).toBe(200)
  await sale.lin.put(`/orders/${before}/cancel`)
  const chen = await person(sale.app, 'chen', { yuan: 100 })
  await chen.put(`/orders/${await sale.buy({}, chen)}/server-name`, { serverName: '陈的小网站' })
  const [act] = (await sale.admin.get('/audit?action=job.run-now')).body.data.content
  expect(act).toMatchObject({ subjectId: jobId, subjectName: '林的数据库' })
})

test('one on a finding names its host, and the server or what else it is about', async () => {
  const serverId = await sale.serverOf(await sale.buyActive())
  const { name } = (await sale.admin.get(`/servers/${serverId}`)).body.data
  for (const [subject, told] of [
    ['old.qcow2', 'old.qcow2'],
    [serverId, name],
  ]) {
    const finding = { hostId: sale.host.id, kind: 'stray-volume', subject: String(subject), details: {} } as const
    await inTx(sale.app.db, (tx) => recordFinding(tx, finding, sale.app.deps.now()))
    const { id } = (await sale.admin.get('/findings?open=true')).body.data.content[0]
    sale.app.advance(1000)
    expect((await sale.admin.post(`/findings/${id}/resolve`)).status).toBe(200)
    expect(await newest()).toMatchObject({ action: 'finding.resolve', subjectName: `host-10.9.0 ${told}` })
  }
})

test('one on an incident or an announcement has its title, also when it was taken back before it began', async () => {
  const incident = { title: '网络中断', services: ['api'], state: 'investigating', body: '正在调查。' }
  await sale.admin.post('/incidents', incident)
  expect(await newest()).toMatchObject({ action: 'incident.report', subjectName: '网络中断' })
  const startsAt = new Date(sale.app.deps.now().getTime() + 3600_000).toISOString()
  await sale.admin.post('/announcements', { title: '机房搬迁', body: '周六开始。', startsAt })
  const { id } = (await sale.admin.get('/announcements?page=0&size=10')).body.data.content[0]
  expect((await sale.admin.post(`/announcements/${id}/end`)).status).toBe(200)
  expect(await newest()).toMatchObject({ action: 'announcement.end', details: { title: '机房搬迁' } })
})
