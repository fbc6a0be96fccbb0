import type { Logger } from 'pino'
import type { Config } from '../config.js'
import type { MetricEngine } from '../metric-engine.js'
import { below, toPlace } from './place.js'
import { openWriter } from './remote-write.js'
import { readSteps } from './remote-read.js'

/** Null where our database keeps metrics. */
export function configuredEngine({ metricsUrl, metricsWriteUrl }: Config, log: Logger): MetricEngine | null {
  if (metricsUrl === null) return null
  const place = toPlace(metricsUrl)
  const writer = openWriter(metricsWriteUrl === null ? below(place, 'api/v1/write') : toPlace(metricsWriteUrl), log)
  return {
    ...writer,
    readSteps: (asked) => readSteps(below(place, 'api/v1/query_range'), log, asked),
  }
}
