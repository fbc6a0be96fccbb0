import pg from 'pg'
import { prepareValue } from 'pg/lib/utils.js'

export type Statement = { name: string | null; text: string; values: readonly unknown[] }

export type Answer = { command: string; rowCount: number; rows: unknown[] }

type Column = { name: string; read: (text: string) => unknown }
/** What a connection has prepared, with its columns: PostgreSQL refuses to change them (0A000). */
export type Prepared = Map<string, readonly Column[]>

type Done = (error: Error | null, answers: Answer[]) => void
type Field = { name: string; dataTypeID: number }

/**
 * Statements sent and answered in one go, with one sync: where one fails the rest is skipped, `commit` too. node-pg
 * makes a trip for each.
 */
export function sendMessage(
  client: pg.ClientBase,
  statements: readonly Statement[],
  prepared: Prepared,
): Promise<Answer[]> {
  const sent = new Promise<Answer[]>((resolve, reject) => {
    client.query(new Message(statements, prepared, (error, answers) => (error ? reject(error) : resolve(answers))))
  })
  return sent.catch((error: Error) => {
    // As node-pg does: leads to who asked, not to the socket.
    Error.captureStackTrace(error)
    throw error
  })
}

/** No values, no name: a script may be several statements, which only the simple protocol takes, alone. */
export const isScript = ({ name, values }: Statement) => name === null && values.length === 0

class Message implements pg.Submittable {
  /** node-pg puts its own around it, which ends the wait (`query_timeout`). */
  callback: Done
  readonly statements: readonly Statement[]
  readonly #values: (string | Buffer | null)[][]
  readonly #prepared: Prepared
  readonly #answers: Answer[] = []
  #columns: readonly Column[] | undefined
  #rows: unknown[] = []
  #unreadable: Error | null = null

  constructor(statements: readonly Statement[], prepared: Prepared, done: Done) {
    this.statements = statements
    this.#values = statements.map(({ values }) => values.map(prepareValue))
    this.#prepared = prepared
    this.callback = done
  }

  submit(connection: pg.Connection): void {
    const [first, ...others] = this.statements
    if (first && others.length === 0 && isScript(first)) return connection.query(first.text)
    connection.stream.cork()
    this.statements.forEach((statement, n) => this.#write(connection, statement, this.#values[n]))
    connection.sync()
    connection.stream.uncork()
  }

  #write(connection: pg.Connection, { name, text }: Statement, values: (string | Buffer | null)[] = []): void {
    const statement = name ?? ''
    const isPrepared = this.#prepared.has(statement)
    if (!isPrepared) {
      // An earlier message may have failed after preparing it.
      if (name !== null) connection.close({ type: 'S', name }, true)
      connection.parse({ name: statement, text, types: [] }, true)
    }
    connection.bind({ statement, values }, true)
    if (!isPrepared) connection.describe({ type: 'P' }, true)
    connection.execute(null, true)
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, read: pg.types.getTypeParser(dataTypeID, 'text') }))
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    try {
      this.#rows.push(rowOf(this.#columnsNow(), fields))
    } catch (error) {
      this.#unreadable ??= error instanceof Error ? error : new Error(String(error))
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const name = this.#statementNow()?.name
    if (typeof name === 'string') this.#prepared.set(name, this.#columnsNow())
    const [command = '', ...numbers] = text.split(' ')
    this.#answers.push({ command, rowCount: Number(numbers.at(-1) ?? 0), rows: this.#rows })
    this.#columns = undefined
    this.#rows = []
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleError(error: Error): void {
    this.callback(error, this.#answers)
  }

  handleReadyForQuery(): void {
    this.callback(this.#unreadable, this.#answers)
  }

  #statementNow(): Statement | undefined {
    return this.statements[this.#answers.length]
  }

  #columnsNow(): readonly Column[] {
    return (this.#columns ??= this.#prepared.get(this.#statementNow()?.name ?? '') ?? [])
  }
}

function rowOf(columns: readonly Column[], fields: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  columns.forEach(({ name, read }, n) => {
    const field = fields[n]
    row[name] = field === null || field === undefined ? null : read(field)
  })
  return row
}
