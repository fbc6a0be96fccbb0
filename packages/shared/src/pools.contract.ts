import * as z from 'zod'
import { label, plain } from './fields.contract.js'
import { bridge, vlan } from './hosts.contract.js'
import { mostPortsEach, natPortRange } from './nat.js'
import { portBlock } from './nat.contract.js'
import { pageInput } from './page.contract.js'
import * as text from './text.js'

export const poolView = z.object({
  id: z.uuid(),
  name: z.string(),
  network: z.string(),
  gateway: z.string().nullable(),
  dns: z.array(z.string()),
  firstAddress: z.string().nullable(),
  lastAddress: z.string().nullable(),
  bridge: z.string().nullable(),
  /** Per server of an IPv6 network: 64, its own prefix; null, one address. */
  machinePrefix: z.literal(64).nullable(),
  /** `ports`: of each machine. */
  nat: z.object({ address: z.string(), firstPort: z.int(), lastPort: z.int(), ports: z.int() }).nullable(),
  total: z.int(),
  used: z.int(),
  reserved: z.int(),
  hosts: z.array(z.string()),
  version: z.int(),
})
export type PoolView = z.infer<typeof poolView>
const address = plain().pipe(z.union([z.ipv4(), z.ipv6()], { error: text.badIpAddress }))
const badPort = { error: `端口需为${natPortRange.min}-${natPortRange.max}的整数` }
const badPorts = { error: `每个地址的端口数需为1-${mostPortsEach}的整数` }
/** Of a private IPv4 network. */
const natInput = z.object({
  address: plain().pipe(z.ipv4({ error: text.badIpAddress })),
  firstPort: z.int(badPort).min(natPortRange.min, badPort).max(natPortRange.max, badPort),
  ports: z.int(badPorts).min(1, badPorts).max(mostPortsEach, badPorts),
})
const optionalAddress = address.nullish().transform((at) => at ?? null)
/** May change while in use; servers keep theirs until a reinstall. */
const poolSettings = {
  name: label,
  gateway: optionalAddress,
  dns: z.array(address).max(4).default([]),
  /** Null: as each host says. */
  bridge,
  vlan,
}
/**
 * At most 4,096 addresses, without gateway, network and broadcast; of 64 prefixes the first address each, without
 * network and gateway.
 */
export const poolInput = z.object({
  ...poolSettings,
  network: plain({ error: text.required }).pipe(z.union([z.cidrv4(), z.cidrv6()], { error: text.badNetwork })),
  firstAddress: optionalAddress,
  lastAddress: optionalAddress,
  machinePrefix: z
    .literal(64)
    .nullish()
    .transform((length) => length ?? null),
  nat: natInput.nullish().transform((nat) => nat ?? null),
})
export type PoolInput = z.infer<typeof poolInput>
/** With the `version` read, else CONFLICT. */
export const updatePoolInput = z.object({ id: z.uuid(), ...poolSettings, version: z.int().optional() })
/** Who has it. */
export const addressView = z.object({
  address: z.string(),
  poolName: z.string(),
  state: z.enum(['free', 'used', 'releasing', 'reserved']),
  serverId: z.uuid().nullable(),
  serverName: z.string().nullable(),
  orderId: z.uuid().nullable(),
  orderNumber: z.string().nullable(),
})
export type AddressView = z.infer<typeof addressView>

/** `text`: IPv4 with or without a port, or IPv6. */
export const addressHistoryInput = pageInput.extend({ text: z.string().trim().max(60) })

/** `until` null: still. */
export const addressTermView = z.object({
  address: z.string(),
  ports: portBlock.nullable(),
  serverId: z.uuid(),
  serverName: z.string(),
  orderId: z.uuid().nullable(),
  orderNumber: z.string().nullable(),
  ownerId: z.uuid().nullable(),
  ownerName: z.string().nullable(),
  from: z.iso.datetime(),
  until: z.iso.datetime().nullable(),
})
export type AddressTermView = z.infer<typeof addressTermView>
