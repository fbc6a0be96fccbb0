import * as text from '@vps/shared/text'
import * as labels from '@vps/shared/labels'
import { randomBytes, randomInt } from 'node:crypto'
import { fen, percentOff } from '@vps/shared/money'
import { generatePassword } from '@vps/shared/password'
import { periodEnd } from '@vps/shared/periods'
import { parseSalesDocument } from '@vps/shared/catalogue.contract'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../db/client.js'
import { documentNumber, outTradeNumber } from '../numbers.js'
import { createSecret } from '../secrets/secrets.js'
import type { Vault } from '../vault.js'
import { postEntry } from '../wallet/post-entry.js'
import type { GroupName } from './catalogue.js'

/** Without a simulated host no virtual machine of the past can exist. */
type Shop = { customerId: string; hostId: string; groupIds: Map<GroupName, string>; hasSimulatedHost: boolean }
type Order = {
  group: string
  period: 'MONTHLY' | 'QUARTERLY' | 'ANNUAL'
  /** Days before now; negative never. */
  placed: number
  status: 'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'CANCELLED' | 'EXPIRED'
  power?: 'on' | 'off'
  os?: [string, string]
  /** Dedicated server instead of a virtual one. */
  ssh?: { ip: string; cpu: number; memory: number; disk: number }
}
type Event = { at: number; run: (at: Date) => Promise<void> }

const day = 86_400_000

/** How a paid order came to where it is, move by move. */
const served = ['PAID', 'PROCESSING', 'ACTIVE'] as const
const course = {
  ACTIVE: served,
  SUSPENDED: [...served, 'SUSPENDED'],
  EXPIRED: [...served, 'SUSPENDED', 'EXPIRED'],
  CANCELLED: ['PAID', 'CANCELLED'],
} as const

/** A customer with a past: recharges in each state, orders in each lasting state, and a wallet that holds ¥1,000.00. */
export async function seedHistory(tx: Tx, vault: Vault, shop: Shop, now: Date): Promise<void> {
  const orders: Order[] = [
    { group: '香港入门型', period: 'MONTHLY', placed: 100, status: 'EXPIRED' },
    { group: '上海标准型', period: 'MONTHLY', placed: 70, status: 'CANCELLED' },
    { group: '东京轻量型', period: 'MONTHLY', placed: 32, status: 'SUSPENDED', power: 'off' },
    { group: '香港入门型', period: 'QUARTERLY', placed: 45, status: 'ACTIVE', power: 'on' },
    { group: '香港标准型', period: 'MONTHLY', placed: 26, status: 'ACTIVE', power: 'on', os: ['Ubuntu', '24.04 LTS'] },
    { group: '新加坡标准型', period: 'ANNUAL', placed: 20, status: 'ACTIVE', power: 'off' },
    {
      group: '洛杉矶独享型',
      period: 'MONTHLY',
      placed: 12,
      status: 'ACTIVE',
      ssh: { ip: '203.0.113.10', cpu: 8, memory: 16, disk: 480 },
    },
    {
      group: '洛杉矶独享型',
      period: 'MONTHLY',
      placed: 6,
      status: 'ACTIVE',
      ssh: { ip: '203.0.113.11', cpu: 8, memory: 16, disk: 480 },
    },
    { group: '东京计算型', period: 'MONTHLY', placed: 0.2, status: 'PENDING' },
  ]
  const recharges = [
    { at: 101, moneyFen: 200000, status: 'SUCCESS', method: 'alipay' },
    { at: 46, moneyFen: 150000, status: 'SUCCESS', method: 'wxpay' },
    { at: 44, moneyFen: 10000, status: 'FAILED', method: 'alipay' },
    { at: 27, moneyFen: 5000, status: 'CANCELLED', method: 'qqpay' },
    { at: 21, moneyFen: 200000, status: 'SUCCESS', method: 'alipay' },
    { at: 0.1, moneyFen: 30000, status: 'PENDING', method: 'alipay' },
  ] as const
  const events: Event[] = [
    ...recharges.map((recharge) => ({
      at: recharge.at,
      run: (at: Date) => seedRecharge(tx, shop.customerId, recharge, at, now),
    })),
    ...orders
      .filter((order) => shop.hasSimulatedHost || order.ssh || order.power === undefined)
      .map((order) => ({ at: order.placed, run: (at: Date) => seedOrder(tx, vault, shop, order, at, now) })),
  ]
  // The ledger is a chain: its entries must be written in the order of time.
  for (const event of events.toSorted((a, b) => b.at - a.at)) await event.run(new Date(now.getTime() - event.at * day))
  await levelWallet(tx, shop.customerId, 100_000, now)
}

async function levelWallet(tx: Tx, userId: string, wantedFen: number, now: Date): Promise<void> {
  const { balance_fen } = await tx
    .selectFrom('wallets')
    .select('balance_fen')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const amount = fen(wantedFen - balance_fen)
  await postEntry(
    tx,
    { userId, type: 'ADJUSTMENT', amount, reference: `demo:${userId}`, description: '演示账户余额调整' },
    now,
  )
}

type Recharge = { moneyFen: number; status: 'SUCCESS' | 'FAILED' | 'CANCELLED' | 'PENDING'; method: string }

async function seedRecharge(tx: Tx, userId: string, recharge: Recharge, at: Date, now: Date): Promise<void> {
  const id = uuidv7()
  const outTradeNo = outTradeNumber()
  const paid = recharge.status === 'SUCCESS'
  const amount = fen(recharge.moneyFen)
  await tx
    .insertInto('payments')
    .values({
      id,
      out_trade_no: outTradeNo,
      user_id: userId,
      trade_no: paid ? `DEMO${outTradeNo.slice(-12)}` : null,
      method: recharge.method,
      money_fen: amount,
      note: labels.accountRecharge,
      device: 'pc',
      client_ip: '203.0.113.99',
      status: recharge.status,
      creation: recharge.status === 'FAILED' ? 'refused' : 'created',
      failure: recharge.status === 'FAILED' ? text.channelDown : null,
      next_check_at: recharge.status === 'PENDING' ? new Date(now.getTime() + 3600_000) : null,
      created_at: at,
      completed_at: paid ? new Date(at.getTime() + 42_000) : null,
      updated_at: at,
    })
    .execute()
  if (!paid) return
  await postEntry(
    tx,
    { userId, type: 'RECHARGE', amount, reference: outTradeNo, description: labels.accountRecharge, paymentId: id },
    at,
  )
}

async function seedOrder(tx: Tx, vault: Vault, shop: Shop, order: Order, at: Date, now: Date): Promise<void> {
  const group = await tx
    .selectFrom('price_groups')
    .selectAll()
    .where('name', '=', order.group)
    .executeTakeFirstOrThrow()
  const [osName, osVersion] = order.os ?? ['Debian', '12']
  const image = await tx
    .selectFrom('images')
    .selectAll()
    .where('os_name', '=', osName)
    .where('os_version', '=', osVersion)
    .executeTakeFirstOrThrow()
  const document = parseSalesDocument(group.sales_page_html)
  const spec = {
    cpu_cores: order.ssh?.cpu ?? document?.cpu_cores ?? 2,
    memory_gb: order.ssh?.memory ?? document?.memory ?? 4,
    storage_gb: order.ssh?.disk ?? document?.disk_space ?? 40,
    bandwidth_mbps: document?.network_speed ?? 100,
  }
  const price = { MONTHLY: group.monthly_fen, QUARTERLY: group.quarterly_fen, ANNUAL: group.annual_fen }[order.period]
  const amount = group.has_discount ? percentOff(price, group.discount_percentage ?? 0) : price
  const orderId = uuidv7()
  const number = documentNumber('V', at)
  const secret = vault.seal(generatePassword((below) => randomInt(below)))
  await createSecret(tx, secret, at)
  // Served from `at`, and paid as long before as setting up took.
  const paidAt = order.status !== 'PENDING' ? new Date(at.getTime() - randomInt(24_000, 41_000)) : at
  const serving = order.status === 'ACTIVE' || order.status === 'SUSPENDED'
  const started = order.status === 'EXPIRED' || serving
  const expires = periodEnd(at, order.period, 1)
  await tx
    .insertInto('orders')
    .values({
      id: orderId,
      number,
      user_id: shop.customerId,
      price_group_id: group.id,
      status: 'PENDING',
      amount_fen: amount,
      period: order.period,
      auto_renewal: order.status === 'ACTIVE',
      ...spec,
      ip_count: 1,
      image_id: image.id,
      os_name: osName,
      os_version: osVersion,
      ssh_port: 22,
      initial_secret_id: secret.id,
      created_at: paidAt,
      updated_at: at,
    })
    .execute()
  if (order.status === 'PENDING') return
  const about = { userId: shop.customerId, orderId, reference: `order:${orderId}:1` }
  await postEntry(tx, { ...about, type: 'ORDER_PAYMENT', amount: fen(-amount), description: `支付订单 ${number}` }, at)
  if (order.status === 'CANCELLED')
    await postEntry(tx, { ...about, type: 'REFUND', amount, description: `订单 ${number} 退款：用户取消` }, at)
  const serverId = uuidv7()
  const endedAt = serving ? null : expires < now ? expires : at
  const mac = `02:${randomBytes(5).toString('hex').match(/../g)!.join(':')}`
  await tx
    .insertInto('servers')
    .values({
      id: serverId,
      driver: order.ssh ? 'ssh' : 'kvm',
      group_id: group.server_group_id,
      order_id: orderId,
      user_id: shop.customerId,
      name: `${order.group}-${number.slice(-6)}`,
      ...spec,
      os_name: osName,
      os_version: osVersion,
      image_id: order.ssh ? null : image.id,
      secret_id: secret.id,
      generation: order.ssh ? 0 : 1,
      mac: order.ssh ? null : mac,
      install_status: serving ? 'COMPLETED' : null,
      power: serving ? (order.power ?? 'off') : 'unknown',
      power_changed_at: endedAt ?? at,
      released_at: endedAt,
      created_at: at,
      updated_at: at,
    })
    .execute()
  if (order.ssh) await seedDedicated(tx, serverId, order.ssh.ip, `${osName} ${osVersion}`)
  if (serving && !order.ssh) await seedPlace(tx, shop.hostId, serverId, spec, at)
  const [first, ...further] = course[order.status]
  await tx
    .updateTable('orders')
    .set({
      status: first,
      server_id: serverId,
      paid_at: paidAt,
      paid_fen: amount,
      activated_at: started ? at : null,
      anchor_at: started ? at : null,
      periods_count: started ? 1 : 0,
      expires_at: started ? (order.status === 'SUSPENDED' ? new Date(now.getTime() - day) : expires) : null,
      suspended_at: order.status === 'SUSPENDED' ? new Date(now.getTime() - day) : null,
      cancel_reason: order.status === 'CANCELLED' ? text.cancelledByUser : null,
      cancel_cause: order.status === 'CANCELLED' ? 'owner' : null,
      ended_at: endedAt,
    })
    .where('id', '=', orderId)
    .execute()
  for (const status of further) {
    await tx
      .updateTable('orders')
      .set({ status, suspend_reason: status === 'SUSPENDED' ? 'unpaid' : null })
      .where('id', '=', orderId)
      .execute()
  }
  if (!started) return
  const ends = order.status === 'SUSPENDED' ? new Date(now.getTime() - day) : expires
  await tx
    .insertInto('order_periods')
    .values({ order_id: orderId, seq: 1, starts_at: at, ends_at: ends, paid_fen: amount })
    .execute()
}

type Spec = { cpu_cores: number; memory_gb: number; storage_gb: number }

/** A dedicated server that was sold: nobody has ever reached it. */
async function seedDedicated(tx: Tx, serverId: string, ip: string, system: string): Promise<void> {
  const said = { operating_system: system, network_speed: '100 Mbps', initial_status: 'OFFLINE' } as const
  await tx
    .insertInto('dedicated_servers')
    .values({ server_id: serverId, ip, port: 22, ...said, is_sold: true })
    .execute()
}

async function seedPlace(tx: Tx, hostId: string, serverId: string, spec: Spec, at: Date): Promise<void> {
  const placementId = uuidv7()
  await tx
    .insertInto('placements')
    .values({
      id: placementId,
      server_id: serverId,
      host_id: hostId,
      generation: 1,
      cpu_cores: spec.cpu_cores,
      memory_mb: spec.memory_gb * 1024,
      disk_gb: spec.storage_gb,
      state: 'held',
      created_at: at,
    })
    .execute()
  await sql`update addresses set placement_id = ${placementId}, position = 0
    where address = (select address from addresses where placement_id is null order by address limit 1)`.execute(tx)
}
