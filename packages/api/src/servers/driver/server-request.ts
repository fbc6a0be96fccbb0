import type { NatPool } from '@vps/shared/nat'
import type { MachineTerms, ServerDriver, ServerSpec } from '@vps/shared/servers'
import type { OfferedImage } from '../../catalogue/queries.js'

export type Tenant = { orderId: string; orderNumber: string; userId: string; secretId: string }

export type ServerRequest = {
  groupId: string
  groupName: string
  spec: ServerSpec
  terms: MachineTerms
  image: OfferedImage
  sshPort: number
  sshKeys: string[]
  hasDedicatedServers: boolean
}

type Made = {
  driver: ServerDriver
  name: string
  username: string
  sshPort: number
  address: string | null
  nat: NatPool | null
}

export type Reservation = {
  serverId: string
  made: Made | null
}
