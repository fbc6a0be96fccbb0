import type { TestApp } from './app.js'

type Statement = { text: string; values: unknown[] }

/** The query plans of every read that `act` makes, and what each of their steps really read. */
export async function plansOf(app: TestApp, act: () => Promise<void>): Promise<string[]> {
  const statements = await readsOf(app, act)
  const plans: string[] = []
  for (const { text, values } of statements) {
    const { rows } = await app.deps.pool.query<Record<string, string>>(`explain (analyze, timing off) ${text}`, values)
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
  }
  return plans
}

async function readsOf(app: TestApp, act: () => Promise<void>): Promise<Statement[]> {
  const statements: Statement[] = []
  const client = await app.deps.pool.connect()
  const prototype = Object.getPrototypeOf(client) as { query: (...args: unknown[]) => unknown }
  client.release()
  const query = prototype.query
  prototype.query = function (this: unknown, ...args: unknown[]) {
    if (typeof args[0] === 'string' && args[0].trimStart().startsWith('select')) {
      statements.push({ text: args[0], values: (args[1] ?? []) as unknown[] })
    }
    return query.apply(this, args)
  }
  try {
    await act()
  } finally {
    prototype.query = query
  }
  return statements
}
