import { hostStateNames } from '@vps/shared/hosts'
import * as states from '@vps/shared/states'
import type { HostView } from '@vps/shared/hosts.contract'
import { Tag } from '../../../ui/Chip'

/** Whether its agent is heard. */
export function AgentTag({ host }: { host: Pick<HostView, 'alive' | 'lastSeenAt'> }) {
  if (host.alive) return <Tag $tone="success">{states.online}</Tag>
  return host.lastSeenAt ? <Tag $tone="error">{hostStateNames.SILENT}</Tag> : <Tag $tone="neutral">未连接</Tag>
}
