import { protocolRefusal, servedProtocols } from '@vps/shared/agent'
import type { AgentIdentity } from '@vps/shared/agent.contract'
import { findingKinds } from '@vps/shared/findings'
import type { Db } from '../db/client.js'
import { inTx } from '../db/tx.js'
import { fail } from '../errors.js'
import { reconcileFindings } from '../findings/findings.js'

/** PROTOCOL_TOO_OLD, which ends an agent; PROTOCOL_TOO_NEW, with which it asks again. */
export function refuseProtocol({ protocol }: AgentIdentity): void {
  const refusal = protocolRefusal(protocol)
  if (refusal) fail(refusal)
}

/**
 * The same of the agent that would speak for a host, by whose token it came: its operators are told why it is silent. The first
 * report of one that is served ends that (report.ts).
 */
export async function refuseOwnProtocol(db: Db, hostId: string, identity: AgentIdentity, now: Date): Promise<void> {
  const { protocol, agentVersion } = identity
  const refusal = protocolRefusal(protocol)
  if (!refusal) return
  const kind = refusal === 'PROTOCOL_TOO_OLD' ? ('outdated-agent' as const) : ('newer-agent' as const)
  const details = { agentVersion, agentProtocol: protocol, servedProtocols: servedProtocols() }
  const seen = [{ kind, subject: hostId, details }]
  // In its own transaction: the refusal leaves it.
  await inTx(db, (tx) => reconcileFindings(tx, { hostId, kinds: findingKinds.protocol, seen }, now))
  fail(refusal)
}
