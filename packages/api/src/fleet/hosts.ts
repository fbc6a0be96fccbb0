import { createHash, randomBytes } from 'node:crypto'
import type { FindingFacts } from '@vps/shared/finding-facts'
import { heldSeconds } from '@vps/shared/agent'
import type { AgentIdentity, HostCapacity } from '@vps/shared/agent.contract'
import { sql, type Expression, type OnConflictBuilder } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { agent } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import type { DB } from '../db/schema.generated.js'
import { statement, type Given } from '../db/statement.js'
import { inTx } from '../db/tx.js'
import { fail } from '../errors.js'
import { recordFinding } from '../findings/findings.js'
import { silentSeconds } from './is-alive.js'
import { markBack } from './lost.js'
import { forwardingOf } from './nat-pools.js'
import { refuseOwnProtocol, refuseProtocol } from './protocol.js'

export type Host = {
  id: string
  name: string
  instanceId: string | null
  machineId: string | null
  /** By the database's clock; null: never. */
  silentSeconds: number | null
}

export const hashHostToken = (token: string) => createHash('sha256').update(token).digest()

/** 256 bits, base64url. */
export const newHostToken = () => randomBytes(32).toString('base64url')

/** Keeps only the token's hash. */
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

type Enrolment = AgentIdentity & {
  enrolmentToken: string
  hostToken?: string | undefined
  hostname: string
  capacity: HostCapacity
}

/**
 * Gives the host's own token. UNAUTHENTICATED for a used, old or unknown one, except by the agent that used it: its
 * answer was lost.
 */
export async function enrolHost(tx: Tx, input: Enrolment, now: Date) {
  refuseProtocol(input)
  const host = await tx
    .selectFrom('hosts')
    .select(['id', 'name', 'status'])
    .where('enrolment_hash', '=', hashHostToken(input.enrolmentToken))
    .where('enrolment_expires_at', '>', now)
    .where('status', '<>', 'RETIRED')
    .forUpdate()
    .executeTakeFirst()
  if (!host) return enrolledBefore(tx, input)
  const hostToken = input.hostToken ?? newHostToken()
  await tx
    .updateTable('hosts')
    .set({
      ...atLeastUsed(input.capacity),
      forwards_ports: (await forwardingOf(tx, host.id, input.capacity)).works,
      // Drained or maintained hosts stay so on a new machine.
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
  if (host.status === 'LOST') await markBack(tx, host.id, now)
  const details = { hostname: input.hostname, machineId: input.machineId, ...input.capacity }
  await recordAudit(tx, agent, { action: 'host.enrol', subject: { kind: 'host', id: host.id }, details }, now)
  return { hostId: host.id, hostName: host.name, hostToken }
}

async function enrolledBefore(tx: Tx, { hostToken, machineId }: Enrolment) {
  const host = hostToken === undefined ? null : await findHostByToken(tx, hostToken)
  if (!hostToken || host?.machineId !== machineId) fail('UNAUTHENTICATED')
  return { hostId: host.id, hostName: host.name, hostToken }
}

/** A shrunken host counts what is held: refusing its reports would hide all else. */
export function atLeastUsed(capacity: HostCapacity) {
  const { cpuCores, memoryMb, diskGb } = capacity
  return {
    hypervisor: capacity.hypervisor,
    hypervisor_version: capacity.hypervisorVersion,
    cpu_cores: sql<number>`greatest(${cpuCores}::int, ceil(used_cpu / cpu_overcommit)::int)`,
    memory_mb: sql<number>`greatest(${memoryMb}::bigint, used_memory_mb + reserved_memory_mb)`,
    disk_gb: sql<number>`greatest(${diskGb}::bigint, used_disk_gb)`,
    boots_uefi: capacity.bootsUefi ?? false,
    bridges: capacity.bridges ?? null,
  }
}

/** The bearer token's host, or null. */
export async function findHostByToken(db: Db, token: string): Promise<Host | null> {
  const [host] = await hostOf(db, { hash: hashHostToken(token) })
  return host ?? null
}

const hostOf = statement((db, given: Given<{ hash: Buffer }>) => hostsOfToken(db, given('hash')))

/** One or none; what else is asked costs no statement. */
export function hostsOfToken(db: Db, hash: Buffer | Expression<Buffer>) {
  return db
    .selectFrom('hosts as h')
    .leftJoin('host_heartbeats as b', 'b.host_id', 'h.id')
    .select(['h.id', 'h.name', 'h.instance_id as instanceId', 'h.machine_id as machineId'])
    .select(silentSeconds.as('silentSeconds'))
    .where('h.token_hash', '=', hash)
    .where('h.status', '<>', 'RETIRED')
}

/** Reports come every 10 s. */
const aliveSeconds = 12

/**
 * One start of one machine speaks for a host until it is silent or its own next start replaces it. Others get
 * HOST_TAKEN and ask again; two alive are a finding. PROTOCOL_TOO_OLD, PROTOCOL_TOO_NEW: of its own agent a finding.
 */
export async function admitAgent(db: Db, host: Host, identity: AgentIdentity, now: Date): Promise<void> {
  const stranger = host.machineId !== identity.machineId
  const isAdmitted = !stranger && host.instanceId === identity.instanceId
  if (isAdmitted || (!stranger && isFreeFor(identity, host))) {
    await refuseOwnProtocol(db, host.id, identity, now)
    if (isAdmitted || (await replaceAgent(db, host, identity, now))) return
  }
  if (stranger || (host.silentSeconds ?? 0) < aliveSeconds) {
    const details: FindingFacts = { machineId: identity.machineId, instanceId: identity.instanceId }
    const finding = { hostId: host.id, kind: 'second-agent', subject: identity.machineId, details } as const
    // In its own transaction: the refusal leaves it.
    await inTx(db, (tx) => recordFinding(tx, finding, now))
  }
  refuseProtocol(identity)
  fail('HOST_TAKEN')
}

function isFreeFor({ before }: AgentIdentity, { instanceId, silentSeconds }: Host): boolean {
  return instanceId === null || before.includes(instanceId) || silentSeconds === null || silentSeconds > heldSeconds
}

async function replaceAgent(db: Db, host: Host, identity: AgentIdentity, now: Date): Promise<boolean> {
  const { instanceId, agentVersion } = identity
  const heard = await db
    .with('taken', (cte) =>
      cte
        .updateTable('hosts')
        .set({ instance_id: instanceId, agent_version: agentVersion, updated_at: now })
        .where('id', '=', host.id)
        .where((eb) =>
          eb.or([eb('instance_id', 'is not distinct from', host.instanceId), eb('instance_id', '=', instanceId)]),
        )
        .returning('id'),
    )
    .insertInto('host_heartbeats')
    .columns(['host_id', 'last_seen_at'])
    .expression((eb) => eb.selectFrom('taken').select(['id', sql<Date>`clock_timestamp()`.as('at')]))
    .onConflict(heardAgain)
    .executeTakeFirst()
  return (heard.numInsertedOrUpdatedRows ?? 0n) > 0n
}

const heardAgain = (conflict: OnConflictBuilder<DB, 'host_heartbeats'>) =>
  conflict.column('host_id').doUpdateSet((eb) => ({ last_seen_at: eb.ref('excluded.last_seen_at') }))

/** By the database's clock. */
export async function updateLastSeen(tx: Tx, hostId: string): Promise<void> {
  await tx
    .insertInto('host_heartbeats')
    .values({ host_id: hostId, last_seen_at: sql`clock_timestamp()` })
    .onConflict(heardAgain)
    .execute()
}
