import type { NatPool } from '@vps/shared/nat'
import type { MachineTerms, ServerDriver, ServerSpec } from '@vps/shared/servers'
import type { OfferedImage } from '../../catalogue/queries.js'

/** Who gets a server, with its first password. */
export type Tenant = { orderId: string; orderNumber: string; userId: string; secretId: string }

export type ServerRequest = {
  groupId: string
  groupName: string
  spec: ServerSpec
  terms: MachineTerms
  image: OfferedImage
  sshPort: number
  /** SSH public keys for it. */
  sshKeys: string[]
  /** Else only hosts are asked. */
  hasDedicatedServers: boolean
}

/** What an order shows of a new server. */
type Made = {
  driver: ServerDriver
  name: string
  username: string
  sshPort: number
  address: string | null
  nat: NatPool | null
}

/** A server for an order. */
export type Reservation = {
  serverId: string
  /** Null: to be read. */
  made: Made | null
}
