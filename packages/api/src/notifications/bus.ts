import pg from 'pg'
import type { Logger } from 'pino'
import { notificationKey, type Notification } from './notification.js'
import { must } from '../must.js'

const channel = 'notifications'
/** The limit is 8,000 bytes. */
const payloadBytes = 7_000

export type NotificationBus = {
  /** Notifications wait for the one under way and go together, without duplicates. Never throws. */
  send(notifications: readonly Notification[]): void
  /** This process's own when sent, others' when heard; `null` when some may be lost (a new connection). */
  listen(listener: (notification: Notification | null) => void): () => void
  close(): Promise<void>
}

/**
 * One connection per process: NOTIFY inside every money transaction halved their throughput (decisions, "Background
 * work"). Reconnects by itself.
 */
export async function openNotificationBus(connectionString: string, log: Logger): Promise<NotificationBus> {
  const listeners = new Set<(notification: Notification | null) => void>()
  const waiting = new Map<string, Notification>()
  let client: pg.Client | null = null
  let closed = false
  let sending: Promise<void> | null = null
  let reconnect: NodeJS.Timeout | null = null

  const tell = (notification: Notification | null) => {
    for (const listener of listeners) listener(notification)
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString, application_name: 'vps-notifications' })
    const lost = () => {
      if (client !== next || closed) return
      client = null
      reconnect = setTimeout(() => void retry(), 500)
    }
    next.on('error', lost)
    next.on('end', lost)
    next.on('notification', ({ payload, processId }) => {
      if (processId === ownBackend) return // told when it was sent
      for (const notification of JSON.parse(payload ?? '[]') as Notification[]) tell(notification)
    })
    await next.connect()
    const { rows } = await next.query<{ pid: number }>('select pg_backend_pid() as pid')
    const ownBackend = rows[0]?.pid
    await next.query(`listen ${channel}`)
    if (closed) return void next.end()
    client = next
    tell(null)
  }

  async function retry(): Promise<void> {
    try {
      await connect()
    } catch (error) {
      log.warn({ err: error }, 'notifications: the database cannot be reached')
      if (!closed) reconnect = setTimeout(() => void retry(), 1_000)
    }
  }

  /** A connection takes one query at a time. */
  async function flush(): Promise<void> {
    while (waiting.size > 0) {
      const notifications = [...waiting.values()]
      waiting.clear()
      try {
        for (const payload of payloads(notifications))
          await client?.query({ name: 'notify', text: 'select pg_notify($1, $2)', values: [channel, payload] })
      } catch (error) {
        log.warn({ err: error }, 'notifications: some were lost')
      }
    }
    sending = null
  }

  await connect()
  return {
    send(notifications) {
      for (const notification of notifications) {
        tell(notification)
        waiting.set(notificationKey(notification), notification)
      }
      if (waiting.size > 0) sending ??= flush()
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      closed = true
      if (reconnect) clearTimeout(reconnect)
      listeners.clear()
      await sending // Also those of a command, which ends at once.
      await client?.end()
    },
  }
}

/** Each small enough for one notification. */
function payloads(notifications: readonly Notification[]): string[] {
  const batches: string[][] = [[]]
  let size = 2
  for (const text of notifications.map((notification) => JSON.stringify(notification))) {
    if (size + text.length + 1 > payloadBytes) {
      batches.push([])
      size = 2
    }
    must(batches.at(-1)).push(text)
    size += text.length + 1
  }
  return batches.filter((batch) => batch.length > 0).map((batch) => `[${batch.join(',')}]`)
}
