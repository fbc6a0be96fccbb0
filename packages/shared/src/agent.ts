/**
 * What a host's agent and the API say to each other (tRPC over HTTP at `/agent`). The agent always calls; the API never
 * dials a host. Authorization: `Bearer {host token}`, except `enrol`, which carries a one-time enrolment token.
 */
export const protocolVersion = 1

export const hypervisors = ['virsh', 'simulated'] as const

/** Where an image is on its way to a host: its turn, its bytes, its checksum; a failed one is tried again by itself. */
export const transferStatuses = ['waiting', 'running', 'checking', 'failed'] as const

/**
 * What keeps a machine from being what its power says. `hung`: its QEMU answers nobody; `crashed`: its QEMU is gone;
 * `paused`: somebody or something has stopped it, `io-error` and `disk-full` because its disk could not be written.
 */
export const domainConditions = ['hung', 'crashed', 'paused', 'io-error', 'disk-full'] as const

/** What a host must wait for before it can do or tell anything of its machines. */
export const awayKinds = ['libvirt', 'network'] as const

/** An agent that was not heard for so long, three reports, has given up its host to the next one that asks. */
export const heldSeconds = 30

/** Codes of refusals that an agent must tell apart: these stop it instead of being retried. */
export const fatalAgentCodes = ['UNAUTHENTICATED', 'PROTOCOL_TOO_OLD'] as const
