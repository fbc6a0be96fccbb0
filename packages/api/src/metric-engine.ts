/** Per cent, bytes a second; load1 of hosts. */
export const figures = ['cpu_usage', 'memory_usage', 'disk_usage', 'rx_rate', 'tx_rate', 'load1'] as const
export type Figures = Record<(typeof figures)[number], number | null>

/** Of a machine or a host. */
export type MetricSample = Figures & { subjectId: string; atMs: number }

/** Keeps a large fleet's metrics instead of our database; implemented by what speaks Prometheus' protocols. */
export type MetricEngine = {
  /** Never waits. While the engine is away the newest wait, in a bounded number. */
  send(samples: readonly MetricSample[]): void
  /** Means of each step that begins in the time; null where it cannot be read. */
  readSteps(asked: Steps): Promise<Map<number, Partial<Figures>> | null>
  /** What waits is sent once more. */
  close(): Promise<void>
}

/** `from` and `until` are the first moments of the first and the last step. */
export type Steps = { subjectId: string; from: Date; until: Date; stepMs: number }
