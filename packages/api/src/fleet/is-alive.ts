import { livingAgentSeconds } from '@vps/shared/hosts'
import { sql } from 'kysely'

/** Heard within the last minute by the database's clock. */
export const isAlive = (heartbeat: string) =>
  sql<boolean>`coalesce(${sql.ref(`${heartbeat}.last_seen_at`)} > clock_timestamp() - make_interval(secs => ${sql.lit(livingAgentSeconds)}), false)`
