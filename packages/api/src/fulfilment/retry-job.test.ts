import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.js'
import type { Person } from '../testing/people.js'
import { openSale, type HostAgent, type Sale } from '../testing/sale.js'

let app: TestApp
let lin: Person
let admin: Person
let agent: HostAgent
let buyActive: Sale['buyActive']
let serverOf: Sale['serverOf']
beforeEach(async () => void ({ app, lin, admin, agent, buyActive, serverOf } = await openSale()))
afterEach(() => app.close())

let orderId: string
let serverId: string
beforeEach(async () => {
  orderId = await buyActive()
  serverId = await serverOf(orderId)
})

const act = (action: string) => lin.post('/server-management/action', { serverId, action })
const newest = async () => (await admin.get('/jobs')).body.data.content[0]
const failure = { ok: false, message: '虚拟机没有响应', detail: 'virsh: timed out', final: true } as const

describe('retrying a job', () => {
  test('asks for the same act again, once, and only while nothing newer was asked', async () => {
    await act('restart')
    await agent.serve(failure)
    const failed = await newest()
    expect(failed).toMatchObject({ kind: 'restart', status: 'FAILED', detail: 'virsh: timed out' })
    const { status, body } = await admin.post(`/jobs/${failed.id}/retry`)
    expect(status).toBe(200)
    expect((await admin.post(`/jobs/${failed.id}/retry`)).body.message).toBe('此服务器已有更新的任务，不能重试旧任务')
    const again = await agent.claim()
    expect(again).toMatchObject({ id: body.data.id, payload: { kind: 'restart' }, generation: { number: 1 } })
    await agent.finish(again!)
    expect(await newest()).toMatchObject({ status: 'SUCCEEDED', by: 'boss' })
    expect((await admin.post(`/jobs/${body.data.id}/retry`)).body.code).toBe('MOVE_NOT_ALLOWED')
  })

  test('a failed password change is sent again with the password that was asked for', async () => {
    await lin.post('/server-management/action', { serverId, action: 'resetPassword', newPassword: 'Changed-pass-2' })
    expect((await agent.serve(failure))?.payload.kind).toBe('resetPassword')
    await admin.post(`/jobs/${(await newest()).id}/retry`)
    expect(await agent.claim()).toMatchObject({ secrets: { password: 'Changed-pass-2' } })
    expect(app.logged()).not.toContain('Changed-pass-2')
  })

  test('is refused on a host that was declared lost: nobody would carry it out', async () => {
    await act('restart')
    await agent.serve(failure)
    const { id } = await newest()
    await app.db.updateTable('hosts').set({ status: 'LOST' }).execute()
    expect((await admin.post(`/jobs/${id}/retry`)).body).toMatchObject({
      code: 'MOVE_NOT_ALLOWED',
      message: '宿主机已宣告丢失，任务不会再被执行',
    })
  })

  test('is refused for a set-up, and to whoever is no operator', async () => {
    const install = await app.db.selectFrom('jobs').select('id').where('kind', '=', 'install').executeTakeFirstOrThrow()
    expect((await admin.post(`/jobs/${install.id}/retry`)).status).toBe(409)
    await act('restart')
    await agent.serve(failure)
    expect((await lin.post(`/jobs/${(await newest()).id}/retry`)).status).toBe(403)
  })

  test('is refused once its order is not active, also of its newest act', async () => {
    await act('restart')
    await agent.serve(failure)
    const restart = await newest()
    await admin.put(`/orders/${orderId}/status`, { status: 'SUSPENDED', reason: '违规' })
    expect((await admin.post(`/jobs/${restart.id}/retry`)).body.message).toBe('此服务器已有更新的任务，不能重试旧任务')
    await agent.serve(failure)
    const stop = await newest()
    expect(stop).toMatchObject({ kind: 'stop', status: 'FAILED' })
    const { status, body } = await admin.post(`/jobs/${stop.id}/retry`)
    expect([status, body.message]).toEqual([409, '订单未处于活跃状态，不能操作服务器'])
  })
})
