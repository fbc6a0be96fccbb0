/**
 * Steps that grow with age (decision 0063): samples of 10 s for two hours, means of a minute for two days, of 15
 * minutes for 60 days, of an hour for two years, kept by `keep_metric_partitions`.
 */
export type Level = {
  name: 'minute' | 'quarter' | 'hour'
  table: 'minute_means' | 'quarter_means' | 'hour_means'
  stepSeconds: number
  chunkSeconds: number
  keptDays: number
}

export const sampleHours = 2

export const levels = {
  minute: { name: 'minute', table: 'minute_means', stepSeconds: 60, chunkSeconds: 3_600, keptDays: 2 },
  quarter: { name: 'quarter', table: 'quarter_means', stepSeconds: 900, chunkSeconds: 86_400, keptDays: 60 },
  hour: { name: 'hour', table: 'hour_means', stepSeconds: 3_600, chunkSeconds: 86_400, keptDays: 730 },
} as const satisfies Record<string, Level>
