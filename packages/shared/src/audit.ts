/** Who acts: a customer, an operator, a host's agent, a due moment, the payment gateway, or a command on the server. */
export const actorKinds = ['user', 'admin', 'agent', 'timer', 'gateway', 'command'] as const
export type ActorKind = (typeof actorKinds)[number]
