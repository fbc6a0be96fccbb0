import type { ServerSpec } from '@vps/shared/servers'
import type { Selectable } from 'kysely'
import type { Images } from '../../db/schema.generated.js'

export type Tenant = { orderId: string; orderNumber: string; userId: string }

export type ServerRequest = {
  groupId: string
  groupName: string
  spec: ServerSpec
  image: Selectable<Images>
  sshPort: number
  secretId: string
}
