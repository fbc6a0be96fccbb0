import {
  AbortedTransactionError,
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import pg from 'pg'
import { isScript, sendMessage, type Answer, type Prepared, type Statement } from './message.js'

/** A prepared statement after a migration under a running process, and one that is gone. */
const outdated = new Set(['0A000', '26000'])
/** A session that may only be read, as of a database that changed places with its copy, stays so as long as it is used. */
const readOnly = '25006'
const changes = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])
const commit = { name: 'commit', text: 'commit', values: [] }
const rollback = { name: 'rollback', text: 'rollback', values: [] }

/** `rows` gets what comes; `look` says whether it will do. */
type Waiting = { statement: Statement; rows: unknown[]; look: (() => void) | null }

const ahead = new WeakMap<CompiledQuery, { look: (() => void) | null }>()

/** See `ahead.ts`. */
export function sendAhead(query: CompiledQuery, look: (() => void) | null): void {
  ahead.set(query, { look })
}

/**
 * A Kysely connection over node-pg: what waits, as a transaction's `begin`, goes with the next statement in one
 * message.
 */
export class Connection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  readonly #nameOf: (text: string) => string | null
  readonly #prepared: Prepared = new Map()
  #waiting: Waiting[] = []
  /** `beginning`: `begin` is still to be sent. */
  #state: 'outside' | 'beginning' | 'inside' = 'outside'
  #isBroken = false

  constructor(client: pg.PoolClient, nameOf: (text: string) => string | null) {
    this.#client = client
    this.#nameOf = nameOf
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>>
  async executeQuery(query: CompiledQuery): Promise<QueryResult<unknown>> {
    const statement = { name: this.#nameOf(query.sql), text: query.sql, values: query.parameters }
    const asked = ahead.get(query)
    if (asked) {
      const rows: unknown[] = []
      this.#waiting.push({ statement, rows, ...asked })
      return { rows }
    }
    const { command, rowCount, rows } = await this.#ask(statement)
    return changes.has(command) ? { numAffectedRows: BigInt(rowCount), rows } : { rows }
  }

  begin({ isolationLevel, accessMode }: TransactionSettings): void {
    const text = ['begin', isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean).join(' ')
    this.#waiting = [{ statement: { name: text, text, values: [] }, rows: [], look: null }]
    this.#state = 'beginning'
  }

  /** What somebody looks at is sent before it, all else with it. */
  async commit(): Promise<void> {
    if (this.#waiting.some(({ look }) => look)) await this.#send([])
    const isEmpty = this.#state === 'beginning' && this.#waiting.length === 1
    const command = isEmpty ? 'COMMIT' : (await this.#ask(commit)).command
    this.#end()
    if (command === 'ROLLBACK') throw new AbortedTransactionError()
  }

  async rollback(): Promise<void> {
    const isEmpty = this.#state === 'beginning'
    this.#end()
    // One that is lost ends there by itself.
    if (isEmpty || this.#isBroken) return
    try {
      await this.#send([rollback])
    } catch (error) {
      this.#isBroken = true
      throw error
    }
  }

  release(): void {
    this.#client.release(this.#isBroken)
  }

  #end(): void {
    this.#waiting = []
    this.#state = 'outside'
  }

  async #ask(statement: Statement): Promise<Answer> {
    if (isScript(statement) && this.#waiting.length > 0) await this.#send([])
    const answer = (await this.#send([statement])).at(-1)
    if (!answer) throw new Error('PostgreSQL did not answer')
    return answer
  }

  async #send(statements: readonly Statement[]): Promise<Answer[]> {
    const waiting = this.#waiting
    this.#waiting = []
    const wasOutside = this.#state === 'outside'
    if (!wasOutside) this.#state = 'inside'
    const all = [...waiting.map(({ statement }) => statement), ...statements]
    const answers = await sendMessage(this.#client, all, this.#prepared).catch((error: unknown) => {
      // Without an answer it may still come, to another's question.
      this.#isBroken ||= !(error instanceof pg.DatabaseError) || error.code === readOnly
      if (!(error instanceof pg.DatabaseError)) throw error
      if (!outdated.has(error.code ?? '')) throw error
      this.#prepared.clear()
      // In a transaction nothing more can run: `inTx` tries again, whole.
      if (!wasOutside) throw error
      return sendMessage(this.#client, all, this.#prepared)
    })
    waiting.forEach(({ rows, look }, n) => {
      rows.push(...(answers[n]?.rows ?? []))
      look?.()
    })
    return answers
  }

  streamQuery(): never {
    throw new Error('cursors are not used')
  }
}
