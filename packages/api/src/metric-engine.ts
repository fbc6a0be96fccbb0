/** Per cent, bytes a second; load1 of hosts. */
export const figures = ['cpu_usage', 'memory_usage', 'disk_usage', 'rx_rate', 'tx_rate', 'load1'] as const
export type Figure = (typeof figures)[number]
export type Figures = Record<Figure, number | null>

export type MetricSample = Figures & { subjectId: string; atMs: number }

/** Keeps a large fleet's metrics instead of our database; speaks Prometheus' protocols. */
export type MetricEngine = {
  /** Never waits. While the engine is away a bounded number of the newest wait. */
  send(samples: readonly MetricSample[]): void
  /** By subject, means of each step that begins in the time; null: unreadable. */
  readSteps(asked: Steps): Promise<Map<string, Map<number, Partial<Figures>>> | null>
  /** What it made of the last samples, and since when. Null: it took them. */
  trouble(): EngineTrouble | null
  /** What waits is sent once more. */
  close(): Promise<void>
}

export type EngineTrouble = { kind: 'away' | 'refused'; since: Date; dropped: number }

/** `from`, `until`: first moments of the first and last step. */
export type Steps = {
  subjectIds: readonly string[]
  figures: readonly Figure[]
  from: Date
  until: Date
  stepMs: number
}
