import type { Config } from '../config.js'
import type { Gateway } from '../gateway.js'
import { epayGateway } from './epay/client.js'

/** The gateway that the configuration names; null where it names none. */
export const configuredGateway = ({ epay, allowedNetworks }: Config): Gateway | null =>
  epay && epayGateway({ ...epay, allowed: allowedNetworks })
