import type { ServerSpec } from '@vps/shared/servers'
import type { Selectable } from 'kysely'
import type { Images } from '../../db/schema.generated.js'

/** For which order a server is wanted, and whose it will be. */
export type Tenant = { orderId: string; orderNumber: string; userId: string }

/** What is wanted. */
export type ServerRequest = {
  groupId: string
  groupName: string
  spec: ServerSpec
  image: Selectable<Images>
  sshPort: number
  secretId: string
}
