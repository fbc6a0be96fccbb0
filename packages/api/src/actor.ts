import type { Role } from '@vps/shared/accounts'

/** Who is signed in, and the address this call came from (null where it is not known, as on a socket). */
export type User = { id: string; username: string; role: Role; sessionId: string; address: string | null }

/** On whose behalf a command changes rows; what the audit log records. */
export type Actor =
  | { kind: 'user' | 'admin'; id: string; address: string | null }
  | { kind: 'agent' | 'timer' | 'gateway' | 'command'; id: null; address?: never }

export const timer: Actor = { kind: 'timer', id: null }
export const agent: Actor = { kind: 'agent', id: null }
export const gateway: Actor = { kind: 'gateway', id: null }

export function actorOf(user: User): Actor & { id: string } {
  return { kind: user.role === 'ADMIN' ? 'admin' : 'user', id: user.id, address: user.address }
}
