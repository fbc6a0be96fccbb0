import type { claimInput } from '@vps/shared/agent.contract'
import { CompiledQuery, sql } from 'kysely'
import type * as z from 'zod'
import type { Db } from '../db/client.js'
import { hashHostToken, hostsOfToken, type Host } from '../fleet/hosts.js'
import { dueJobs, heldJobs } from '../jobs/claim.js'
import { openConnectionTests } from '../servers/kvm/connection-tests.js'

type Asked = Pick<z.output<typeof claimInput>, 'instanceId' | 'freeLanes' | 'running'>
type Found = Host & { isDue: boolean }

/**
 * Whose token it is and whether anything is there to be handed out, in one statement: most of a fleet's looks find
 * nothing. Null for an unknown or revoked token. Locks nothing.
 */
export async function findWork(db: Db, token: string, asked: Asked): Promise<Found | null> {
  const row =
    asked.running.length > 0
      ? await look(db, token, asked).executeTakeFirst()
      : (await db.executeQuery<Found>(idleLook(db, token, asked))).rows[0]
  return row ? { ...row, isDue: row.isDue === true } : null
}

function look(db: Db, token: string, { instanceId, freeLanes, running }: Asked) {
  const host = sql.ref<string>('h.id')
  const held = running.map(({ jobId }) => jobId)
  return hostsOfToken(db, token).select((eb) =>
    eb
      .or([
        eb.exists(openConnectionTests(db).where('c.host_id', '=', host)),
        ...(freeLanes > 0 ? [eb.exists(dueJobs(db).where('j.host_id', '=', host))] : []),
        ...(held.length > 0 ? [eb.exists(heldJobs(db, instanceId, held).where('j.host_id', '=', host))] : []),
      ])
      .as('isDue'),
  )
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
