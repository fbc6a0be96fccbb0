import { losAngeles, plans } from './catalogue.js'
import { randomInt } from 'node:crypto'
import type { User } from '@vps/api/actor'
import { actOnServer } from '@vps/api/console/act'
import type { Tx } from '@vps/api/db/client'
import { cancelOrder } from '@vps/api/orders/cancel-order'
import { expireOrder } from '@vps/api/orders/expire-order'
import { payOrder } from '@vps/api/orders/pay-order'
import { placeOrder } from '@vps/api/orders/place-order'
import { renewOrSuspend } from '@vps/api/orders/renew-due'
import { readOrder } from '@vps/api/orders/queries'
import { findPriceGroup } from '@vps/api/catalogue/queries'
import { createDedicatedServer } from '@vps/api/servers/ssh/dedicated-servers'
import { finishTest } from '@vps/api/servers/ssh/test-dedicated'
import type { Vault } from '@vps/api/vault'
import { adjustBalance } from '@vps/api/wallet/adjust-balance'
import { readWallet } from '@vps/api/wallet/queries'
import { fen } from '@vps/shared/money'
import { graceHours } from '@vps/shared/deadlines'
import { placeOrderInput } from '@vps/shared/orders.contract'
import { generatePassword } from '@vps/shared/password'
import { periodEnd } from '@vps/shared/periods'
import { dedicatedServerInput } from '@vps/shared/servers.contract'
import type { Catalogue } from './create-catalogue.js'
import type { DemoHost } from './host.js'
import { recharge, type Recharge } from './recharges.js'

export const day = 86_400_000
const hour = day / 24

type Past = { admin: User; customer: User; host: DemoHost; catalogue: Catalogue; vault: Vault; now: Date }
type Bought = {
  priceGroup: string
  period: 'MONTHLY' | 'QUARTERLY' | 'ANNUAL'
  fate: 'unpaid' | 'cancelled' | 'suspended' | 'expired' | 'running' | 'turned off'
  os?: [name: string, version: string]
  /** Of a dedicated server. */
  ip?: string
}

const dedicated = { cpuCores: 8, memoryGb: 16, storageGb: 480, bandwidthMbps: 100, ipCount: 1 }

/** Recharges in each state, orders in each lasting one, a wallet of ¥1,000.00. */
export async function liveThePast(tx: Tx, past: Past): Promise<void> {
  const { host, now } = past
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
    [26, { priceGroup: plans.hongKongStandard, period: 'MONTHLY', fate: 'running', os: ['Ubuntu', '24.04 LTS'] }],
    [20, { priceGroup: plans.singaporeStandard, period: 'ANNUAL', fate: 'turned off' }],
    [12, { priceGroup: plans.losAngelesOwn, period: 'MONTHLY', fate: 'running', ip: '203.0.113.10' }],
    [6, { priceGroup: plans.losAngelesOwn, period: 'MONTHLY', fate: 'running', ip: '203.0.113.11' }],
    [0.2, { priceGroup: plans.tokyoCompute, period: 'MONTHLY', fate: 'unpaid' }],
  ]
  const possible = orders.filter(([, { ip, fate }]) => host.isSimulated || ip !== undefined || fate === 'unpaid')
  const events = [
    ...recharges.map(([ago, one]) => ({ ago, run: (at: Date) => recharge(tx, past.customer, one, at) })),
    ...possible.map(([ago, one]) => ({ ago, run: (at: Date) => buy(tx, past, one, at) })),
  ]
  // The ledger is a chain, in the order of time.
  for (const { ago, run } of events.toSorted((a, b) => b.ago - a.ago)) await run(new Date(now.getTime() - ago * day))
  await levelWallet(tx, past)
}

/** Days ago: the begin of a month that ended yesterday or the day before. */
function daysOfALapsedMonth(now: Date): number {
  const ended = (ago: number) => periodEnd(new Date(now.getTime() - ago * day), 'MONTHLY', 1).getTime()
  return [29, 30, 31, 32, 33].find((ago) => ended(ago) <= now.getTime() - day) ?? 33
}

async function buy(tx: Tx, past: Past, bought: Bought, at: Date): Promise<void> {
  const { customer, host, vault, catalogue } = past
  const machine = bought.ip ? await enterMachine(tx, past, bought.ip, at) : null
  const priceGroup = await findPriceGroup(tx, catalogue.priceGroupIds.get(bought.priceGroup) ?? '')
  if (!priceGroup) throw new Error(`the demo sells no ${bought.priceGroup}`)
  const [osName, osVersion] = bought.os ?? ['Debian', '12']
  const input = placeOrderInput.parse({
    ...(bought.ip ? dedicated : priceGroup.included),
    priceGroupId: priceGroup.id,
    billingPeriod: bought.period,
    osName,
    osVersion,
    autoRenewal: bought.fate === 'running' || bought.fate === 'turned off',
  })
  const secrets = [vault.seal(generatePassword((below) => randomInt(below)))]
  const { id: orderId } = await placeOrder(tx, customer, { ...input, secrets }, at)
  if (bought.fate === 'unpaid') return
  await payOrder(tx, customer, { id: orderId }, at)
  if (bought.fate === 'cancelled') return cancelOrder(tx, customer, orderId, new Date(at.getTime() + 1_000))
  await host.work(at)
  if (machine) await finishTest(tx, machine, null)
  await meetFate(tx, past, { orderId, fate: bought.fate }, at)
}

async function meetFate(tx: Tx, { customer, host }: Past, order: { orderId: string; fate: Bought['fate'] }, at: Date) {
  const { orderId, fate } = order
  const { view } = await readOrder(tx, { id: customer.id, isAdmin: false }, { id: orderId }, at)
  const { serverId, expiresAt } = view
  if (fate === 'turned off' && serverId) {
    const act = { kind: 'stop', force: false } as const
    const later = new Date(at.getTime() + 2 * hour)
    await actOnServer(tx, customer, { serverId, orderId, act, secret: null }, later)
    await host.work(later)
  }
  if ((fate !== 'suspended' && fate !== 'expired') || expiresAt === null) return
  const ended = new Date(expiresAt)
  await renewOrSuspend(tx, orderId, ended)
  await host.work(ended)
  if (fate === 'suspended') return
  const gone = new Date(ended.getTime() + graceHours * hour)
  await expireOrder(tx, orderId, gone)
  await host.work(gone)
}

/** Reached once when it was sold, and not since. */
async function enterMachine(tx: Tx, { admin, catalogue, vault }: Past, ip: string, at: Date): Promise<string> {
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
  const secret = vault.seal(generatePassword((below) => randomInt(below)))
  const id = await createDedicatedServer(tx, admin, { ...input, secret }, at)
  const figures = { cpuUsage: null, memoryUsage: null, diskUsage: null, uptimeSeconds: null }
  await finishTest(tx, id, { hostKey: 'demo', ...figures })
  return id
}

async function levelWallet(tx: Tx, { admin, customer, now }: Past): Promise<void> {
  const balance = (await readWallet(tx, customer.id))?.balance ?? 0
  const amount = fen(100_000 - balance)
  await adjustBalance(tx, admin, { userId: customer.id, amount, reason: '演示账户余额调整' }, now)
}
