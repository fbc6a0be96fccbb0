import type { Role } from '@vps/shared/accounts'

/** Who is signed in. */
export type User = { id: string; username: string; role: Role; sessionId: string }

/** On whose behalf a command changes rows; what the audit log records. */
export type Actor =
  { kind: 'user' | 'admin'; id: string } | { kind: 'agent' | 'timer' | 'gateway' | 'command'; id: null }

export const timer: Actor = { kind: 'timer', id: null }
export const agent: Actor = { kind: 'agent', id: null }
export const gateway: Actor = { kind: 'gateway', id: null }

export function actorOf(user: User): Actor & { id: string } {
  return { kind: user.role === 'ADMIN' ? 'admin' : 'user', id: user.id }
}
