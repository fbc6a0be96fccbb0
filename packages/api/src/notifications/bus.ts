import pg from 'pg'
import type { Logger } from 'pino'
import { sameHint, type Hint } from './notification.js'

const channel = 'hints'
/** A notification carries at most 8,000 bytes. */
const payloadBytes = 7_000

export type HintBus = {
  /** Sends at once when none is under way, else together with what came meanwhile; the same hint twice goes once. Never throws. */
  send(hints: readonly Hint[]): void
  /** Called for every hint of any process, and with `null` when hints may have been lost (a new connection). */
  listen(listener: (hint: Hint | null) => void): () => void
  /** Called for every hint of this process when it is sent: what it has changed, it may know before the others. */
  listenSent(listener: (hint: Hint) => void): void
  close(): Promise<void>
}

/**
 * Hints travel over one connection per process, apart from the transactions: a NOTIFY inside every money transaction was
 * measured to halve their throughput (decisions, "Background work"). A broken connection is opened again.
 */
export async function openHintBus(connectionString: string, log: Logger): Promise<HintBus> {
  const listeners = new Set<(hint: Hint | null) => void>()
  const sentListeners = new Set<(hint: Hint) => void>()
  const waiting = new Map<string, Hint>()
  let client: pg.Client | null = null
  let closed = false
  let sending: Promise<void> | null = null
  let reconnect: NodeJS.Timeout | null = null

  const tell = (hint: Hint | null) => {
    for (const listener of listeners) listener(hint)
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString, application_name: 'vps-hints' })
    const lost = () => {
      if (client !== next || closed) return
      client = null
      reconnect = setTimeout(() => void retry(), 500)
    }
    next.on('error', lost)
    next.on('end', lost)
    next.on('notification', ({ payload }) => {
      for (const hint of JSON.parse(payload ?? '[]') as Hint[]) tell(hint)
    })
    await next.connect()
    await next.query(`listen ${channel}`)
    if (closed) return void next.end()
    client = next
    tell(null)
  }

  async function retry(): Promise<void> {
    try {
      await connect()
    } catch (error) {
      log.warn({ err: error }, 'hints: the database cannot be reached')
      if (!closed) reconnect = setTimeout(() => void retry(), 1_000)
    }
  }

  /** One after the other: a connection takes one query at a time, and what comes meanwhile goes with the next. */
  async function flush(): Promise<void> {
    while (waiting.size > 0) {
      const hints = [...waiting.values()]
      waiting.clear()
      try {
        for (const payload of payloads(hints)) await client?.query('select pg_notify($1, $2)', [channel, payload])
      } catch (error) {
        log.warn({ err: error }, 'hints: some were lost')
      }
    }
    sending = null
  }

  await connect()
  return {
    send(hints) {
      for (const hint of hints) {
        for (const listener of sentListeners) listener(hint)
        waiting.set(sameHint(hint), hint)
      }
      if (waiting.size > 0) sending ??= flush()
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    listenSent: (listener) => void sentListeners.add(listener),
    async close() {
      closed = true
      if (reconnect) clearTimeout(reconnect)
      listeners.clear()
      await sending // a command's hints, too, are sent: it ends as soon as it is done
      await client?.end()
    },
  }
}

/** JSON arrays of hints, each small enough for one notification. */
function payloads(hints: readonly Hint[]): string[] {
  const batches: string[][] = [[]]
  let size = 2
  for (const text of hints.map((hint) => JSON.stringify(hint))) {
    if (size + text.length + 1 > payloadBytes) {
      batches.push([])
      size = 2
    }
    batches.at(-1)!.push(text)
    size += text.length + 1
  }
  return batches.filter((batch) => batch.length > 0).map((batch) => `[${batch.join(',')}]`)
}
