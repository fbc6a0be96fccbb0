import type { Pool } from '../db/client.js'
import type { TestApp } from './app.js'

type Asking = { deps: { pools: { commands: Pool } } }
type Statement = { text: string; values: unknown[] }

/** Of every read of `act`. */
export async function plansOf(app: TestApp, act: () => Promise<void>): Promise<string[]> {
  const statements = await readsOf(app, act)
  const plans: string[] = []
  for (const { text, values } of statements) {
    const { rows } = await app.deps.pools.commands.query<Record<string, string>>(
      `explain (analyze, timing off) ${text}`,
      values,
    )
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
  }
  return plans
}

async function readsOf(app: TestApp, act: () => Promise<void>): Promise<Statement[]> {
  // Pages of what was found begin so; other texts may write behind their `with`.
  return (await statementsOf(app, act)).filter(({ text }) => /^\s*(select|with found)\b/.test(text))
}

/** With commit; without begin and notifications, which go with others. */
export async function statementsOf(app: Asking, act: () => Promise<void>): Promise<Statement[]> {
  return (await messagesOf(app, act)).flat()
}

/** As sent: what goes together is answered at once. */
export async function messagesOf(app: Asking, act: () => Promise<void>): Promise<Statement[][]> {
  const messages: Statement[][] = []
  const client = await app.deps.pools.commands.connect()
  const prototype = Object.getPrototypeOf(client) as { query: (...args: unknown[]) => unknown }
  client.release()
  const query = prototype.query
  prototype.query = function (this: unknown, ...args: unknown[]) {
    const [first, values] = args
    if (typeof first === 'string') messages.push([{ text: first, values: (values ?? []) as unknown[] }])
    else if (isMessage(first)) messages.push(first.statements.filter(({ text }) => text !== 'begin'))
    return query.apply(this, args)
  }
  try {
    await act()
  } finally {
    prototype.query = query
  }
  return messages.filter((statements) => !statements.some(({ text }) => text.includes('pg_notify')))
}

function isMessage(value: unknown): value is { statements: Statement[] } {
  return typeof value === 'object' && value !== null && 'statements' in value
}
