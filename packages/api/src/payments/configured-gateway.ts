import type { Config } from '../config.js'
import type { Gateway } from '../gateway.js'
import { epayGateway } from './epay/client.js'

/** Null where none is configured. */
export const configuredGateway = ({ epay, allowedNetworks }: Config): Gateway | null =>
  epay && epayGateway({ ...epay, allowed: allowedNetworks })
