import { errorTable } from '@vps/shared/errors'
import type { OrderView } from '@vps/shared/orders.contract'
import { orderStatuses, type OrderStatus } from '@vps/shared/orders'
import * as text from '@vps/shared/text'
import { describe, expect, test } from 'vitest'
import { id, inDays, row } from '../../testing/things'
import { renewReason } from '../../checkout/renew-reason'
import { upgradeReason } from '../../checkout/upgrade-reason'
import { orderEntries, refundReason } from './order-entries'

let chosen: [string, OrderView] | null = null
const act = (name: string) => (order: OrderView) => void (chosen = [name, order])
const acts = {
  open: act('open'),
  pay: act('pay'),
  cancel: act('cancel'),
  renew: act('renew'),
  upgrade: act('upgrade'),
  refund: act('refund'),
}
const entries = (changes: Parameters<typeof row>[0]) => orderEntries(row(changes), acts)
const possible = (changes: Parameters<typeof row>[0]) =>
  entries(changes).flatMap(({ id, reason }) => (reason ? [] : [id]))

const machine = { id: id(12), installStatus: 'COMPLETED', status: 'ONLINE', power: 'on', hostLost: false } as const

describe('the menu of an order', () => {
  test.each<[OrderStatus, string[]]>([
    ['PENDING', ['open', 'pay', 'cancel']],
    ['PAID', ['open', 'progress', 'cancel']],
    ['PROCESSING', ['open', 'progress']],
    ['ACTIVE', ['open', 'manage', 'progress', 'renew', 'upgrade']],
    ['SUSPENDED', ['open', 'progress', 'renew']],
    ['CANCELLED', ['open']],
    ['EXPIRED', ['open']],
  ])('that is %s offers %j', (status, offered) => {
    expect(possible({ status })).toEqual(offered)
  })

  test('of a dedicated server offers no upgrade', () => {
    const server = { ...machine, driver: 'ssh' } as const
    expect(possible({ status: 'ACTIVE', server })).toEqual(['open', 'manage', 'progress', 'renew'])
  })

  test('on a lost host offers neither renewal nor upgrade, which would be refused, and says why', () => {
    const lost = row({ server: { ...machine, driver: 'kvm', hostLost: true } })
    expect([renewReason(lost), upgradeReason(lost)]).toEqual([text.onLostHost, text.onLostHost])
    expect(possible({ server: lost.server })).toEqual(['open', 'manage', 'progress'])
  })

  test('has every act in every state, each that cannot be with its reason', () => {
    for (const status of orderStatuses) {
      const all = entries({ status })
      expect(all.map(({ id }) => id)).toEqual([
        'open',
        'manage',
        'progress',
        'pay',
        'renew',
        'upgrade',
        'refund',
        'cancel',
      ])
      for (const { id, reason } of all) expect(reason === undefined || reason === null || reason !== '', id).toBe(true)
    }
  })

  test('leads to no installation that has not begun', () => {
    const [before] = entries({ status: 'PAID', serverId: null }).filter(({ id }) => id === 'progress')
    expect(before).toMatchObject({ reason: text.installNotStarted })
    expect(before).not.toHaveProperty('href')
    const [after] = entries({ status: 'PAID', serverId: id(12) }).filter(({ id }) => id === 'progress')
    expect(after).toMatchObject({ reason: null, href: `/server-install-progress/${id(12)}` })
  })

  test('does with this order what was chosen', () => {
    const order = row({ status: 'PENDING' })
    for (const name of ['pay', 'cancel', 'open', 'renew', 'upgrade', 'refund']) {
      orderEntries(order, acts)
        .find(({ id }) => id === name)
        ?.onAction?.()
      expect(chosen).toEqual([name, order])
    }
  })

  test('shows in red what cannot be taken back', () => {
    expect(entries({}).flatMap(({ id, danger }) => (danger ? [id] : []))).toEqual(['refund', 'cancel'])
  })
})

describe('a refund', () => {
  const refundable = { refundableUntil: inDays(3) }

  test('can be asked for while its time runs', () => {
    expect(refundReason(row(refundable))).toBeNull()
    expect(refundReason(row({ ...refundable, status: 'SUSPENDED', suspendReason: 'unpaid' }))).toBeNull()
  })

  test('cannot be asked for twice, but once more after it was refused', () => {
    const asked = (status: 'PENDING' | 'REJECTED') =>
      row({ ...refundable, refund: { status, reason: '不再需要', decision: null } })
    expect(refundReason(asked('PENDING'))).toBe(errorTable.REFUND_OPEN.message)
    expect(upgradeReason(asked('PENDING'))).toBe(errorTable.REFUND_OPEN.message)
    expect(upgradeReason(asked('REJECTED'))).toBeNull()
    expect(refundReason(asked('REJECTED'))).toBeNull()
  })

  test('cannot be asked for when its time is over, or where there was never a server', () => {
    expect(refundReason(row({ refundableUntil: null }))).toBe(errorTable.REFUND_TOO_LATE.message)
    expect(refundReason(row({ ...refundable, status: 'PENDING' }))).toBe('只有已开通的订单可以申请退款')
  })
})

describe('a renewal', () => {
  test('brings back what was suspended because it was not paid, not what an administrator has suspended', () => {
    const suspended = (suspendReason: 'unpaid' | 'admin') => renewReason(row({ status: 'SUSPENDED', suspendReason }))
    expect(suspended('unpaid')).toBeNull()
    expect(suspended('admin')).toBe(errorTable.SUSPENDED_BY_ADMIN.message)
  })

  test('is for orders that have been served', () => {
    expect(renewReason(row())).toBeNull()
    expect(renewReason(row({ status: 'PAID' }))).toBe('只有活跃或暂停的订单可以续费')
  })
})
