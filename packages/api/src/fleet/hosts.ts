import { createHash, randomBytes } from 'node:crypto'
import { heldSeconds, protocolVersion } from '@vps/shared/agent'
import type { AgentIdentity, HostCapacity } from '@vps/shared/agent.contract'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { agent } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { inTx } from '../db/tx.js'
import { fail } from '../errors.js'
import { recordFinding } from './findings.js'

export type Host = {
  id: string
  name: string
  instanceId: string | null
  machineId: string | null
  /** Since its agent was heard, by the database's clock; null: never. */
  silentSeconds: number | null
}

export const hashHostToken = (token: string) => createHash('sha256').update(token).digest()

/** A token for a host or its enrolment: 256 bits, base64url. */
export const newHostToken = () => randomBytes(32).toString('base64url')

/** Prepares a host for enrolment with a one-time token, which is kept as its hash only. */
export async function prepareHost(
  tx: Tx,
  host: { name: string; enrolmentToken: string; validSeconds: number },
  now: Date,
): Promise<string> {
  const id = uuidv7()
  await tx
    .insertInto('hosts')
    .values({
      id,
      name: host.name,
      status: 'ENROLLING',
      enrolment_hash: hashHostToken(host.enrolmentToken),
      enrolment_expires_at: new Date(now.getTime() + host.validSeconds * 1000),
      created_at: now,
      updated_at: now,
    })
    .execute()
  return id
}

type Enrolment = AgentIdentity & { enrolmentToken: string; hostname: string; capacity: HostCapacity }

/** Exchanges the one-time token for the host's own. UNAUTHENTICATED for a used, old or unknown one. */
export async function enrolHost(tx: Tx, input: Enrolment, now: Date) {
  refuseOldProtocol(input)
  const host = await tx
    .selectFrom('hosts')
    .select(['id', 'name'])
    .where('enrolment_hash', '=', hashHostToken(input.enrolmentToken))
    .where('enrolment_expires_at', '>', now)
    .where('status', '<>', 'RETIRED')
    .forUpdate()
    .executeTakeFirst()
  if (!host) fail('UNAUTHENTICATED')
  const hostToken = newHostToken()
  await tx
    .updateTable('hosts')
    .set({
      ...atLeastUsed(input.capacity),
      // A host that is drained or maintained stays so when another machine takes its place.
      status: sql`case when status in ('ENROLLING', 'LOST') then 'READY' else status end`,
      token_hash: hashHostToken(hostToken),
      enrolment_hash: null,
      enrolment_expires_at: null,
      machine_id: input.machineId,
      instance_id: input.instanceId,
      agent_version: input.agentVersion,
      updated_at: now,
    })
    .where('id', '=', host.id)
    .execute()
  const details = { hostname: input.hostname, machineId: input.machineId, ...input.capacity }
  await recordAudit(tx, agent, { action: 'host.enrol', subject: { kind: 'host', id: host.id }, details }, now)
  return { hostId: host.id, hostName: host.name, hostToken }
}

/**
 * A host that shrank below what its places hold keeps counting what is held: refusing what it tells would hide
 * everything else. Nothing new is placed there, since nothing is left.
 */
export function atLeastUsed(capacity: HostCapacity) {
  const { cpuCores, memoryMb, diskGb } = capacity
  return {
    hypervisor: capacity.hypervisor,
    hypervisor_version: capacity.hypervisorVersion,
    cpu_cores: sql<number>`greatest(${cpuCores}::int, ceil(used_cpu / cpu_overcommit)::int)`,
    memory_mb: sql<number>`greatest(${memoryMb}::bigint, used_memory_mb + reserved_memory_mb)`,
    disk_gb: sql<number>`greatest(${diskGb}::bigint, used_disk_gb)`,
  }
}

/** The host that a bearer token belongs to, or null. */
export async function findHostByToken(db: Db, token: string): Promise<Host | null> {
  const row = await db
    .selectFrom('hosts')
    .select(['id', 'name', 'instance_id as instanceId', 'machine_id as machineId'])
    .select(sql<number | null>`extract(epoch from clock_timestamp() - last_seen_at)::float8`.as('silentSeconds'))
    .where('token_hash', '=', hashHostToken(token))
    .where('status', '<>', 'RETIRED')
    .executeTakeFirst()
  return row ?? null
}

/** Reports come every 10 s: one that was heard since then is alive. */
const aliveSeconds = 12

/**
 * Lets one start of one machine speak for a host: the first one, until it is silent, or until its own next start says
 * that it is dead. Another one is told HOST_TAKEN and asks again by itself; where both are seen to live, that is a
 * finding. PROTOCOL_TOO_OLD.
 */
export async function admitAgent(db: Db, host: Host, identity: AgentIdentity, now: Date): Promise<void> {
  refuseOldProtocol(identity)
  const stranger = host.machineId !== identity.machineId
  if (!stranger && host.instanceId === identity.instanceId) return
  if (!stranger && isFreeFor(identity, host) && (await replaceAgent(db, host, identity, now))) return
  if (stranger || (host.silentSeconds ?? 0) < aliveSeconds) {
    const details = { machineId: identity.machineId, instanceId: identity.instanceId }
    const finding = { hostId: host.id, kind: 'second-agent', subject: identity.machineId, details } as const
    // By itself: the refusal must not take the finding back.
    await inTx(db, (tx) => recordFinding(tx, finding, now))
  }
  fail('HOST_TAKEN')
}

function isFreeFor({ before }: AgentIdentity, { instanceId, silentSeconds }: Host): boolean {
  return instanceId === null || before.includes(instanceId) || silentSeconds === null || silentSeconds > heldSeconds
}

/** False where another start was quicker. */
async function replaceAgent(db: Db, host: Host, identity: AgentIdentity, now: Date): Promise<boolean> {
  const taken = await db
    .updateTable('hosts')
    .set({
      instance_id: identity.instanceId,
      agent_version: identity.agentVersion,
      last_seen_at: sql`clock_timestamp()`,
      updated_at: now,
    })
    .where('id', '=', host.id)
    // Its first calls come together: to be there already is no failure.
    .where((eb) =>
      eb.or([eb('instance_id', 'is not distinct from', host.instanceId), eb('instance_id', '=', identity.instanceId)]),
    )
    .executeTakeFirst()
  return taken.numUpdatedRows > 0n
}

/** The API serves its own protocol and the one before. */
function refuseOldProtocol({ protocol }: AgentIdentity): void {
  if (protocol < protocolVersion - 1 || protocol > protocolVersion) fail('PROTOCOL_TOO_OLD')
}
