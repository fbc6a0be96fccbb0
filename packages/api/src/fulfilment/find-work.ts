import type { claimInput } from '@vps/shared/agent.contract'
import { CompiledQuery, sql, type SqlBool } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type * as z from 'zod'
import type { Db } from '../db/client.js'
import { hashHostToken, hostsOfToken, type Host } from '../fleet/hosts.js'
import { dueJobs, heldJobs, type DueJob } from '../jobs/claim.js'
import { openConnectionTests } from '../servers/kvm/connection-tests.js'

type Asked = Pick<z.output<typeof claimInput>, 'instanceId' | 'freeLanes' | 'running'>
/** `due`: its oldest due job, for which it has a free lane. `hasHeld`: one that an earlier start of it was given. */
export type Found = Host & { due?: DueJob | null; hasTests: SqlBool; hasHeld: SqlBool }

/**
 * Whose token it is and what is there to be handed out, in one statement: most of a fleet's looks find nothing. Null
 * for an unknown or revoked token. Locks nothing.
 */
export async function findWork(db: Db, token: string, asked: Asked): Promise<Found | null> {
  const query = asked.running.length > 0 ? look(db, token, asked).compile() : idleLook(db, token, asked)
  const { rows } = await db.executeQuery<Found>(query)
  return rows[0] ?? null
}

function look(db: Db, token: string, { instanceId, freeLanes, running }: Asked) {
  const host = sql.ref<string>('h.id')
  const held = running.map(({ jobId }) => jobId)
  return hostsOfToken(db, token).select((eb) => [
    eb.exists(openConnectionTests(db).where('c.host_id', '=', host)).as('hasTests'),
    (held.length > 0 ? eb.exists(heldJobs(db, instanceId, held).where('j.host_id', '=', host)) : eb.lit(false)).as(
      'hasHeld',
    ),
    ...(freeLanes > 0 ? [jsonObjectFrom(dueJobs(db).where('j.host_id', '=', host)).as('due')] : []),
  ])
}

const idleLooks = new Map<boolean, { text: string; parameters: readonly unknown[] }>()

/** Asked for every idle host every 5 s: only the token differs, so the text is built once (decision 0065). */
function idleLook(db: Db, token: string, asked: Asked): CompiledQuery<Found> {
  const hasLanes = asked.freeLanes > 0
  let known = idleLooks.get(hasLanes)
  if (!known) {
    const { sql: text, parameters } = look(db, token, asked).compile()
    known = { text, parameters }
    idleLooks.set(hasLanes, known)
  }
  const hash = hashHostToken(token)
  // Of what is filled in, only the token's hash is bytes.
  return CompiledQuery.raw(
    known.text,
    known.parameters.map((value) => (Buffer.isBuffer(value) ? hash : value)),
  )
}
