import { setImmediate } from 'node:timers/promises'
import { isoHours } from '@vps/shared/servers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Tx } from '../db/client.js'
import { inTx } from '../db/tx.js'
import { ejectForgottenIso, findForgottenIsos } from '../fulfilment/eject-isos.js'
import { askServer } from '../servers/drivers.js'
import { enqueueConnectionTest, finishConnectionTest } from '../servers/kvm/connection-tests.js'
import type { TestApp } from '../testing/app.js'
import { lockWaits } from '../testing/locks.js'
import { call, person, type Person } from '../testing/people.js'
import { addReached, openSale, type HostAgent, type Sale } from '../testing/sale.js'

const image = { osName: 'Debian', osVersion: '12 安装光盘', file: 'debian-12.iso', kind: 'iso', readiness: 'ssh' }
const rescueImage = { osName: '救援系统', osVersion: '1', file: 'rescue.qcow2', kind: 'rescue' }
const dayMs = isoHours * 3_600_000
let sale: Sale
let app: TestApp
let lin: Person
let admin: Person
let agent: HostAgent
let orderId: string
let serverId: string
let at: string
let imageId: string
beforeEach(async () => {
  sale = await openSale()
  ;({ app, lin, admin, agent } = sale)
  expect((await admin.post('/images', image)).status).toBe(200)
  await setHostFiles('debian-12.qcow2', image.file)
  ;({ id: imageId } = await app.db
    .selectFrom('images')
    .select('id')
    .where('kind', '=', 'iso')
    .executeTakeFirstOrThrow())
  orderId = await sale.buyActive()
  serverId = await sale.serverOf(orderId)
  at = `/server-management/${serverId}/iso`
})
afterEach(() => app.close())

const setHostFiles = (...images: string[]) => app.db.updateTable('hosts').set({ images }).execute()
const insert = (boots = false, who = lin, disc = imageId) => who.post(at, { imageId: disc, boots })
const eject = (who = lin) => call(app, 'DELETE', at, { token: who.token })
const details = async () => (await lin.get(`/server-management/${serverId}`)).body.data
const inDrive = async () => (await details()).iso.inserted
async function inserted(boots = false) {
  expect((await insert(boots)).status).toBe(200)
  return agent.serve({ proven: false })
}
const rows = () => app.db.selectFrom('inserted_isos').selectAll().execute()
const act = (action: string, more = {}) => lin.post('/server-management/action', { serverId, action, ...more })
const ejectForgotten = async () => {
  const found = await findForgottenIsos(app.db, app.deps.now(), { limit: 10, avoid: [] })
  for (const id of found) await inTx(app.db, (tx) => ejectForgottenIso(tx, id, app.deps.now()))
  return found
}
const findings = async (told: { isoId: string | null; autostart?: boolean }) => {
  const { mac } = await app.db.selectFrom('servers').select('mac').executeTakeFirstOrThrow()
  const made = { epoch: 0, number: 1 }
  const size = { cpuCores: 2, memoryMb: 4096 }
  const domain = { uuid: serverId, name: `vps-${serverId}`, power: 'on' as const, generation: made, macs: [mac!], size }
  await agent.inventory({ domains: [{ ...domain, ...told }] })
  return app.db.selectFrom('findings').selectAll().where('resolved_at', 'is', null).execute()
}
const seen = async (isoId: string | null) => (await findings({ isoId })).filter(({ kind }) => kind === 'changed-iso')

describe('putting one in', () => {
  test('the discs that the host has are offered; the host is told which file, and its owner what is in and until when', async () => {
    expect((await lin.get(`/server-management/${serverId}/isos`)).body.data).toEqual([
      { id: imageId, name: 'Debian 12 安装光盘' },
    ])
    const job = await inserted()
    const [row] = await rows()
    expect(job).toMatchObject({
      payload: { kind: 'insertIso', isoId: row!.id, boots: false, image: { file: image.file, readiness: 'none' } },
      secrets: null,
    })
    const { inserted: told, bootedAt } = (await details()).iso
    expect(told).toMatchObject({ name: 'Debian 12 安装光盘', boots: false })
    expect(Date.parse(told.until) - Date.parse(told.since)).toBe(dayMs)
    expect(bootedAt).toBeNull()
    const audit = await app.db.selectFrom('audit_log').select(['action', 'details']).execute()
    expect(audit).toContainEqual({
      action: 'server.insertIso',
      details: expect.objectContaining({ imageId, boots: false }),
    })
  })

  test('until its job has ended none is in', async () => {
    await insert()
    expect(await inDrive()).toBeNull()
    expect((await eject()).body.message).toBe('光驱中没有光盘')
  })

  test('the same key puts it in once', async () => {
    const key = '01900000-0000-7000-8000-00000000000a'
    const first = await lin.post(at, { imageId, boots: false }, { key })
    expect((await lin.post(at, { imageId, boots: false }, { key })).body.data).toEqual(first.body.data)
    expect(await rows()).toHaveLength(1)
  })

  test('a job that failed leaves none in, and it may be asked for again', async () => {
    await insert(true)
    await agent.finish((await agent.claim())!, { ok: false, final: true, message: '插入光盘失败', power: 'on' })
    expect(await rows()).toEqual([])
    expect((await details()).iso.bootedAt).toBeNull()
    await inserted()
    expect(await inDrive()).not.toBeNull()
  })

  test.each([
    [
      'in the catalogue',
      () => app.db.updateTable('images').set({ is_active: false }).where('kind', '=', 'iso').execute(),
    ],
    ['on its host', () => setHostFiles('debian-12.qcow2')],
  ])('without a disc %s none is offered', async (_name, without) => {
    await without()
    expect((await details()).iso.offered).toBe(false)
    expect((await lin.get(`/server-management/${serverId}/isos`)).body.data).toEqual([])
    const { status, body } = await insert()
    expect([status, body.message]).toEqual([409, '该服务器暂时没有可用的光盘'])
  })

  test('a disc that is not one, or is not there, is refused', async () => {
    const { id } = await app.db
      .selectFrom('images')
      .select('id')
      .where('kind', '=', 'system')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect((await insert(false, lin, id)).body.code).toBe('UNKNOWN_IMAGE')
    expect((await insert(false, lin, '01900000-0000-7000-8000-00000000000b')).body.code).toBe('UNKNOWN_IMAGE')
    expect((await lin.post(at, { boots: true })).status).toBe(400)
  })

  test('a disc is never sold, and is none whose file is another thing', async () => {
    const { body } = await lin.post('/orders', { ...sale.shop.order, osName: image.osName, osVersion: image.osVersion })
    expect(body.success).toBe(false)
    const wish = { osName: image.osName, osVersion: image.osVersion, rootPassword: 'Another-pass-2' }
    expect((await act('reinstall', wish)).body.code).toBe('UNKNOWN_IMAGE')
    const wrong = { ...image, osVersion: '13', file: 'debian-13.qcow2' }
    expect((await admin.post('/images', wrong)).body.errors.file).toBe('光盘的文件名需以 .iso 结尾，其他用途的不能')
    const other = { ...image, osVersion: '13', file: 'debian-13.iso', kind: 'system' }
    expect((await admin.post('/images', other)).status).toBe(400)
  })

  test('others may neither look nor put in, an administrator may, and nobody while the order is suspended', async () => {
    const wang = await person(app, 'wang')
    expect((await insert(false, wang)).status).toBe(404)
    expect((await wang.get(`/server-management/${serverId}/isos`)).status).toBe(404)
    await app.db.updateTable('orders').set({ status: 'SUSPENDED', suspend_reason: 'unpaid' }).execute()
    expect((await insert()).body.code).toBe('MOVE_NOT_ALLOWED')
    await app.db.updateTable('orders').set({ status: 'ACTIVE', suspend_reason: null }).execute()
    expect((await insert(false, admin)).status).toBe(200)
  })

  test('a dedicated server has no drive', async () => {
    const dedicated = await addReached(sale)
    const { body } = await admin.post(`/server-management/${dedicated}/iso`, { imageId, boots: false })
    expect(body.code).toBe('NOT_SUPPORTED')
  })
})

describe('while it is in', () => {
  beforeEach(async () => void (await inserted()))

  test('what needs the drive, or is proven by the disk’s system, is refused with a sentence; the rest is not', async () => {
    const sentence = '光驱中有光盘，请先弹出光盘'
    expect((await admin.post('/images', rescueImage)).status).toBe(200)
    await setHostFiles(rescueImage.file, image.file)
    expect((await insert()).body.message).toBe('光驱中已有光盘，请先弹出')
    expect((await lin.post(`/server-management/${serverId}/rescue`)).body.message).toBe(sentence)
    expect((await act('resetPassword', { newPassword: 'Another-pass-2' })).body.message).toBe(sentence)
    for (const action of ['stop', 'start', 'restart']) {
      expect((await act(action)).status).toBe(200)
      await agent.serve()
    }
    expect((await lin.post(`/server-management/${serverId}/snapshots`, { name: '一' })).status).toBe(200)
    await agent.serve()
    expect(await inDrive()).not.toBeNull()
    const { id } = await app.db.selectFrom('snapshots').select('id').executeTakeFirstOrThrow()
    expect((await lin.post(`/server-management/${serverId}/snapshots/${id}/revert`)).body.message).toBe(sentence)
  })

  test('it cannot be deleted from the library, only withdrawn, and then stays in until it is out', async () => {
    const removed = await call(app, 'DELETE', `/images/${imageId}`, { token: admin.token })
    expect([removed.body.code, removed.body.message]).toEqual(['IN_USE', expect.stringContaining('1 台服务器的光驱')])
    await app.db.updateTable('images').set({ is_active: false }).where('id', '=', imageId).execute()
    expect(await inDrive()).not.toBeNull()
    await eject()
    await agent.serve()
    expect((await call(app, 'DELETE', `/images/${imageId}`, { token: admin.token })).status).toBe(200)
  })

  test('an inventory that tells another, or none, is a finding, and staff define the machine anew with its own', async () => {
    const [row] = await rows()
    expect(await seen(row!.id)).toEqual([])
    const [finding] = await seen(null)
    expect(finding?.details).toEqual({ isoId: null, expected: row!.id })
    expect((await admin.post(`/findings/${finding!.id}/redefine`)).status).toBe(200)
    const iso = { isoId: row!.id, file: image.file, boots: false }
    expect((await agent.claim())?.payload).toMatchObject({ kind: 'redefine', iso })
  })

  test('it comes out by hand', async () => {
    expect((await eject()).status).toBe(200)
    expect((await agent.serve({ proven: false }))?.payload).toEqual({ kind: 'ejectIso' })
    expect(await inDrive()).toBeNull()
    expect(await seen(null)).toEqual([])
  })

  test('after a day it comes out by itself, once; until then it stays', async () => {
    app.advance(dayMs - 60_000)
    expect(await ejectForgotten()).toEqual([])
    app.advance(60_000)
    expect(await ejectForgotten()).toEqual([serverId])
    expect(await ejectForgotten()).toEqual([])
    expect((await agent.serve({ proven: false }))?.payload).toEqual({ kind: 'ejectIso' })
    expect(await rows()).toEqual([])
    app.advance(dayMs)
    expect(await ejectForgotten()).toEqual([])
    const audit = await app.db
      .selectFrom('audit_log')
      .select('actor_kind')
      .where('action', '=', 'server.ejectIso')
      .execute()
    expect(audit).toEqual([{ actor_kind: 'timer' }])
  })

  test('it comes out though a routine test of its connection is asked for, and answered, at the same moment', async () => {
    const ask = (tx: Tx) => enqueueConnectionTest(tx, serverId, app.deps.now())
    const id = await inTx(app.db, ask)
    const asked = await app.db.selectFrom('connection_tests').select('host_id').executeTakeFirstOrThrow()
    app.advance(dayMs)
    const { ejected } = await inTx(app.db, async (tx) => {
      await finishConnectionTest(tx, asked.host_id, { id, sshConnectable: true, latencyMs: 3 })
      await ask(tx)
      const ejected = ejectForgotten()
      let isOver = false
      void ejected.finally(() => (isOver = true))
      while (!isOver && (await lockWaits(app.owner)) === 0) await setImmediate()
      return { ejected }
    })
    expect(await ejected).toEqual([serverId])
    expect((await agent.serve({ proven: false }))?.payload).toEqual({ kind: 'ejectIso' })
  })

  test('one that did not come out is still in, and is asked for again ten minutes later', async () => {
    app.advance(dayMs)
    await ejectForgotten()
    await agent.finish((await agent.claim())!, { ok: false, final: true, message: '弹出光盘失败', power: 'on' })
    expect(await inDrive()).not.toBeNull()
    expect(await ejectForgotten()).toEqual([])
    app.advance(10 * 60_000)
    expect(await ejectForgotten()).toEqual([serverId])
  })

  test('another act on the machine is not stood in the way of: it comes out after that', async () => {
    app.advance(dayMs)
    await act('restart')
    expect(await ejectForgotten()).toEqual([])
    await agent.serve()
    expect(await ejectForgotten()).toEqual([serverId])
  })

  test('a reinstall takes it out', async () => {
    const wish = { osName: 'Debian', osVersion: '12', rootPassword: 'Another-pass-2' }
    expect((await act('reinstall', wish)).status).toBe(200)
    await agent.serve()
    expect(await rows()).toEqual([])
  })

  test('a suspension leaves it in a machine that is off', async () => {
    await inTx(app.db, (tx) => askServer(tx, serverId, { act: { kind: 'suspend' }, orderId }, app.deps.now()))
    expect((await agent.serve({ power: 'off' }))?.payload).toMatchObject({ kind: 'stop' })
    expect(await rows()).toHaveLength(1)
  })
})

test.each([
  ['one that is only put in leaves a machine off', false],
  ['one that boots starts it', true],
])('%s, and what its host tells of its start is no finding', async (_name, boots) => {
  await act('stop')
  await agent.serve({ power: 'off' })
  expect((await insert(boots)).status).toBe(200)
  await agent.serve({ proven: false, power: boots ? 'on' : 'off' })
  const [row] = await rows()
  expect(await findings({ isoId: row!.id, autostart: boots })).toEqual([])
  expect(await findings({ isoId: row!.id, autostart: !boots })).toMatchObject([{ kind: 'changed-autostart' }])
})

describe('one that boots', () => {
  beforeEach(async () => void (await inserted(true)))

  test('from then on the password is said to be perhaps no longer the machine’s, after it is out, too', async () => {
    expect(await inDrive()).toMatchObject({ boots: true })
    await eject()
    await agent.serve({ proven: false })
    expect((await details()).iso).toEqual({ offered: true, inserted: null, bootedAt: expect.any(String) })
  })

  test.each([
    ['a login that was proven', () => act('resetPassword', { newPassword: 'Another-pass-2' })],
    ['a reinstall', () => act('reinstall', { osName: 'Debian', osVersion: '12', rootPassword: 'Another-pass-2' })],
  ])('until %s', async (_name, ask) => {
    await eject()
    await agent.serve({ proven: false })
    await ask()
    await agent.serve({ proven: true })
    expect((await details()).iso.bootedAt).toBeNull()
  })

  test('a login that was not proven proves nothing', async () => {
    await eject()
    await agent.serve({ proven: false })
    await act('resetPassword', { newPassword: 'Another-pass-2' })
    await agent.serve({ proven: false })
    expect((await details()).iso.bootedAt).not.toBeNull()
  })
})
