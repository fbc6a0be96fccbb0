import { losAngeles, plans } from './catalogue.js'
import type { User } from '@vps/api/actor'
import { actOnServer } from '@vps/api/console/act'
import type { Tx } from '@vps/api/db/client'
import { readSshAccess } from '@vps/api/servers/ssh/access'
import { finishTest } from '@vps/api/servers/ssh/test-dedicated'
import { cancelOrder } from '@vps/api/orders/cancel-order'
import { expireOrder } from '@vps/api/orders/expire-order'
import { payOrder } from '@vps/api/orders/pay-order'
import { renewOrSuspend } from '@vps/api/orders/renew-due'
import { readOrder } from '@vps/api/orders/queries'
import { createDedicatedServer } from '@vps/api/servers/ssh/dedicated-servers'
import { adjustBalance } from '@vps/api/wallet/adjust-balance'
import { readWallet } from '@vps/api/wallet/queries'
import { fen } from '@vps/shared/money'
import { graceHours } from '@vps/shared/deadlines'
import { periodEnd } from '@vps/shared/periods'
import { dedicatedServerInput } from '@vps/shared/servers.contract'
import { day, hour, later, newSecret, place, type Past } from './orders.js'
import { recharge, type Recharge } from './recharges.js'

type Bought = {
  priceGroup: string
  period: 'MONTHLY' | 'QUARTERLY' | 'ANNUAL'
  fate: 'unpaid' | 'cancelled' | 'suspended' | 'expired' | 'running' | 'turned off'
  os?: [name: string, version: string]
  /** Of a nightly schedule. */
  backups?: number
  /** Of a dedicated server. */
  ip?: string
}

const dedicated = { cpuCores: 8, memoryGb: 16, storageGb: 480, bandwidthMbps: 100, ipCount: 1 }

/** Recharges in each state, orders in each lasting one. */
export function planThePast(tx: Tx, past: Past, customer: User): void {
  const { hosts, now, timeline } = past
  const recharges: [daysAgo: number, Recharge][] = [
    [101, { yuan: 2000, method: 'alipay', fate: 'paid' }],
    [46, { yuan: 1500, method: 'wxpay', fate: 'paid' }],
    [44, { yuan: 100, method: 'alipay', fate: 'refused' }],
    [27, { yuan: 50, method: 'qqpay', fate: 'cancelled' }],
    [21, { yuan: 2000, method: 'alipay', fate: 'paid' }],
    [0.1, { yuan: 300, method: 'alipay', fate: 'pending' }],
  ]
  const orders: [daysAgo: number, Bought][] = [
    [100, { priceGroup: plans.hongKongStarter, period: 'MONTHLY', fate: 'expired' }],
    [70, { priceGroup: plans.shanghaiStandard, period: 'MONTHLY', fate: 'cancelled' }],
    [daysOfALapsedMonth(now), { priceGroup: plans.tokyoLight, period: 'MONTHLY', fate: 'suspended' }],
    [45, { priceGroup: plans.hongKongStarter, period: 'QUARTERLY', fate: 'running' }],
    [
      26,
      {
        priceGroup: plans.hongKongStandard,
        period: 'MONTHLY',
        fate: 'running',
        os: ['Ubuntu', '24.04 LTS'],
        backups: 3,
      },
    ],
    [20, { priceGroup: plans.singaporeStandard, period: 'ANNUAL', fate: 'turned off' }],
    [12, { priceGroup: plans.losAngelesOwn, period: 'MONTHLY', fate: 'running', ip: '203.0.113.10' }],
    [6, { priceGroup: plans.losAngelesOwn, period: 'MONTHLY', fate: 'running', ip: '203.0.113.11' }],
    [0.2, { priceGroup: plans.tokyoCompute, period: 'MONTHLY', fate: 'unpaid' }],
  ]
  const possible = orders.filter(([, { ip, fate }]) => hosts.isSimulated || ip !== undefined || fate === 'unpaid')
  const moment = (ago: number) => later(now, -ago * day)
  for (const [ago, one] of recharges) timeline.add(moment(ago), (at) => recharge(tx, customer, one, at))
  for (const [ago, one] of possible) timeline.add(moment(ago), (at) => buy(tx, past, customer, one, at))
}

/** Days since the begin of a month that just ended. */
function daysOfALapsedMonth(now: Date): number {
  const ended = (ago: number) => periodEnd(later(now, -ago * day), 'MONTHLY', 1).getTime()
  return [29, 30, 31, 32, 33].find((ago) => ended(ago) <= now.getTime() - day) ?? 33
}

async function buy(tx: Tx, past: Past, customer: User, bought: Bought, at: Date): Promise<void> {
  const { hosts } = past
  const { fate, ip, priceGroup, period, os, backups } = bought
  const machineId = ip ? await enterMachine(tx, past, ip, at) : null
  const autoRenewal = fate === 'running' || fate === 'turned off'
  const wanted = { priceGroup, period, os, backups, autoRenewal, ...(ip && { spec: dedicated }) }
  const { id: orderId } = await place(tx, past, customer, wanted, at)
  if (fate === 'unpaid') return
  await payOrder(tx, customer, { id: orderId }, at)
  if (fate === 'cancelled') return cancelOrder(tx, customer, orderId, later(at, 1_000))
  await hosts.work(at)
  if (machineId) await finishTest(tx, await readSshAccess(tx, machineId), null)
  await planFate(tx, past, customer, { orderId, fate }, at)
}

async function planFate(
  tx: Tx,
  { hosts, timeline }: Past,
  customer: User,
  { orderId, fate }: { orderId: string; fate: Bought['fate'] },
  at: Date,
) {
  const { view } = await readOrder(tx, { id: customer.id, isAdmin: false }, { id: orderId }, at)
  const { serverId, expiresAt } = view
  if (fate === 'turned off' && serverId)
    timeline.add(later(at, 2 * hour), async (then) => {
      const act = { kind: 'stop', force: false } as const
      await actOnServer(tx, customer, { serverId, orderId, act, secret: null }, then)
      await hosts.work(then)
    })
  if ((fate !== 'suspended' && fate !== 'expired') || expiresAt === null) return
  const ended = new Date(expiresAt)
  timeline.add(ended, async (then) => {
    await renewOrSuspend(tx, orderId, then)
    await hosts.work(then)
  })
  if (fate === 'expired')
    timeline.add(later(ended, graceHours * hour), async (then) => {
      await expireOrder(tx, orderId, then)
      await hosts.work(then)
    })
}

/** Reached once when it was sold, and not since. */
async function enterMachine(tx: Tx, { admin, catalogue, vault }: Past, ip: string, at: Date) {
  const input = dedicatedServerInput.parse({
    groupId: catalogue.groupIds.get(losAngeles),
    ip,
    username: 'root',
    operatingSystem: 'Debian 12',
    cpuCores: dedicated.cpuCores,
    memory: dedicated.memoryGb,
    diskSpace: dedicated.storageGb,
    networkSpeed: '100 Mbps',
  })
  const id = await createDedicatedServer(tx, admin, { ...input, secret: newSecret(vault) }, at)
  const figures = { cpuUsage: null, memoryUsage: null, diskUsage: null, uptimeSeconds: null }
  await finishTest(tx, await readSshAccess(tx, id), { hostKey: 'demo', ...figures })
  return id
}

/** ¥1,000.00, as the documents say. */
export async function levelWallet(tx: Tx, { admin, now }: Past, customer: User): Promise<void> {
  const balance = (await readWallet(tx, customer.id))?.balance ?? 0
  const amount = fen(100_000 - balance)
  await adjustBalance(tx, admin, { userId: customer.id, amount, reason: '演示账户余额调整' }, now)
}
