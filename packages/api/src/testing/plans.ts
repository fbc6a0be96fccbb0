import { escapeLiteral, type PoolClient } from 'pg'
import { prepareValue } from 'pg/lib/utils.js'
import type { Pool } from '../db/client.js'
import { statementNames } from '../db/prepared.js'
import type { TestApp } from './app.js'

type Asking = { deps: { pools: { commands: Pool } } }
type Statement = { text: string; values: unknown[] }

/** Of every read of `act`, as PostgreSQL has them once it knows the statement. */
export async function plansOf(app: TestApp, act: () => Promise<void>): Promise<string[]> {
  const statements = await readsOf(app, act)
  const client = await app.deps.pools.commands.connect()
  const plans: string[] = []
  try {
    for (const statement of statements) plans.push(await planOf(client, statement))
  } finally {
    client.release()
  }
  return plans
}

/** The sixth time it may take a plan for any values (PostgreSQL: PREPARE, "Notes"). */
const knownAfter = 5

async function planOf(client: PoolClient, { text, values }: Statement): Promise<string> {
  const explain = 'explain (analyze, timing off)'
  const explained = async (statement: string, given?: unknown[]) => {
    const { rows } = await client.query<Record<string, string>>(`${explain} ${statement}`, given)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  if (statementNames()(text) === null) return explained(text, values)
  await client.query(`prepare explained as ${text}`)
  const given = values.map((value) => asLiteral(prepareValue(value))).join(', ')
  const execute = values.length > 0 ? `execute explained(${given})` : 'execute explained'
  for (let n = 0; n < knownAfter; n++) await client.query(execute)
  const plan = await explained(execute)
  await client.query('deallocate explained')
  return plan
}

const asLiteral = (value: string | Buffer | null) =>
  value === null ? 'null' : escapeLiteral(typeof value === 'string' ? value : `\\x${value.toString('hex')}`)

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
