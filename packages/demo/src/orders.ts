import { randomInt } from 'node:crypto'
import type { User } from '@vps/api/actor'
import { findPriceGroup } from '@vps/api/catalogue/queries'
import type { Tx } from '@vps/api/db/client'
import { placeOrder } from '@vps/api/orders/place-order'
import type { Vault } from '@vps/api/vault'
import { placeOrderInput } from '@vps/shared/orders.contract'
import type { Period } from '@vps/shared/periods'
import { generatePassword } from '@vps/shared/password'
import type { ServerSpec } from '@vps/shared/servers'
import type { Catalogue } from './create-catalogue.js'
import type { DemoHosts } from './hosts.js'
import type { Timeline } from './timeline.js'

export const hour = 3_600_000
export const day = 24 * hour

export type Past = {
  admin: User
  hosts: DemoHosts
  catalogue: Catalogue
  vault: Vault
  timeline: Timeline
  now: Date
}

type Wanted = {
  priceGroup: string
  period: Period
  autoRenewal: boolean
  os?: readonly [name: string, version: string] | undefined
  spec?: ServerSpec | undefined
  backups?: number | undefined
}

export const newSecret = (vault: Vault) => vault.seal(generatePassword((below) => randomInt(below)))

/** By default with what its plan includes. */
export async function place(tx: Tx, { catalogue, vault }: Past, customer: User, wanted: Wanted, at: Date) {
  const priceGroup = await findPriceGroup(tx, catalogue.priceGroupIds.get(wanted.priceGroup) ?? '')
  if (!priceGroup) throw new Error(`the demo sells no ${wanted.priceGroup}`)
  const [osName, osVersion] = wanted.os ?? ['Debian', '12']
  const input = placeOrderInput.parse({
    ...(wanted.spec ?? priceGroup.included),
    backups: wanted.backups ?? 0,
    priceGroupId: priceGroup.id,
    billingPeriod: wanted.period,
    osName,
    osVersion,
    autoRenewal: wanted.autoRenewal,
  })
  return placeOrder(tx, customer, { ...input, secrets: [newSecret(vault)] }, at)
}

export const later = (at: Date, ms: number) => new Date(at.getTime() + ms)
