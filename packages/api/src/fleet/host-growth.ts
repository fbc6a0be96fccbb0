import { growthDays, type HostGrowth } from '@vps/shared/hosts'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { fail } from '../errors.js'

const dayMs = 86_400_000

/** Places that came in the last `growthDays` days and stayed, less those that went; null: a younger host. NOT_FOUND. */
export async function readHostGrowth(db: Db, id: string, now: Date): Promise<HostGrowth | null> {
  const since = new Date(now.getTime() - growthDays * dayMs)
  const { rows } = await sql<HostGrowth & { known: boolean }>`
    select h.created_at <= ${since} as known, coalesce(sum(m.sign), 0) as servers,
      coalesce(sum(m.sign * m.cpu_cores), 0) as "cpuCores", coalesce(sum(m.sign * m.memory_mb), 0) as "memoryMb",
      coalesce(sum(m.sign * m.disk_gb), 0) as "diskGb"
    from hosts h left join lateral (
      select 1 as sign, cpu_cores, memory_mb, disk_gb from placements
      where host_id = h.id and state <> 'freed' and created_at > ${since}
      union all
      select -1, cpu_cores, memory_mb, disk_gb from placements
      where host_id = h.id and state = 'freed' and freed_at > ${since} and created_at <= ${since}) m on true
    where h.id = ${id} group by h.id`.execute(db)
  const found = rows[0] ?? fail('NOT_FOUND')
  const { known, ...growth } = found
  return known ? growth : null
}
