import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../testing/app.js'
import { person, type Person } from '../testing/people.js'

let app: TestApp
let lin: Person
let admin: Person
beforeEach(async () => {
  app = await startApp()
  lin = await person(app, 'lin', { yuan: 30 })
  admin = await person(app, 'boss', { admin: true })
})
afterEach(() => app.close())

const write = (body: string, key = uuidv7()) => admin.post(`/users/${lin.user.id}/notes`, { body }, { key })
const notes = async () => (await admin.get(`/users/${lin.user.id}/notes`)).body.data

describe('notes of staff', () => {
  test('are kept newest first with who wrote them, and the audit log has each', async () => {
    await write('先联系')
    app.advance(1000)
    await write('已联系')
    expect(await notes()).toMatchObject({
      totalElements: 2,
      content: [
        { body: '已联系', authorName: 'boss' },
        { body: '先联系', authorName: 'boss' },
      ],
    })
    const audit = (await admin.get(`/audit?userId=${lin.user.id}`)).body.data.content
    expect(audit).toMatchObject([
      { action: 'account.note', actorName: 'boss', details: { note: '已联系' } },
      { action: 'account.note', actorName: 'boss', details: { note: '先联系' } },
    ])
  })

  test('are written once whatever is sent twice, and of nobody who is not there', async () => {
    const key = uuidv7()
    await write('一次', key)
    await write('一次', key)
    expect((await notes()).totalElements).toBe(1)
    expect((await admin.post(`/users/${uuidv7()}/notes`, { body: '无人' })).body.code).toBe('UNKNOWN_RECORD')
    expect((await write('')).status).toBe(400)
  })

  test('are never changed or removed, not even by the tables’ owner', async () => {
    await write('留着')
    for (const change of [sql`update user_notes set body = 'x'`, sql`delete from user_notes`, sql`truncate user_notes`])
      await expect(change.execute(app.owner)).rejects.toMatchObject({ code: '23000' })
  })
})

describe('a customer as operators see them', () => {
  test('has name, address, state, balance and counts; one who is not there is NOT_FOUND', async () => {
    expect((await admin.get(`/users/${lin.user.id}`)).body.data).toMatchObject({
      username: 'lin',
      email: 'lin@example.com',
      status: 'active',
      balance: 30,
      orderCount: 0,
      activeCount: 0,
    })
    expect((await admin.get(`/users/${uuidv7()}`)).status).toBe(404)
  })

  test('has the devices where they are signed in, and no other’s', async () => {
    expect((await admin.get(`/users/${lin.user.id}/devices`)).body.data).toMatchObject([
      { current: false, userAgent: 'test' },
    ])
    expect((await lin.get(`/users/${lin.user.id}/devices`)).status).toBe(403)
  })

  test('has in the audit log what they did and what was done to them', async () => {
    await lin.post('/ssh-keys', {
      name: '钥匙',
      publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl',
    })
    app.advance(1000)
    await admin.put(`/users/${lin.user.id}/role`, { role: 'ADMIN' })
    const acts = (await admin.get(`/audit?userId=${lin.user.id}`)).body.data
    expect(acts.content.map(({ action }: { action: string }) => action)).toEqual(['account.set-role', 'ssh-key.add'])
    expect(acts.totalElements).toBe(2)
  })
})
