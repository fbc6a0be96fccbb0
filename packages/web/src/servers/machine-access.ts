import { generatePassword } from '@vps/shared/password'
import { sshPortFault, sshPorts } from '@vps/shared/servers'
import { randomBelow } from '../api/random'

export const makePassword = () => generatePassword(randomBelow)

export const makePort = () => String(sshPorts.min + randomBelow(sshPorts.max - sshPorts.min + 1))

/** Null where it is right; a blank one is no port. */
export const typedPortFault = (typed: string): string | null =>
  typed.trim() === '' ? null : sshPortFault(Number(typed))
