import { afterEach, beforeEach, expect, test } from 'vitest'
import { testDedicatedServer, testForAnswer } from './test-dedicated.js'
import type { TestApp } from '../../testing/app.js'
import { openDedicated, type Dedicated } from '../../testing/dedicated.js'
import { call, type Person } from '../../testing/people.js'
import type { Shop } from '../../testing/shop.js'
import type { SshMachine } from '../../testing/ssh-machine.js'

let app: TestApp
let shop: Shop
let admin: Person
let machine: SshMachine
let serverId: string
let row: Dedicated['row']
let buy: Dedicated['buy']
let testAgain: Dedicated['testAgain']
let close: Dedicated['close']
beforeEach(
  async () => void ({ app, shop, admin, machine, serverId, row, buy, testAgain, close } = await openDedicated()),
)
afterEach(() => close())

test('edited by two operators: the later save is 409 and told what changed', async () => {
  const { body } = await admin.get(`/servers?groupId=${shop.groupId}`)
  const { version } = body.data.content[0]
  const save = (change: object) =>
    admin.put(`/servers/${serverId}`, {
      groupId: shop.groupId,
      ip: '127.0.0.1',
      port: machine.port,
      username: 'root',
      operatingSystem: 'debian  12',
      cpuCores: 4,
      memory: 8,
      diskSpace: 100,
      version,
      ...change,
    })
  expect((await save({ memory: 16 })).status).toBe(200)
  const late = await save({ cpuCores: 8 })
  expect([late.status, late.body.code, late.body.errors]).toMatchObject([
    409,
    'CONFLICT',
    { memory: '已被修改为：16', cpuCores: '已被修改为：4' },
  ])
  expect(await row()).toMatchObject({ memory_gb: 16, cpu_cores: 4 })
})

test('a machine on the inside of a network is neither added nor contacted unless that is allowed', async () => {
  const dedicated = { groupId: shop.groupId, port: machine.port, username: 'root', password: 'As-delivered-1' }
  const sizes = { cpuCores: 4, memory: 8, diskSpace: 100, operatingSystem: 'Debian 12' }
  for (const ip of ['10.0.0.7', '169.254.169.254', '192.168.1.1', '172.16.0.9']) {
    const { status, body } = await admin.post('/servers', { ...dedicated, ...sizes, ip })
    expect([status, body.errors?.ip]).toEqual([400, 'IP地址属于内部网络，未被允许'])
  }
  const before = machine.commands.length
  app.deps.config = { ...app.deps.config, allowedNetworks: [] }
  expect(await testDedicatedServer(app.deps, serverId)).toBeNull()
  expect(machine.commands.length).toBe(before)
})

const remove = () => call(app, 'DELETE', `/servers/${serverId}`, { token: admin.token })

test('a machine that answered is deleted like one that never did', async () => {
  await testAgain()
  expect((await row()).ssh_connectable).toBe(true)
  expect((await remove()).body).toMatchObject({ success: true })
  expect((await admin.get(`/servers/${serverId}`)).status).toBe(404)
})

test('a machine that was sold once is kept for what refers to it, and the operator hears what else to do', async () => {
  const id = await buy()
  expect((await remove()).body.message).toBe('仍有订单使用此服务器，无法删除')
  expect((await admin.put(`/orders/${id}/status`, { status: 'CANCELLED', reason: '测试' })).status).toBe(200)
  expect((await remove()).body).toMatchObject({
    code: 'IN_USE',
    message: '服务器有订单或操作记录，不能删除；设为已售出即不再出售',
  })
})

test('who asks whether a machine answers is told in time, though it lets one in and then says nothing', async () => {
  await testAgain()
  let goOn = () => {}
  machine.wait = new Promise((resolve) => (goOn = resolve))
  expect(await testForAnswer(app.deps, serverId, 100)).toBeNull()
  goOn()
  expect(await testForAnswer(app.deps, serverId)).toMatchObject({ cpuUsage: 25 })
})
