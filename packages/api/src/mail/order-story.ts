import { graceHours } from '@vps/shared/deadlines'
import * as labels from '@vps/shared/labels'
import { shanghaiMinute } from '@vps/shared/time'
import * as verbs from '@vps/shared/verbs'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'

/** What mails about an order tell. */
export type OrderRow = NonNullable<Awaited<ReturnType<typeof findOrder>>>
export type Story = ReturnType<typeof storyOf>

export function storyOf(order: OrderRow, publicUrl: string) {
  const server = order.serverName ?? order.server_name ?? order.number
  const facts: [string, string][] = [
    [labels.server, server],
    [labels.orderNumber, order.number],
  ]
  const ends: [string, string] = [labels.expiresAt, beijing(order.expires_at)]
  const keptUntil: [string, string] = ['数据保留至', graceEnd(order.expires_at)]
  const links = {
    renew: { label: '立即续费', url: `${publicUrl}/orders?orderId=${order.id}` },
    recharge: { label: verbs.rechargeNow, url: `${publicUrl}/recharge` },
    openConsole: { label: verbs.toConsole, url: `${publicUrl}/server-manage/${order.id}` },
    transactions: transactionsLink(publicUrl),
    buyAgain: { label: '重新购买', url: `${publicUrl}/sales` },
  }
  return { order, server, facts, ends, keptUntil, links }
}

export const transactionsLink = (publicUrl: string) => ({ label: '查看交易记录', url: `${publicUrl}/transactions` })

export function findOrder(db: Db, id: string) {
  return db
    .selectFrom('orders as o')
    .leftJoin('servers as s', (join) => join.onRef('s.id', '=', 'o.server_id').onRef('s.order_id', '=', 'o.id'))
    .selectAll('o')
    .select('s.name as serverName')
    .select(({ selectFrom }) =>
      selectFrom('placements as p')
        .innerJoin('addresses as a', 'a.placement_id', 'p.id')
        .select(sql<string>`host(a.address)`.as('address'))
        .whereRef('p.server_id', '=', 's.id')
        .where('p.state', '=', 'held')
        .where('a.position', '=', 0)
        .as('address'),
    )
    .select(({ selectFrom }) =>
      selectFrom('placements as p')
        .innerJoin('hosts as h', 'h.id', 'p.host_id')
        .select('h.status')
        .whereRef('p.server_id', '=', 's.id')
        .where('p.state', '=', 'held')
        .as('hostStatus'),
    )
    .select((eb) =>
      eb
        .selectFrom('refund_requests as r')
        .select('r.refunded_fen')
        .whereRef('r.order_id', '=', 'o.id')
        .where('r.status', '=', 'APPROVED')
        .limit(1)
        .as('refunded'),
    )
    .select((eb) =>
      eb
        .selectFrom('refund_requests as r')
        .select('r.decision')
        .whereRef('r.order_id', '=', 'o.id')
        .where('r.status', '=', 'REJECTED')
        .orderBy('r.decided_at', 'desc')
        .limit(1)
        .as('rejection'),
    )
    .select((eb) =>
      eb
        .selectFrom('backups as b')
        .select(({ fn }) => fn.max('b.forget_at').as('until'))
        .whereRef('b.server_id', '=', 'o.server_id')
        .where('b.made_at', 'is not', null)
        .where('b.cold_migration_id', 'is', null)
        .whereRef('b.forget_at', '>', 'o.ended_at')
        .as('backupsUntil'),
    )
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('backups as b')
          .select('b.id')
          .whereRef('b.server_id', '=', 'o.server_id')
          .where('b.made_at', 'is not', null)
          .where('b.cold_migration_id', 'is', null)
          .where('b.forget_at', 'is', null),
      ).as('isBackedUp'),
    )
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('refund_requests as r')
          .select('r.id')
          .whereRef('r.order_id', '=', 'o.id')
          .where('r.status', '=', 'PENDING'),
      ).as('refundWaits'),
    )
    .where('o.id', '=', id)
    .executeTakeFirst()
}

export const askSupport = '如有疑问，请联系客服。'

export const beijing = (at: Date | null) => (at ? `${shanghaiMinute(at)}（北京时间）` : '—')

const graceEnd = (expiresAt: Date | null) => beijing(expiresAt && new Date(expiresAt.getTime() + graceHours * 3600_000))
