import { expect, test } from 'vitest'
import { canMove, orderCan, orderMoves, orderStatuses, type Mover } from './orders.js'

const movers: Mover[] = ['owner', 'admin', 'agent', 'timer']

test('every order, in every state and for everybody, may make exactly the moves of the table', () => {
  const matrix = orderStatuses.flatMap((from) =>
    orderStatuses.flatMap((to) => {
      const by = movers.filter((mover) => canMove(from, to, mover))
      return by.length > 0 ? [`${from} -> ${to}: ${by.join(', ')}`] : []
    }),
  )
  expect(matrix).toMatchInlineSnapshot(`
    [
      "PENDING -> PAID: owner",
      "PENDING -> CANCELLED: owner, admin, timer",
      "PAID -> PROCESSING: agent",
      "PAID -> CANCELLED: owner, admin, agent, timer",
      "PROCESSING -> ACTIVE: agent",
      "PROCESSING -> CANCELLED: agent, timer",
      "ACTIVE -> ACTIVE: owner, admin, timer",
      "ACTIVE -> SUSPENDED: admin, timer",
      "ACTIVE -> CANCELLED: admin",
      "SUSPENDED -> ACTIVE: owner, admin, timer",
      "SUSPENDED -> CANCELLED: admin",
      "SUSPENDED -> EXPIRED: timer",
    ]
  `)
})

test('an ended order has no way back', () => {
  for (const { from } of orderMoves) expect(['CANCELLED', 'EXPIRED']).not.toContain(from)
})

test('what an owner may do gives its reason exactly where it may not', () => {
  for (const status of orderStatuses) {
    for (const can of Object.values(orderCan)) {
      const reason = can.reason({ status })
      expect(can({ status })).toBe(reason === null)
      expect(reason ?? '可以').toMatch(/\p{Script=Han}/u)
    }
  }
  expect(orderStatuses.filter((status) => orderCan.cancel({ status }))).toEqual(['PENDING', 'PAID'])
})

test('a dedicated server cannot be upgraded, and says why; a virtual machine can', () => {
  const upgrade = (driver: 'kvm' | 'ssh') => orderCan.upgrade.reason({ status: 'ACTIVE', server: { driver } })
  expect([upgrade('kvm'), upgrade('ssh')]).toEqual([null, '独立服务器的配置是固定的，不能升级'])
})
