import type { Inventory } from '@vps/shared/agent.contract'
import type { Forwarding } from './nat-pools.js'

/**
 * What a host cannot do: hold machines to their addresses and bandwidth (older agents tell nothing), or forward ports
 * of shared addresses.
 */
export function unheldFindings(
  hostId: string,
  { capacity, domains }: Pick<Inventory, 'capacity' | 'domains'>,
  { hasPool, works, missing }: Forwarding,
) {
  const whole = { subject: hostId, details: {} }
  return [
    ...(capacity.addressGuard === 'none' ? [{ kind: 'no-address-guard' as const, ...whole }] : []),
    ...(capacity.limitsBandwidth === false ? [{ kind: 'no-bandwidth-limit' as const, ...whole }] : []),
    ...(hasPool && !works
      ? [{ kind: 'no-port-forwarding' as const, ...whole, details: missing.length > 0 ? { gateways: missing } : {} }]
      : []),
    ...domains
      .filter(({ guarded }) => guarded === false)
      .map(({ uuid, name }) => ({ kind: 'unguarded-domain' as const, subject: uuid, details: { name } })),
  ]
}
