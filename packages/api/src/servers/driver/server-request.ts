import type { ServerSpec } from '@vps/shared/servers'
import type { OfferedImage } from '../../catalogue/queries.js'

export type Tenant = { orderId: string; orderNumber: string; userId: string }

export type ServerRequest = {
  groupId: string
  groupName: string
  spec: ServerSpec
  image: OfferedImage
  sshPort: number
  secretId: string
}
