import type { MetricRange } from '@vps/shared/servers'
import type { MetricSeries } from '@vps/shared/servers.contract'
import * as text from '@vps/shared/text'
import { fail } from '../errors.js'
import { readMeans } from '../metrics/read-means.js'
import type { MetricStore } from '../metrics/samples.js'
import type { Sight } from './access.js'

const columns = ['cpuUsage', 'memoryUsage', 'diskUsage', 'rxRate', 'txRate'] as const

/** Within sight. UNAVAILABLE. */
export async function readMetrics(
  store: MetricStore,
  { id, sight }: { id: string; sight: Sight },
  range: MetricRange,
  now: Date,
): Promise<MetricSeries> {
  const means = await readMeans(store, { subjectId: id, span: sight, range, columns, now })
  return means ?? fail('UNAVAILABLE', { message: text.monitoringReadFailed })
}
