import type { Inventory } from '@vps/shared/agent.contract'

/** Limits that a host cannot enforce: own addresses, sold bandwidth. Older agents say nothing. */
export function unheldFindings(hostId: string, { capacity, domains }: Pick<Inventory, 'capacity' | 'domains'>) {
  const whole = { subject: hostId, details: {} }
  return [
    ...(capacity.addressGuard === 'none' ? [{ kind: 'no-address-guard' as const, ...whole }] : []),
    ...(capacity.limitsBandwidth === false ? [{ kind: 'no-bandwidth-limit' as const, ...whole }] : []),
    ...domains
      .filter(({ guarded }) => guarded === false)
      .map(({ uuid, name }) => ({ kind: 'unguarded-domain' as const, subject: uuid, details: { name } })),
  ]
}
