import { livingAgentSeconds } from '@vps/shared/hosts'
import { sql } from 'kysely'

/** Of heartbeat `b`, by the database's clock. */
export const silentSeconds = sql<number | null>`extract(epoch from clock_timestamp() - b.last_seen_at)::float8`

/** Heard within the last minute by the database's clock. */
export const isAlive = (heartbeat: string) =>
  sql<boolean>`coalesce(${sql.ref(`${heartbeat}.last_seen_at`)} > clock_timestamp() - make_interval(secs => ${sql.lit(livingAgentSeconds)}), false)`

/** Host `h` with heartbeat `b`, if any: heard once and not within the last minute, while somebody should wonder. */
export const isSilent = sql<boolean>`(b.host_id is not null and h.status not in ('LOST', 'RETIRED') and not ${isAlive('b')})`
