import { backupKinds, jobKinds, leaseSeconds } from '@vps/shared/jobs'
import { sql, type Expression, type Selectable, type SqlBool } from 'kysely'
import type { Db, Tx } from '../db/client.js'
import { isOneOf } from '../db/page.js'
import type { Jobs } from '../db/schema.generated.js'
import { withAttempt } from './log-line.js'

export type JobRow = Selectable<Jobs>
export type DueJob = Pick<JobRow, 'id' | 'order_id' | 'kind'>
/** With its owner, and its sealed password. */
export type ClaimedRow = JobRow & { owner_id: string | null; sealed: string | null }

const ownerId = sql<string | null>`(select user_id from servers where id = jobs.server_id)`.as('owner_id')
const sealedPassword = sql<string | null>`(select value_enc from machine_secrets where id = jobs.secret_id)`.as(
  'sealed',
)
export const leaseEnd = sql<Date>`clock_timestamp() + make_interval(secs => ${leaseSeconds})`

/**
 * Those whose server has none running, by age. Of those that move whole disks one per host, and per repository except
 * readers: restic waits for no lock. Locks nothing.
 */
export function dueJobs(db: Db) {
  return db
    .selectFrom('jobs as j')
    .select(['j.id', 'j.order_id', 'j.kind'])
    .where('j.status', '=', 'QUEUED')
    .where('j.kind', 'in', jobKinds) // others are a later version's
    .where('j.run_at', '<=', sql<Date>`clock_timestamp()`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs as r')
            .select('r.id')
            .whereRef('r.server_id', '=', 'j.server_id')
            .whereRef('r.host_id', 'is not distinct from', 'j.host_id')
            .where('r.status', '=', 'RUNNING'),
        ),
      ),
    )
    .where(({ eb, not, and, exists, selectFrom }) =>
      not(
        and([
          eb('j.kind', 'in', backupKinds),
          exists(
            selectFrom('jobs as b')
              .select('b.id')
              .where((eb) =>
                eb.or([
                  eb('b.host_id', '=', eb.ref('j.host_id')),
                  eb.and([
                    eb(repositoryOf('b'), '=', repositoryOf('j')),
                    eb.not(eb.and([eb('b.kind', '=', 'restore'), eb('j.kind', '=', 'restore')])),
                  ]),
                ]),
              )
              .where('b.status', '=', 'RUNNING')
              .where('b.kind', 'in', backupKinds),
          ),
        ]),
      ),
    )
    .orderBy('j.run_at')
    .limit(1)
}

const repositoryOf = (job: 'j' | 'b') =>
  sql<string>`coalesce(${sql.ref(`${job}.payload`)}->>'from', ${sql.ref(`${job}.server_id`)}::text)`

/** The oldest due one (null: of our ssh worker). */
export async function findNextJob(tx: Tx, hostId: string | null): Promise<DueJob | null> {
  const due = await dueJobs(tx)
    .where((eb) => (hostId === null ? eb('j.host_id', 'is', null) : eb('j.host_id', '=', hostId)))
    .executeTakeFirst()
  return due ?? null
}

/** Only this attempt may beat and finish. Null when taken or superseded. */
export async function claimJob(tx: Tx, id: string, instanceId: string, now: Date): Promise<ClaimedRow | null> {
  const job = await tx
    .updateTable('jobs')
    .set((eb) => ({
      status: 'RUNNING',
      attempt: eb('attempt', '+', 1),
      lease_until: leaseEnd,
      instance_id: instanceId,
      steps: '[]',
      percentage: 0,
      started_at: eb.fn.coalesce('started_at', eb.val(now)),
      log: withAttempt('开始'),
    }))
    .where('id', '=', id)
    .where('status', '=', 'QUEUED')
    .returningAll()
    .returning([ownerId, sealedPassword])
    .executeTakeFirst()
  return job ?? null
}

/** Those running under an earlier start. Locks nothing. */
export function heldJobs(db: Db, instanceId: string | Expression<string>, jobIds: readonly string[]) {
  return db
    .selectFrom('jobs as j')
    .select(['j.id', 'j.order_id', 'j.kind'])
    .where(isOneOf('j.id', jobIds))
    .where('j.status', '=', 'RUNNING')
    .where('j.kind', 'in', jobKinds) // others are a later version's
    .where('j.instance_id', 'is distinct from', instanceId)
    .limit(1)
}

/** Still this host's. */
export async function findHeldJob(
  tx: Tx,
  hostId: string,
  instanceId: string,
  jobIds: readonly string[],
): Promise<DueJob | null> {
  if (jobIds.length === 0) return null
  const held = await heldJobs(tx, instanceId, jobIds).where('j.host_id', '=', hostId).executeTakeFirst()
  return held ?? null
}

/** What an agent says that it holds. */
type Named = readonly { jobId: string; attempt: number }[]

/** Given to this very start in a reply that it never heard: it names all that it holds. Locks nothing. */
export function unheardJobs(
  db: Db,
  hostId: string | Expression<string>,
  instanceId: string | Expression<string>,
  named: Named,
) {
  const ids = named.map(({ jobId }) => jobId)
  const attempts = named.map(({ attempt }) => attempt)
  return db
    .selectFrom('jobs')
    .where('host_id', '=', hostId)
    .where('status', '=', 'RUNNING')
    .where('instance_id', '=', instanceId)
    .where('kind', 'in', jobKinds) // others are a later version's
    .where(sql<SqlBool>`(id, attempt) not in (select * from unnest(${ids}::uuid[], ${attempts}::int[]))`)
    .limit(1)
}

/** As it was given, which is harmless twice. Its lease goes on: one whose replies are always lost ends, too. */
export async function findUnheard(
  tx: Tx,
  hostId: string,
  instanceId: string,
  named: Named,
): Promise<ClaimedRow | null> {
  const query = unheardJobs(tx, hostId, instanceId, named).selectAll('jobs').select([ownerId, sealedPassword])
  return (await query.orderBy('lease_until').executeTakeFirst()) ?? null
}

/** With a new attempt number, before the lease ends. Null when not this host's, or this instance's and alive. */
export async function reclaim(tx: Tx, hostId: string, instanceId: string, id: string): Promise<ClaimedRow | null> {
  const job = await tx
    .updateTable('jobs')
    .set((eb) => ({
      attempt: eb('attempt', '+', 1),
      lease_until: leaseEnd,
      instance_id: instanceId,
      log: withAttempt('代理重启后继续'),
    }))
    .where('id', '=', id)
    .where('host_id', '=', hostId)
    .where('status', '=', 'RUNNING')
    .where('instance_id', 'is distinct from', instanceId)
    .returningAll()
    .returning([ownerId, sealedPassword])
    .executeTakeFirst()
  return job ?? null
}
