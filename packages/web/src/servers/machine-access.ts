import { generatePassword } from '@vps/shared/password'
import { sshPortFault, sshPorts } from '@vps/shared/servers'
import { randomBelow } from '../api/random'
import { toast } from '../ui/toast'

/** `label`, of its field, is said: behind dots nobody hears that there is another one. */
export function makePassword(label?: string): string {
  if (label) toast(`${label}已生成`)
  return generatePassword(randomBelow)
}

export const makePort = () => String(sshPorts.min + randomBelow(sshPorts.max - sshPorts.min + 1))

/** Blank is null. Wide digits of Chinese type are read, too. */
export const typedPort = (typed: string): number | null =>
  typed.trim() === '' ? null : Number(typed.normalize('NFKC'))

/** Null where it is right, or none. */
export function typedPortFault(typed: string): string | null {
  const port = typedPort(typed)
  return port === null ? null : sshPortFault(port)
}
