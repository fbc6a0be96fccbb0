import pg from 'pg'

/** Prepared under this name by the first transaction of a connection. */
export const begin = { name: 'begin', text: 'begin', values: [] }

export type Statement = { name: string | null; text: string; values: readonly unknown[] }

/**
 * `client.query` without its copy of the whole configuration, which was 3 % of a read. `first`: a transaction's `begin` and its
 * first statement as one message. No sync stands between them, so where `begin` fails the server skips the statement:
 * it never runs outside the transaction.
 */
export function send(client: pg.ClientBase, { name, text, values }: Statement, first = false): Promise<pg.QueryResult> {
  const sent = new Promise<pg.QueryResult>((resolve, reject) => {
    const callback = (error: Error | null, results?: pg.QueryResult | pg.QueryResult[]) => {
      // Also `begin` has a result.
      const result = Array.isArray(results) ? results.at(-1) : results
      if (error || !result) reject(error ?? new Error('no result'))
      else resolve(result)
    }
    const query = Object.assign(new pg.Query(text, [...values]), { callback, ...(name === null ? {} : { name }) })
    if (first) putBeginBefore(query)
    client.query(query)
  })
  return sent.catch((error: Error) => {
    // As node-pg does: it leads to who asked, instead of to the socket.
    Error.captureStackTrace(error)
    throw error
  })
}

function putBeginBefore(query: pg.Query): void {
  const submit = query.submit.bind(query)
  query.submit = (connection) => {
    connection.stream.cork()
    connection.bind({ statement: begin.name }, true)
    connection.execute(null, true)
    submit(connection)
    connection.stream.uncork()
  }
}
