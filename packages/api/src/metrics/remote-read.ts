import type { Logger } from 'pino'
import * as z from 'zod'
import { figures, type Figures, type Steps } from '../metric-engine.js'
import { answerMs, readBounded } from '../outward.js'
import type { Place } from './place.js'

/** The one metric; figure and subject are labels. */
export const metricName = 'vps_metric'

/** Many times what the longest chart of a list takes. */
const maxBytes = 16 * 1024 * 1024

const matrix = z.object({
  status: z.literal('success'),
  data: z.object({
    resultType: z.literal('matrix'),
    result: z.array(
      z.object({
        metric: z.object({ figure: z.enum(figures), subject: z.string() }),
        values: z.array(z.tuple([z.number(), z.coerce.number()])).max(11_000),
      }),
    ),
  }),
})

const oneOf = (label: string, values: readonly string[]) => `${label}=~"${values.join('|')}"`

/** Means of steps by PromQL, in one question for however many. The engine's mean looks back from a moment: asked a millisecond before the step's end. */
export async function readSteps(
  { url, headers }: Place,
  log: Logger,
  asked: Steps,
): Promise<Map<string, Map<number, Partial<Figures>>> | null> {
  const { from, until, stepMs } = asked
  const lastOfStep = (stepMs - 1) / 1_000
  const query = new URL(url)
  query.search = new URLSearchParams({
    query: `avg_over_time(${metricName}{${oneOf('subject', asked.subjectIds)},${oneOf('figure', asked.figures)}}[${stepMs}ms])`,
    start: String(from.getTime() / 1_000 + lastOfStep),
    end: String(until.getTime() / 1_000 + lastOfStep),
    step: String(stepMs / 1_000),
    // Else VictoriaMetrics moves 50 steps and more to moments of its own.
    nocache: '1',
  }).toString()
  try {
    const reply = await fetch(query, { headers, redirect: 'error', signal: AbortSignal.timeout(answerMs) })
    const { data } = matrix.parse(JSON.parse((await readBounded(reply.body, maxBytes)) ?? 'null'))
    const bySubject = new Map<string, Map<number, Partial<Figures>>>()
    for (const { metric, values } of data.result) {
      const steps = bySubject.get(metric.subject) ?? new Map<number, Partial<Figures>>()
      bySubject.set(metric.subject, steps)
      for (const [seconds, value] of values) {
        const at = Math.round((seconds - lastOfStep) * 1_000)
        steps.set(at, { ...steps.get(at), [metric.figure]: value })
      }
    }
    return bySubject
  } catch (error) {
    log.warn({ err: error }, 'the metrics engine cannot be read')
    return null
  }
}
