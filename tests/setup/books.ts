import pg from 'pg'
import { startPostgres } from '../../scripts/postgres.js'
import path from 'node:path'
import type { Product } from './product.js'

export async function openBooks(product: Product): Promise<pg.Client> {
  const { url } = await startPostgres({ dir: path.join(product.dataDir, 'postgres') })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/** What is wrong, as sentences. */
export async function auditBooks(client: pg.Client): Promise<string[]> {
  const faults: string[] = []
  for (const { what, query } of rules) {
    const { rows } = await client.query<Record<string, unknown>>(query)
    for (const row of rows) faults.push(`${what}: ${JSON.stringify(row)}`)
  }
  return faults
}

const rules = [
  {
    what: 'a wallet differs from the sum of its ledger',
    query: `select w.id, w.balance_fen, coalesce(sum(e.amount_fen), 0) as ledger from wallets w
      left join ledger_entries e on e.wallet_id = w.id group by w.id having w.balance_fen <> coalesce(sum(e.amount_fen), 0)`,
  },
  {
    what: 'a payment was credited not exactly once, or without success',
    query: `select p.out_trade_no, p.status, count(e.id) as credits from payments p
      left join ledger_entries e on e.payment_id = p.id and e.type = 'RECHARGE'
      group by p.id having count(e.id) <> case when p.status = 'SUCCESS' then 1 else 0 end`,
  },
  {
    what: 'an order costs the customer something that it should not',
    query: `select o.number, o.status, -coalesce(sum(e.amount_fen), 0) as paid from orders o
      left join ledger_entries e on e.order_id = o.id and e.type in ('ORDER_PAYMENT', 'REFUND') group by o.id
      having o.status in ('PENDING', 'CANCELLED') and coalesce(sum(e.amount_fen), 0) <> 0
        or o.status in ('PAID', 'PROCESSING', 'ACTIVE', 'SUSPENDED') and coalesce(sum(e.amount_fen), 0) > 0`,
  },
  {
    what: 'a paid order has no server, or no job that sets it up',
    query: `select o.number, o.status from orders o where o.status in ('PAID', 'PROCESSING')
      and not exists (select 1 from jobs j where j.server_id = o.server_id and j.status in ('QUEUED', 'RUNNING'))`,
  },
]
