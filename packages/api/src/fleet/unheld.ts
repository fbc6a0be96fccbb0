import type { Inventory } from '@vps/shared/agent.contract'
import type { Forwarding } from './nat-pools.js'

/**
 * What a host cannot do: hold machines to their addresses and bandwidth (older agents tell nothing), forward ports of
 * shared addresses, reach its pools' networks, or start any machine.
 */
export function unheldFindings(
  hostId: string,
  { capacity, domains }: Pick<Inventory, 'capacity' | 'domains'>,
  { hasPool, works, missing, missingBridges }: Forwarding & { missingBridges: readonly string[] },
) {
  const whole = { subject: hostId, details: {} }
  return [
    ...(capacity.addressGuard === 'none' ? [{ kind: 'no-address-guard' as const, ...whole }] : []),
    ...(capacity.limitsBandwidth === false ? [{ kind: 'no-bandwidth-limit' as const, ...whole }] : []),
    ...(hasPool && !works
      ? [{ kind: 'no-port-forwarding' as const, ...whole, details: missing.length > 0 ? { gateways: missing } : {} }]
      : []),
    ...(missingBridges.length > 0
      ? [{ kind: 'no-bridge' as const, ...whole, details: { bridges: missingBridges } }]
      : []),
    ...(capacity.kvmWorks === false ? [{ kind: 'no-kvm' as const, ...whole }] : []),
    ...domains
      .filter(({ guarded }) => guarded === false)
      .map(({ uuid, name }) => ({ kind: 'unguarded-domain' as const, subject: uuid, details: { name } })),
  ]
}
