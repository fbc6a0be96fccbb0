import { CompiledQuery, sql, type Compilable, type Insertable, type RawBuilder } from 'kysely'
import type { Db } from './client.js'
import type { DB } from './schema.generated.js'

/** What each call fills in. */
export type Given<V> = <K extends keyof V>(name: K) => RawBuilder<V[K]>

/**
 * A statement whose text is always the same: written at the first call, later ones only fill in values. For what is
 * asked all the time (decision 0070). `query` goes with others (`ahead`).
 */
export function statement<V, R>(write: (db: Db, given: Given<V>) => Compilable<R> | RawBuilder<R>) {
  let written: { query: CompiledQuery<R>; fills: ((values: V) => unknown)[] } | undefined
  const query = (db: Db, values: V): CompiledQuery<R> => {
    const { query, fills } = (written ??= writeOnce(write, db))
    return { ...query, parameters: fills.map((fill) => fill(values)) }
  }
  const rows = async (db: Db, values: V): Promise<R[]> => (await db.executeQuery(query(db, values))).rows
  return Object.assign(rows, { query })
}

function writeOnce<V, R>(write: (db: Db, given: Given<V>) => Compilable<R> | RawBuilder<R>, db: Db) {
  const names = new Map<unknown, keyof V>()
  const given: Given<V> = <K extends keyof V>(name: K) => {
    const mark = {}
    names.set(mark, name)
    return sql<V[K]>`${mark}`
  }
  const query = write(db, given).compile(db)
  const fills = query.parameters.map((parameter) => {
    const name = names.get(parameter)
    return (values: V): unknown => (name === undefined ? parameter : values[name])
  })
  return { query, fills }
}

/** A row of plain values: short enough to write at each call. */
export function insertRow<T extends keyof DB>(table: T, row: Insertable<DB[T]>): CompiledQuery {
  const columns = Object.keys(row)
  const values = columns.map((_, n) => `$${n + 1}`)
  return CompiledQuery.raw(
    `insert into ${table} (${columns.join(', ')}) values (${values.join(', ')})`,
    Object.values(row),
  )
}
