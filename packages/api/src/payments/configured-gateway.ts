import type { Config } from '../config.js'
import type { Deps } from '../deps.js'
import type { Gateway, Notice } from '../gateway.js'
import { epayGateway } from './epay/client.js'

type Gateways = Pick<Deps, 'gateway' | 'formerGateway'>

/** Null where none is configured. */
export function configuredGateways({ epay, formerEpay, allowedNetworks: allowed }: Config): Gateways {
  const open = (merchant: Config['epay']) => merchant && epayGateway({ ...merchant, allowed })
  return { gateway: open(epay), formerGateway: open(formerEpay) }
}

/** Where a recharge was begun (decision 0124). Null: no longer configured. */
export function gatewayOf({ gateway, formerGateway }: Gateways, merchant: string | null): Gateway | null {
  // Of the time before it was kept.
  if (merchant === null) return formerGateway ?? gateway
  return [gateway, formerGateway].find((one) => one?.merchant === merchant) ?? null
}

type Known = { kind: 'valid'; gateway: Gateway; notice: Notice } | { kind: 'refused'; reasons: string[] }

/** Whose key signed it. */
export function verifyNotify({ gateway, formerGateway }: Gateways, raw: string): Known {
  const reasons: string[] = []
  for (const one of [gateway, formerGateway]) {
    const verified = one?.verifyNotify(raw)
    if (one && verified?.kind === 'valid') return { kind: 'valid', gateway: one, notice: verified.notice }
    if (verified?.kind === 'refused') reasons.push(verified.reason)
  }
  return { kind: 'refused', reasons }
}
