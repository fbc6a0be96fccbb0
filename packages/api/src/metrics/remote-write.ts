import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { EngineTrouble, MetricEngine, MetricSample } from '../metric-engine.js'
import { answerBytes, answerMs, readBounded } from '../outward.js'
import type { Place } from './place.js'

const waitingAtMost = 200_000
const samplesOfRequest = 2_000
const lastTryMs = 3_000
const [leastPauseMs, longestPauseMs] = [1_000, 30_000]

/**
 * One request at a time. While the engine is away samples wait, the oldest dropped beyond a bound; what it refuses is
 * dropped. Either is logged once, until it takes something.
 */
export function openWriter(
  place: Place,
  log: Logger,
  atMost = waitingAtMost,
): Pick<MetricEngine, 'send' | 'trouble' | 'close'> {
  const waiting: MetricSample[] = []
  const closing = new AbortController()
  let sending: Promise<void> | null = null
  let trouble: Omit<EngineTrouble, 'dropped'> | null = null
  let dropped = 0

  async function flush(): Promise<void> {
    for (let pauseMs = leastPauseMs; waiting.length > 0;) {
      const batch = waiting.splice(0, samplesOfRequest)
      const answer = await post(place, batch)
      tell(answer, batch.length)
      if (answer !== 'away') {
        pauseMs = leastPauseMs
        continue
      }
      waiting.unshift(...batch)
      dropOldest()
      if (closing.signal.aborted) break
      await setTimeout(pauseMs, undefined, { ref: false, signal: closing.signal }).catch(() => {})
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
    sending = null
  }

  function dropOldest(): void {
    dropped += waiting.splice(0, Math.max(0, waiting.length - atMost)).length
  }

  function tell(answer: Answer, count: number): void {
    if (answer === 'refused') dropped += count
    if (answer === 'taken' && trouble !== null) {
      log.info({ dropped }, 'the metrics engine takes samples again')
      trouble = null
      dropped = 0
    }
    if (answer === 'taken' || answer === trouble?.kind) return
    trouble = { kind: answer, since: trouble?.since ?? new Date() }
    if (answer === 'away')
      log.warn({ atMost }, 'the metrics engine is away: the newest samples wait, older ones are dropped')
    else log.error('the metrics engine refuses samples: they are dropped')
  }

  return {
    send(samples) {
      // No call takes as many arguments as may wait.
      for (const sample of samples) waiting.push(sample)
      dropOldest()
      sending ??= flush()
    },
    trouble: () => trouble && { ...trouble, dropped },
    async close() {
      closing.abort()
      await Promise.race([sending, setTimeout(lastTryMs, undefined, { ref: false })])
    },
  }
}

type Answer = 'taken' | 'refused' | 'away'

async function post({ url, headers }: Place, samples: readonly MetricSample[]): Promise<Answer> {
  try {
    // Its default: in a bundle, a CommonJS module loaded later has no other names.
    const [{ default: snappy }, { writeRequest }] = await Promise.all([
      import('snappyjs'),
      import('./write-request.js'),
    ])
    const reply = await fetch(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-encoding': 'snappy',
        'content-type': 'application/x-protobuf',
        'user-agent': 'vps-portal',
        'x-prometheus-remote-write-version': '0.1.0',
      },
      body: Buffer.from(snappy.compress(writeRequest(samples))),
      redirect: 'error',
      signal: AbortSignal.timeout(answerMs),
    })
    await readBounded(reply.body, answerBytes)
    // Of whatever stands before it, as while it is maintained.
    const isPage = reply.headers.get('content-type')?.startsWith('text/html') === true
    if (reply.ok) return isPage ? 'away' : 'taken'
    return reply.status >= 500 || reply.status === 429 ? 'away' : 'refused'
  } catch {
    return 'away'
  }
}
