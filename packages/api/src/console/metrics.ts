import type { MetricRange } from '@vps/shared/servers'
import type { MetricSeries } from '@vps/shared/servers.contract'
import type { Db } from '../db/client.js'
import { readMeans } from '../metrics/read-means.js'
import type { Sight } from '../servers/tenancies.js'

const columns = ['cpuUsage', 'memoryUsage', 'diskUsage', 'rxRate', 'txRate'] as const

/** Within sight. */
export function readMetrics(
  db: Db,
  { id, sight }: { id: string; sight: Sight },
  range: MetricRange,
  now: Date,
): Promise<MetricSeries> {
  return readMeans(db, { subjectId: id, span: sight, range, columns, now })
}
