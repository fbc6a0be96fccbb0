import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { deleteSecrets } from '../fulfilment/delete-secrets.js'
import type { TestApp } from '../testing/app.js'
import { call, person, type Person } from '../testing/people.js'
import { addReached, openSale, type HostAgent, type Sale } from '../testing/sale.js'
import { askServer } from '../servers/drivers.js'

const image = { osName: '救援系统', osVersion: '1', file: 'rescue.qcow2', kind: 'rescue', minDiskGb: 4 }
let sale: Sale
let app: TestApp
let lin: Person
let admin: Person
let agent: HostAgent
let orderId: string
let serverId: string
let at: string
beforeEach(async () => {
  sale = await openSale()
  ;({ app, lin, admin, agent } = sale)
  expect((await admin.post('/images', image)).status).toBe(200)
  await bringImages(image.file)
  orderId = await sale.buyActive()
  serverId = await sale.serverOf(orderId)
  at = `/server-management/${serverId}/rescue`
})
afterEach(() => app.close())

async function bringImages(...files: string[]): Promise<void> {
  const { images } = await app.db.selectFrom('hosts').select('images').executeTakeFirstOrThrow()
  await app.db
    .updateTable('hosts')
    .set({ images: [...new Set([...images, ...files])] })
    .execute()
}
const enter = () => lin.post(at)
const leave = () => call(app, 'DELETE', at, { token: lin.token })
const passwordOf = (who: Person) => who.get(`${at}/password`)
const details = async () => (await lin.get(`/server-management/${serverId}`)).body.data
async function entered() {
  expect((await enter()).status).toBe(200)
  return agent.serve()
}
const rows = () => app.db.selectFrom('rescues').selectAll().execute()
const secrets = async () => (await app.db.selectFrom('machine_secrets').select('id').execute()).length
const act = (action: string, more = {}) => lin.post('/server-management/action', { serverId, action, ...more })
const seen = async (rescueId: string | null) => {
  const { mac } = await app.db.selectFrom('servers').select('mac').executeTakeFirstOrThrow()
  const size = { cpuCores: 2, memoryMb: 4096 }
  const made = { epoch: 0, number: 1 }
  const domain = { uuid: serverId, name: `vps-${serverId}`, power: 'on' as const, generation: made, macs: [mac!], size }
  await agent.inventory({ domains: [{ ...domain, rescueId }] })
  const found = await app.db.selectFrom('findings').selectAll().where('resolved_at', 'is', null).execute()
  return found.filter(({ kind }) => kind === 'changed-rescue')
}

describe('going into rescue', () => {
  test('the host is told all of the rescue system, with a one-time password that only its reader is told', async () => {
    const job = await entered()
    const [row] = await rows()
    expect(job?.payload).toMatchObject({
      kind: 'enterRescue',
      rescueId: row!.id,
      machine: { hostname: 'rescue', username: 'root', diskGb: 4, image: { file: image.file } },
    })
    const { rescue, ipAddress } = await details()
    expect(rescue).toEqual({ offered: true, since: expect.any(String) })
    expect(job?.payload).toMatchObject({ machine: { network: { addresses: [{ address: ipAddress }] } } })
    const { password } = (await passwordOf(lin)).body.data
    expect(password).toBe(job?.secrets?.password)
    expect((await lin.get(`/server-management/${serverId}/password`)).body.data.password).not.toBe(password)
    const audit = await app.db.selectFrom('audit_log').select(['action', 'details']).orderBy('id').execute()
    expect(audit.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['server.enterRescue', 'server.read-rescue-password']),
    )
    expect(JSON.stringify(audit)).not.toContain(password)
  })

  test('until its job has ended the machine is in none, and nobody is told a password', async () => {
    await enter()
    expect((await details()).rescue.since).toBeNull()
    expect((await passwordOf(lin)).status).toBe(404)
    expect((await leave()).body.message).toBe('服务器不在救援模式')
  })

  test('the same key enters once, by one password', async () => {
    const key = '01900000-0000-7000-8000-00000000000a'
    const first = await lin.post(at, {}, { key })
    expect((await lin.post(at, {}, { key })).body.data).toEqual(first.body.data)
    expect(await rows()).toHaveLength(1)
  })

  test('a job that failed leaves it in none, without its password, and it may be asked for again', async () => {
    const before = await secrets()
    await enter()
    await agent.finish((await agent.claim())!, { ok: false, final: true, message: '救援系统未能启动', power: 'on' })
    expect(await rows()).toEqual([])
    await entered()
    expect((await details()).rescue.since).not.toBeNull()
    expect(await secrets()).toBe(before + 2)
  })

  test.each([
    [
      'in the catalogue',
      () => app.db.updateTable('images').set({ is_active: false }).where('kind', '=', 'rescue').execute(),
    ],
    [
      'on its host',
      () =>
        app.db
          .updateTable('hosts')
          .set({ images: ['debian-12.qcow2'] })
          .execute(),
    ],
  ])('without a rescue image %s it is not offered', async (_name, without) => {
    await without()
    expect((await details()).rescue.offered).toBe(false)
    const { status, body } = await enter()
    expect([status, body.message]).toEqual([409, '该服务器暂时不提供救援模式'])
  })

  test('a rescue image is never sold', async () => {
    const { body } = await lin.post('/orders', { ...sale.shop.order, osName: image.osName, osVersion: image.osVersion })
    expect(body.success).toBe(false)
    const wish = { osName: image.osName, osVersion: image.osVersion, rootPassword: 'Another-pass-2' }
    expect((await act('reinstall', wish)).body.code).toBe('UNKNOWN_IMAGE')
  })

  test('others may neither enter nor read, an administrator may, and nobody enters while the order is suspended', async () => {
    const wang = await person(app, 'wang')
    expect((await wang.post(at)).status).toBe(404)
    await entered()
    expect((await passwordOf(wang)).status).toBe(404)
    expect((await passwordOf(admin)).status).toBe(200)
    await app.db.updateTable('orders').set({ status: 'SUSPENDED', suspend_reason: 'unpaid' }).execute()
    expect((await enter()).body.code).toBe('MOVE_NOT_ALLOWED')
  })

  test('a dedicated server has none', async () => {
    const dedicated = await addReached(sale)
    expect((await admin.post(`/server-management/${dedicated}/rescue`)).body.code).toBe('NOT_SUPPORTED')
  })
})

describe('while in rescue', () => {
  beforeEach(async () => void (await entered()))

  test('what changes the machine’s own system is refused with a sentence; power acts are not', async () => {
    const sentence = '服务器处于救援模式，请先退出救援模式'
    expect((await enter()).body.message).toBe('服务器已处于救援模式')
    expect((await act('resetPassword', { newPassword: 'Another-pass-2' })).body.message).toBe(sentence)
    expect((await lin.post(`/server-management/${serverId}/snapshots`, { name: '一' })).body.message).toBe(sentence)
    expect((await lin.post(`/orders/${orderId}/upgrade`, { cpuCores: 4 })).body.message).toBe(sentence)
    for (const action of ['stop', 'start', 'restart']) {
      expect((await act(action)).status).toBe(200)
      await agent.serve()
    }
    expect((await details()).rescue.since).not.toBeNull()
  })

  test('an inventory that tells another rescue, or none, is a finding, and staff define it anew in its own', async () => {
    const [row] = await rows()
    expect(await seen(row!.id)).toEqual([])
    const [finding] = await seen(null)
    expect(finding?.details).toEqual({ rescueId: null, expected: row!.id })
    expect((await admin.post(`/findings/${finding!.id}/redefine`)).status).toBe(200)
    expect((await agent.claim())?.payload).toMatchObject({ kind: 'redefine', rescueId: row!.id })
  })

  test('leaving hands out the machine’s own password for the proof, and forgets the one-time one', async () => {
    const own = (await lin.get(`/server-management/${serverId}/password`)).body.data.password
    expect((await leave()).status).toBe(200)
    const job = await agent.serve({ proven: false })
    expect(job).toMatchObject({ payload: { kind: 'leaveRescue', start: true }, secrets: { password: own } })
    expect((await details()).rescue.since).toBeNull()
    expect((await passwordOf(lin)).status).toBe(404)
    expect(await seen(null)).toEqual([])
    app.advance(2 * 86_400_000)
    await inTx(app.db, (tx) => deleteSecrets(tx, app.deps.now()))
    const left = await app.db.selectFrom('jobs').select('secret_id').where('kind', '=', 'enterRescue').execute()
    expect(left).toEqual([{ secret_id: null }])
  })

  test('the one-time password outlives its job as long as the rescue', async () => {
    app.advance(2 * 86_400_000)
    await inTx(app.db, (tx) => deleteSecrets(tx, app.deps.now()))
    expect((await passwordOf(lin)).status).toBe(200)
  })

  test('a reinstall ends it', async () => {
    const wish = { osName: 'Debian', osVersion: '12', rootPassword: 'Another-pass-2' }
    expect((await act('reinstall', wish)).status).toBe(200)
    await agent.serve()
    expect(await rows()).toEqual([])
  })

  test('a suspension takes the machine out of it, and off', async () => {
    await inTx(app.db, (tx) => askServer(tx, serverId, { act: { kind: 'suspend' }, orderId }, app.deps.now()))
    expect((await agent.serve({ power: 'off' }))?.payload).toEqual({ kind: 'leaveRescue', start: false })
    expect(await rows()).toEqual([])
  })

  test('a crash restarts it in rescue', async () => {
    await inTx(app.db, (tx) => askServer(tx, serverId, { act: { kind: 'resume' }, orderId }, app.deps.now()))
    expect((await agent.serve())?.payload).toEqual({ kind: 'start' })
    expect(await rows()).toHaveLength(1)
  })
})
