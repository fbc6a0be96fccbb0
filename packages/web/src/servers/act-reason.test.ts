import { migratingNow } from '@vps/shared/cold-migrations'
import { errorTable } from '@vps/shared/errors'
import { orderStatuses } from '@vps/shared/orders'
import * as text from '@vps/shared/text'
import { describe, expect, test } from 'vitest'
import { details, id, order } from '../testing/things'
import { actReason } from './act-reason'
import { consoleOf, type ConsoleServer } from './console-server'

const acts = ['start', 'restart', 'stop', 'forceStop', 'resetPassword', 'reinstall'] as const
const machine = (server: Parameters<typeof details>[0] = {}, of: Parameters<typeof order>[0] = {}) =>
  consoleOf(order(of), details(server))
const reasons = (server: ConsoleServer) => acts.map((act) => actReason(server, act))
const possible = (server: ConsoleServer) => acts.filter((act) => actReason(server, act) === null)
const busy = { openJob: { id: id(81), kind: 'restart', status: 'RUNNING' } } as const

describe('what can be asked of a machine', () => {
  test('that runs is everything but to start it', () => {
    expect(possible(machine())).toEqual(['restart', 'stop', 'forceStop', 'resetPassword', 'reinstall'])
    expect(actReason(machine(), 'start')).toBe('服务器正在运行')
  })

  test('that is off is nothing that would turn it off', () => {
    const off = machine({ power: 'off', status: 'OFFLINE' })
    expect(possible(off)).toEqual(['start', 'restart', 'resetPassword', 'reinstall'])
    expect([actReason(off, 'stop'), actReason(off, 'forceStop')]).toEqual([text.alreadyOff, text.alreadyOff])
  })

  test('whose power is unknown is everything: nothing is claimed of it', () => {
    expect(possible(machine({ power: 'unknown', status: 'OFFLINE' }))).toEqual([...acts])
  })

  test('while something is under way is only to cut its power, even where it was seen off', () => {
    for (const power of ['on', 'off', 'unknown'] as const) {
      const server = machine({ ...busy, power })
      expect(possible(server), power).toEqual(['forceStop'])
      expect(actReason(server, 'restart'), power).toBe(errorTable.LOCKED.message)
    }
  })

  test('that is on its way to another host is nothing, not even to cut its power', () => {
    for (const power of ['on', 'off', 'unknown'] as const)
      expect(new Set(reasons(machine({ ...busy, migrating: true, power }))), power).toEqual(new Set([migratingNow]))
    for (const act of ['backup', 'restore', 'snapshot', 'revert', 'enterRescue', 'insertIso', 'ejectIso'] as const)
      expect(actReason(machine({ migrating: true }), act), act).toBe(migratingNow)
    expect(actReason(machine({ migrating: true }), 'connect')).toBeNull()
  })

  test('that somebody entered is what SSH can do, and never to cut its power', () => {
    const entered = machine({ driver: 'ssh', power: 'off', status: 'OFFLINE' })
    expect(possible(entered)).toEqual(['restart', 'resetPassword'])
    for (const act of ['start', 'forceStop', 'reinstall'] as const)
      expect(actReason(entered, act), act).toBe(errorTable.NOT_SUPPORTED.message)
  })

  test.each(orderStatuses.filter((status) => status !== 'ACTIVE'))(
    'of an order that is %s is nothing, with one reason for all',
    (status) => {
      expect(new Set(reasons(machine({}, { status })))).toEqual(new Set(['订单未处于活跃状态，不能操作服务器']))
    },
  )
})

describe('what can be asked of a machine with a disc in its drive', () => {
  const inserted = { name: 'Debian 12', boots: true, since: '', until: '' }
  const full = machine({ iso: { offered: true, inserted, bootedAt: null }, rescue: { offered: true, since: null } })
  const empty = machine({ iso: { offered: true, inserted: null, bootedAt: null } })

  test('is to take it out, not another, and nothing that needs the drive or the system on the disk', () => {
    expect([actReason(full, 'ejectIso'), actReason(empty, 'insertIso')]).toEqual([null, null])
    expect([actReason(full, 'insertIso'), actReason(empty, 'ejectIso')]).toEqual([
      '光驱中已有光盘，请先弹出',
      '光驱中没有光盘',
    ])
    for (const act of ['enterRescue', 'resetPassword', 'revert'] as const)
      expect(actReason(full, act), act).toBe('光驱中有光盘，请先弹出光盘')
    for (const act of ['restart', 'stop', 'reinstall', 'snapshot'] as const)
      expect(actReason(full, act), act).toBeNull()
  })

  test('in rescue is none', () => {
    const inRescue = machine({ ...empty, rescue: { offered: true, since: '' } })
    expect(actReason(inRescue, 'insertIso')).toBe('服务器处于救援模式，请先退出救援模式')
  })
})

describe('the way in', () => {
  test('needs an address', () => {
    expect(actReason(machine({ ipAddress: null }), 'connect')).toBe(text.noAddressYet)
  })

  test('is there while the order is active, whatever was observed, and while the machine is heard', () => {
    expect(actReason(machine({ status: 'OFFLINE' }), 'connect')).toBeNull()
    expect(actReason(machine({ status: 'ONLINE' }, { status: 'SUSPENDED' }), 'connect')).toBeNull()
    expect(actReason(machine({ status: 'OFFLINE' }, { status: 'SUSPENDED' }), 'connect')).toBe('服务器未在线')
  })

  test('stays open while something is under way', () => {
    expect(actReason(machine(busy), 'connect')).toBeNull()
  })
})
