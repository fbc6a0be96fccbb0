import type { HostLoad } from '@vps/shared/hosts.contract'
import type { MetricRange } from '@vps/shared/servers'
import * as text from '@vps/shared/text'
import type { MetricStore } from '../metrics/samples.js'
import { readMeans } from '../metrics/read-means.js'
import { fail } from '../errors.js'

const columns = ['cpuUsage', 'memoryUsage', 'diskUsage', 'load1'] as const

/** NOT_FOUND, UNAVAILABLE. */
export async function readHostLoad(store: MetricStore, id: string, range: MetricRange, now: Date): Promise<HostLoad> {
  const host = await store.db.selectFrom('hosts').select('id').where('id', '=', id).executeTakeFirst()
  if (!host) fail('NOT_FOUND')
  const means = await readMeans(store, { subjectId: id, span: 'all', range, columns, now })
  return means ?? fail('UNAVAILABLE', { message: text.monitoringReadFailed })
}
