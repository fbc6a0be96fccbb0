import pg from 'pg'

/** Prepared under this name by the first transaction of a connection. */
export const begin = { name: 'begin', text: 'begin' }

/**
 * A transaction's `begin` and its first statement as one message. No sync stands between them, so where `begin` fails the
 * server skips the statement: it never runs outside the transaction.
 */
export function queryWithBegin(client: pg.ClientBase, statement: pg.QueryConfig): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query(statement, (error, results: pg.QueryResult | pg.QueryResult[]) => {
      // Also `begin` has a result.
      const [result] = [results].flat().slice(-1)
      if (result) resolve(result)
      else reject(error ?? new Error('no result'))
    })
    const submit = query.submit.bind(query)
    query.submit = (connection) => {
      connection.stream.cork()
      connection.bind({ statement: begin.name }, true)
      connection.execute(null, true)
      submit(connection)
      connection.stream.uncork()
    }
    client.query(query)
  })
}
