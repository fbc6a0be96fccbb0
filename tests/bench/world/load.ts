import { Client } from 'undici'

export type Load = { perSecond: number; p50Ms: number; p99Ms: number; done: number }
export type Request = { method: 'GET' | 'POST'; path: string; token?: string; body?: unknown; key?: string }

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/** Each client acts again when its last act has ended. Null ends it early. */
export async function closedLoop(
  clients: number,
  seconds: number,
  act: (client: number) => Promise<void> | null,
): Promise<Load> {
  const times: number[] = []
  const began = performance.now()
  const until = began + seconds * 1000
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let from = performance.now(); from < until; from = performance.now()) {
        const acting = act(client)
        if (acting === null) return
        await acting
        times.push(performance.now() - from)
      }
    }),
  )
  return loadOf(times, (performance.now() - began) / 1000)
}

/** So many a second, whether answered or not. */
export async function openLoop(perSecond: number, seconds: number, act: () => Promise<void>): Promise<void> {
  const began = performance.now()
  const running = new Set<Promise<void>>()
  for (let sent = 0; sent < perSecond * seconds;) {
    const due = Math.min(perSecond * seconds, Math.floor(((performance.now() - began) / 1000) * perSecond) + 1)
    for (; sent < due; sent++) {
      const one = act()
      running.add(one)
      // A failure ends the measurement below.
      one.then(
        () => running.delete(one),
        () => {},
      )
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(running)
}

export function loadOf(times: number[], seconds: number): Load {
  const sorted = [...times].sort((one, other) => one - other)
  return {
    perSecond: times.length / seconds,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    done: times.length,
  }
}

/** Kept open; whatever is not 2xx or 304 ends the measurement, so that no refusal counts as speed. */
export function openClients(url: string, count: number) {
  const clients = Array.from({ length: count }, () => new Client(url, { bodyTimeout: 60_000, headersTimeout: 60_000 }))

  async function ask(client: number, request: Request) {
    const reply = await clients[client % count]!.request({
      method: request.method,
      path: request.path,
      headers: {
        ...(request.token && { authorization: `Bearer ${request.token}` }),
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...(request.key && { 'idempotency-key': request.key }),
      },
      body: request.body === undefined ? null : JSON.stringify(request.body),
    })
    if (reply.statusCode >= 300)
      throw new Error(`${request.path}: ${reply.statusCode} ${(await reply.body.text()).slice(0, 300)}`)
    return reply.body
  }

  return {
    /** Reads the whole answer, unparsed. */
    async send(client: number, request: Request): Promise<void> {
      for await (const _ of await ask(client, request));
    },
    async read<T>(client: number, request: Request): Promise<T> {
      return (await (await ask(client, request)).json()) as T
    },
    close: () => Promise.all(clients.map((client) => client.destroy())),
  }
}
