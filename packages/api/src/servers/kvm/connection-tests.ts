import { connectionTestMs } from '@vps/shared/agent'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { ConnectionTest } from '@vps/shared/console.contract'
import type { Db, Tx } from '../../db/client.js'
import { publish } from '../../db/tx.js'
import { fail } from '../../errors.js'

const { answer: answerMs } = connectionTestMs

/** One under way is shared. NOT_SUPPORTED without a host. */
export async function enqueueConnectionTest(tx: Tx, serverId: string, now: Date): Promise<string> {
  const target = await tx
    .selectFrom('servers as s')
    .innerJoin('placements as p', (join) => join.onRef('p.server_id', '=', 's.id').on('p.state', '=', 'held'))
    .innerJoin('addresses as a', (join) => join.onRef('a.placement_id', '=', 'p.id').on('a.position', '=', 0))
    .select(['p.host_id', 'a.address', 's.ssh_port'])
    .where('s.id', '=', serverId)
    .forNoKeyUpdate('s')
    .executeTakeFirst()
  if (!target) fail('NOT_SUPPORTED')
  const underWay = await tx
    .selectFrom('connection_tests')
    .select('id')
    .where('server_id', '=', serverId)
    .where('done_at', 'is', null)
    .where('asked_at', '>', new Date(now.getTime() - answerMs))
    .executeTakeFirst()
  if (underWay) return underWay.id
  const id = uuidv7()
  await tx
    .insertInto('connection_tests')
    .values({
      id,
      server_id: serverId,
      host_id: target.host_id,
      address: target.address,
      port: target.ssh_port,
      asked_at: now,
    })
    .execute()
  publish(tx, { host: target.host_id })
  return id
}

const routineAtOnce = 500
/** Under a minute: an early run leaves none out. */
const notLately = sql<Date>`clock_timestamp() - interval '50 seconds'`

/** At most 500 running servers a call; run every minute. */
export async function enqueueRoutineTests(tx: Tx, now: Date): Promise<void> {
  const due = await tx
    .selectFrom('servers as s')
    .innerJoin('placements as p', (join) => join.onRef('p.server_id', '=', 's.id').on('p.state', '=', 'held'))
    .innerJoin('addresses as a', (join) => join.onRef('a.placement_id', '=', 'p.id').on('a.position', '=', 0))
    .select(['s.id as server_id', 'p.host_id', 'a.address', 's.ssh_port as port'])
    .where('s.power', '=', 'on')
    .where('s.install_status', '=', 'COMPLETED')
    .where((eb) => eb.or([eb('s.ssh_checked_at', 'is', null), eb('s.ssh_checked_at', '<', notLately)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('connection_tests as c')
            .select('c.id')
            .whereRef('c.server_id', '=', 's.id')
            .where('c.asked_at', '>', notLately),
        ),
      ),
    )
    .orderBy('s.ssh_checked_at', (order) => order.asc().nullsFirst())
    .limit(routineAtOnce)
    .execute()
  if (due.length === 0) return
  await tx
    .insertInto('connection_tests')
    .values(due.map((target) => ({ id: uuidv7(), ...target, asked_at: now })))
    .execute()
  for (const host of new Set(due.map((target) => target.host_id))) publish(tx, { host })
}

const waitsForHost = sql<boolean>`(handed_at is null and asked_at > clock_timestamp() - interval '30 seconds')`

/** That wait for a host. */
export const openConnectionTests = (db: Db) => db.selectFrom('connection_tests as c').select('c.id').where(waitsForHost)

/** Each is handed out once. */
export async function claimConnectionTests(tx: Tx, hostId: string) {
  const rows = await tx
    .updateTable('connection_tests')
    .set({ handed_at: sql`clock_timestamp()` })
    .where('host_id', '=', hostId)
    .where(waitsForHost)
    .returning(['id', 'address', 'port'])
    .execute()
  return rows
}

type Result = { id: string; sshConnectable: boolean; latencyMs: number | null }

/** Kept also as the server's last state. */
export async function finishConnectionTest(tx: Tx, hostId: string, result: Result): Promise<void> {
  const latency = result.latencyMs === null ? null : Math.round(result.latencyMs)
  const test = await tx
    .updateTable('connection_tests')
    .set({ done_at: sql`clock_timestamp()`, ssh_connectable: result.sshConnectable, latency_ms: latency })
    .where('id', '=', result.id)
    .where('host_id', '=', hostId)
    .returning('server_id')
    .executeTakeFirst()
  if (!test) return
  const server = await tx
    .updateTable('servers')
    .set({ ssh_connectable: result.sshConnectable, ssh_checked_at: sql`clock_timestamp()` })
    .where('id', '=', test.server_id)
    .returning('user_id')
    .executeTakeFirst()
  if (server?.user_id) publish(tx, { user: server.user_id, what: 'monitoring', id: '' })
}

/** At most 8 s. AGENT_TIMEOUT. */
export async function awaitConnectionTest(db: Db, id: string): Promise<ConnectionTest> {
  const until = performance.now() + answerMs
  while (performance.now() < until) {
    const row = await db
      .selectFrom('connection_tests')
      .select(['done_at', 'ssh_connectable', 'latency_ms'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (row?.done_at) {
      return {
        sshConnectable: row.ssh_connectable ?? false,
        latencyMs: row.latency_ms,
        lastCheckTime: row.done_at.toISOString(),
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return fail('AGENT_TIMEOUT')
}

/** Those asked for before a moment. */
export async function deleteConnectionTests(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('connection_tests').where('asked_at', '<', before).execute()
}
