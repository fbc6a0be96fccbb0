import type { HostLoad } from '@vps/shared/hosts.contract'
import type { MetricRange } from '@vps/shared/servers'
import type { Db } from '../db/client.js'
import { readMeans } from '../metrics/read-means.js'
import { fail } from '../errors.js'

const columns = ['cpuUsage', 'memoryUsage', 'diskUsage', 'load1'] as const

/** NOT_FOUND. */
export async function readHostLoad(db: Db, id: string, range: MetricRange, now: Date): Promise<HostLoad> {
  const host = await db.selectFrom('hosts').select('id').where('id', '=', id).executeTakeFirst()
  if (!host) fail('NOT_FOUND')
  return readMeans(db, { subjectId: id, span: 'all', range, columns, now })
}
