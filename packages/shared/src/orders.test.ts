import { expect, test } from 'vitest'
import {
  canMove,
  cancelCauses,
  endedStatuses,
  hasEnded,
  orderCan,
  orderMoves,
  orderStatuses,
  refundableUntil,
  remindedPeriods,
  setUpBroke,
  suspensionText,
  type Mover,
} from './orders.js'

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
  for (const { from } of orderMoves) expect(hasEnded(from)).toBe(false)
  expect(orderStatuses.filter(hasEnded)).toEqual([...endedStatuses])
  expect(endedStatuses).toEqual(['CANCELLED', 'EXPIRED'])
})

test('what an owner may do gives its reason exactly where it may not', () => {
  for (const status of orderStatuses) {
    for (const can of Object.values(orderCan)) {
      const reason = can.reason({ status })
      expect(can({ status })).toBe(reason === null)
      expect(reason ?? '可以').toMatch(/\p{Script=Han}/u)
    }
  }
})

test('an owner is offered each act in exactly these states', () => {
  const offered = Object.entries(orderCan).map(
    ([act, can]) => `${act}: ${orderStatuses.filter((status) => can({ status })).join(', ')}`,
  )
  expect(offered).toMatchInlineSnapshot(`
    [
      "pay: PENDING",
      "cancel: PENDING, PAID",
      "manage: ACTIVE",
      "openConsole: ACTIVE, SUSPENDED",
      "act: ACTIVE",
      "openRemote: PAID, PROCESSING, ACTIVE",
      "renew: ACTIVE, SUSPENDED",
      "upgrade: ACTIVE",
      "requestRefund: ACTIVE, SUSPENDED",
      "setAutoRenewal: PAID, ACTIVE",
      "viewProgress: PAID, PROCESSING, ACTIVE, SUSPENDED",
    ]
  `)
})

test('a dedicated server cannot be upgraded, and says why; a virtual machine can', () => {
  const upgrade = (driver: 'kvm' | 'ssh') => orderCan.upgrade.reason({ status: 'ACTIVE', server: { driver } })
  expect([upgrade('kvm'), upgrade('ssh')]).toEqual([null, '独立服务器的配置是固定的，不能升级'])
})

test('who did nothing is told so only where the setting up broke', () => {
  expect(cancelCauses.filter(setUpBroke)).toEqual(['set-up-failed', 'set-up-overdue'])
  expect(setUpBroke(null)).toBe(false)
})

test('a suspension says why, with what the administrator wrote; an order that is not suspended says nothing', () => {
  const said = (suspendReason: 'unpaid' | 'admin' | null, suspendNote: string | null) =>
    suspensionText({ suspendReason, suspendNote })
  expect([said(null, '滥用'), said('unpaid', null), said('admin', null), said('admin', '滥用')]).toEqual([
    null,
    '到期未续费',
    '管理员暂停',
    '管理员暂停：滥用',
  ])
})

test('of its end a period is reminded that has whole months', () => {
  expect(remindedPeriods).toEqual(['MONTHLY', 'QUARTERLY', 'SEMI_ANNUAL', 'ANNUAL'])
})

test('money comes back within seven days of the activation and within the first period, and not at its very end', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 0, day))
  expect(refundableUntil(at(1), at(31), at(2))).toEqual(at(8))
  expect(refundableUntil(at(1), at(2), new Date(at(2).getTime() - 1))).toEqual(at(2))
  expect(refundableUntil(at(1), at(2), at(2))).toBeNull()
  expect(refundableUntil(at(1), at(31), at(8))).toBeNull()
  expect([refundableUntil(null, at(31), at(2)), refundableUntil(at(1), null, at(2))]).toEqual([null, null])
})
