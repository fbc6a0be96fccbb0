import { livingAgentSeconds } from '@vps/shared/hosts'
import { sql } from 'kysely'

/** Heard within the last minute by the database's clock. */
export const isAlive = (host = 'hosts') =>
  sql<boolean>`coalesce(${sql.ref(`${host}.last_seen_at`)} > clock_timestamp() - make_interval(secs => ${sql.lit(livingAgentSeconds)}), false)`
