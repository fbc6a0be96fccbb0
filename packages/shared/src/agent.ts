/**
 * What an agent and the API say to each other (tRPC at `/agent`). The agent always calls. Authorization: `Bearer {host
 * token}`; `enrol` carries a one-time enrolment token.
 */
export const protocolVersion = 1

export const hypervisors = ['virsh', 'simulated'] as const

/** A failed one is tried again by itself. */
export const transferStatuses = ['waiting', 'running', 'checking', 'failed'] as const

/**
 * `hung`: QEMU answers nobody; `crashed`: QEMU is gone; `paused`: stopped by somebody, `io-error` and `disk-full`
 * because its disk could not be written.
 */
export const domainConditions = ['hung', 'crashed', 'paused', 'io-error', 'disk-full'] as const

/** `state`: what the agent must not forget cannot be written. */
export const awayKinds = ['libvirt', 'network', 'state'] as const

/** Three reports unheard: the host is given to the next agent that asks. */
export const heldSeconds = 30

/** Refusals that stop an agent instead of being retried. */
export const fatalAgentCodes = ['UNAUTHENTICATED', 'PROTOCOL_TOO_OLD'] as const

/** The end of a file's name that is no machine's any more, and goes once it is written over. */
export const wipingEnding = '.wiping'
