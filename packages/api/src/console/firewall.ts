import { noFirewall, type FirewallState } from '@vps/shared/firewall'
import type { FirewallView } from '@vps/shared/firewall.contract'
import type { Db } from '../db/client.js'
import { fail } from '../errors.js'
import { isAlive } from '../fleet/is-alive.js'
import { hasBusyHere } from '../jobs/is-open.js'

/** What was saved last, and how far it is. NOT_SUPPORTED without a machine of ours. */
export async function readFirewall(db: Db, serverId: string): Promise<FirewallView> {
  const row = await db
    .selectFrom('servers as s')
    .innerJoin('placements as p', (join) => join.onRef('p.server_id', '=', 's.id').on('p.state', '=', 'held'))
    .leftJoin('host_heartbeats as b', 'b.host_id', 'p.host_id')
    .leftJoin('firewalls as f', 'f.server_id', 's.id')
    .select(['s.ssh_port', 'f.firewall', 'f.revision', 'f.applied_revision', isAlive('b').as('isHeard')])
    .select(hasBusyHere('s.id').as('isBusy'))
    .where('s.id', '=', serverId)
    .executeTakeFirst()
  if (!row) fail('NOT_SUPPORTED')
  const { firewall, revision, ssh_port: sshPort } = row
  return { firewall: firewall ?? noFirewall, revision: revision ?? 0, state: stateOf(row), sshPort }
}

type Row = {
  firewall: { enabled: boolean } | null
  revision: number | null
  applied_revision: number | null
  isBusy: boolean
  isHeard: unknown
}

function stateOf({ firewall, revision, applied_revision: applied, isBusy, isHeard }: Row): FirewallState {
  if (!firewall || (applied === revision && !firewall.enabled)) return 'OFF'
  if (applied === revision) return 'APPLIED'
  if (!isBusy) return 'FAILED'
  return isHeard ? 'APPLYING' : 'HOST_AWAY'
}
