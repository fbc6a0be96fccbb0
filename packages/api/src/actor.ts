import type { Role } from '@vps/shared/accounts'

/** `address` is null where unknown, as on a socket. */
export type User = { id: string; username: string; role: Role; sessionId: string; address: string | null }

export type Actor =
  | { kind: 'user' | 'admin'; id: string; address: string | null }
  | { kind: 'agent' | 'timer' | 'gateway' | 'command'; id: null; address?: never }

export const timer: Actor = { kind: 'timer', id: null }
export const agent: Actor = { kind: 'agent', id: null }
export const gateway: Actor = { kind: 'gateway', id: null }

export function actorOf(user: User): Actor & { id: string } {
  return { kind: user.role === 'ADMIN' ? 'admin' : 'user', id: user.id, address: user.address }
}
