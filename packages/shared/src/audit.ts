export const actorKinds = ['user', 'admin', 'agent', 'timer', 'gateway', 'command'] as const
export type ActorKind = (typeof actorKinds)[number]
