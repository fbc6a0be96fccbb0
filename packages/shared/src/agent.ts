/** tRPC at `/agent`; the agent always calls, with `Bearer {host token}`; `enrol` carries a one-time enrolment token. */
export const protocolVersion = 1

/** By an API that speaks `spoken`: the one before is served too. */
export function protocolRefusal(
  protocol: number,
  spoken: number = protocolVersion,
): 'PROTOCOL_TOO_OLD' | 'PROTOCOL_TOO_NEW' | null {
  if (protocol < spoken - 1) return 'PROTOCOL_TOO_OLD'
  return protocol > spoken ? 'PROTOCOL_TOO_NEW' : null
}

/** There is none before the first. */
export const servedProtocols = (spoken: number = protocolVersion): number[] =>
  [spoken - 1, spoken].filter((one) => one > 0)

export const hypervisors = ['virsh', 'simulated'] as const

/** A failed one is tried again by itself. */
export const transferStatuses = ['waiting', 'running', 'checking', 'failed'] as const

/**
 * `hung`: QEMU answers nobody; `crashed`: it is gone, or did not come; `paused`: by somebody; `io-error`,
 * `disk-full`: its disk could not be written.
 */
export const domainConditions = ['hung', 'crashed', 'paused', 'io-error', 'disk-full'] as const

/** `state`: the agent's own cannot be written; `storage`: what the machines' disks are on is not mounted. */
export const awayKinds = ['libvirt', 'network', 'state', 'storage'] as const

/** After three unheard reports the next agent that asks gets the host. */
export const heldSeconds = 30

/** They stop an agent: no retry. */
export const fatalAgentCodes = ['UNAUTHENTICATED', 'PROTOCOL_TOO_OLD'] as const

/** A file that is no machine's any more, until written over. */
export const wipingEnding = '.wiping'

/** Silence is told before who asked stops waiting. */
export const connectionTestMs = { banner: 6_000, answer: 8_000 } as const
