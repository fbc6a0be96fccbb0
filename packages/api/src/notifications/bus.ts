import { Socket } from 'node:net'
import pg from 'pg'
import type { Logger } from 'pino'
import { notificationKey, type Notification } from './notification.js'
import { must } from '../must.js'

const channel = 'notifications'
/** The limit is 8,000 bytes. */
const payloadBytes = 7_000
const connectMs = 10_000
/** A connection that a firewall forgot neither ends nor brings anything: asked so often, and given up unanswered. */
const patience = { everyMs: 5_000, answerMs: 10_000 }
const ended = /^(08|57)/

export type NotificationBus = {
  /** Those given during a send go together next, without duplicates. Never throws. */
  send(notifications: readonly Notification[]): void
  /** This process's own when sent, others' when heard; `null` when some may be lost (a new connection). */
  listen(listener: (notification: Notification | null) => void): () => void
  /** For a silent database: one that is gone would never end its connection. */
  cut(): void
  close(): Promise<void>
}

/**
 * One connection per process: NOTIFY in every money transaction halved their throughput (decisions, "Background work").
 * Reconnects by itself; what was sent meanwhile goes then.
 */
export async function openNotificationBus(url: string, log: Logger, limits = patience): Promise<NotificationBus> {
  const listeners = new Set<(notification: Notification | null) => void>()
  const waiting = new Map<string, Notification>()
  let client: pg.Client | null = null
  let socket: Socket | null = null
  let closed = false
  let sending: Promise<void> | null = null
  let reconnect: NodeJS.Timeout | null = null
  const absence = tellingOnce(log)

  const tell = (notification: Notification | null) => {
    for (const listener of listeners) listener(notification)
  }

  async function connect(): Promise<void> {
    const next = newClient(url, (socket = new Socket()), limits.answerMs)
    const lost = () => {
      if (client !== next || closed) return
      client = null
      reconnect = setTimeout(() => void retry(), 500)
    }
    next.on('error', lost).on('end', lost)
    await listenOver(next, tell)
    if (closed) return void next.end()
    client = next
    tell(null)
    begin()
  }

  async function retry(): Promise<void> {
    try {
      await connect()
      absence.over()
    } catch (error) {
      absence.tell(error)
      socket?.destroy()
      if (!closed) reconnect = setTimeout(() => void retry(), 1_000)
    }
  }

  function begin(): void {
    if (!client || waiting.size === 0) return
    const over = client
    sending ??= flush(over).finally(() => {
      sending = null
      if (client !== over) begin()
    })
  }

  async function flush(over: pg.Client): Promise<void> {
    while (client === over && waiting.size > 0) if (!(await sendAll(over, waiting, log))) return void socket?.destroy()
  }

  await connect()
  const looking = setInterval(() => void (sending ?? look(client, socket)), limits.everyMs)
  return {
    send(notifications) {
      for (const notification of notifications) {
        tell(notification)
        waiting.set(notificationKey(notification), notification)
      }
      begin()
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    cut: () => void socket?.destroy(),
    async close() {
      closed = true
      clearInterval(looking)
      if (reconnect) clearTimeout(reconnect)
      listeners.clear()
      await sending // Also those of a command, which ends at once.
      await client?.end()
    },
  }
}

async function listenOver(client: pg.Client, tell: (notification: Notification) => void): Promise<void> {
  client.on('notification', ({ payload, processId }) => {
    if (processId === ownBackend) return // told when it was sent
    for (const notification of readNotifications(payload)) tell(notification)
  })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const ownBackend = rows[0]?.pid
  await client.query(`listen ${channel}`)
}

/** Ends the socket that it went over: the next may be under way by then. */
async function look(client: pg.Client | null, socket: Socket | null): Promise<void> {
  await client?.query('select').catch(() => socket?.destroy())
}

/** Not at each try. */
function tellingOnce(log: Logger) {
  let isTold = false
  return {
    tell(err: unknown) {
      if (!isTold) log.warn({ err }, 'notifications: the database cannot be reached')
      isTold = true
    },
    over() {
      if (isTold) log.info('notifications: the database is reached again')
      isTold = false
    },
  }
}

function newClient(connectionString: string, socket: Socket, answerMs: number): pg.Client {
  return new pg.Client({
    connectionString,
    application_name: 'vps-notifications',
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    stream: () => socket,
  })
}

/** Others may speak on this channel too, and a listener that throws would end the process. */
function readNotifications(payload = ''): Notification[] {
  try {
    const heard: unknown = JSON.parse(payload)
    return Array.isArray(heard) ? heard.filter((one) => typeof one === 'object' && one !== null) : []
  } catch {
    return []
  }
}

/** A connection takes one query at a time. False where it ended; they wait again. */
async function sendAll(over: pg.Client, waiting: Map<string, Notification>, log: Logger): Promise<boolean> {
  const notifications = [...waiting]
  waiting.clear()
  try {
    for (const payload of payloads(notifications.map(([, notification]) => notification)))
      await over.query({ name: 'notify', text: 'select pg_notify($1, $2)', values: [channel, payload] })
  } catch (error) {
    log.warn({ err: error }, 'notifications: some could not be sent')
    if (error instanceof pg.DatabaseError && !ended.test(error.code ?? '')) return true
    // Over the next connection; what came through is heard twice.
    for (const [key, notification] of notifications) waiting.set(key, notification)
    return false
  }
  return true
}

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
