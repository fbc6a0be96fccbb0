import type { Inventory } from '@vps/shared/agent.contract'
import type { Db } from '../db/client.js'
import { hasNatPool } from './nat-pools.js'

/**
 * What a host cannot do that it should: hold machines to their addresses and bandwidth, of which older agents say
 * nothing, and lead the ports of shared addresses, where it has any.
 */
export async function unheldFindings(
  db: Db,
  hostId: string,
  { capacity, domains }: Pick<Inventory, 'capacity' | 'domains'>,
) {
  const cannotForward = !capacity.forwardsPorts && (await hasNatPool(db, hostId))
  const whole = { subject: hostId, details: {} }
  return [
    ...(capacity.addressGuard === 'none' ? [{ kind: 'no-address-guard' as const, ...whole }] : []),
    ...(capacity.limitsBandwidth === false ? [{ kind: 'no-bandwidth-limit' as const, ...whole }] : []),
    ...(cannotForward ? [{ kind: 'no-port-forwarding' as const, ...whole }] : []),
    ...domains
      .filter(({ guarded }) => guarded === false)
      .map(({ uuid, name }) => ({ kind: 'unguarded-domain' as const, subject: uuid, details: { name } })),
  ]
}
