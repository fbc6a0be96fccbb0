/** What a scripted server answers to whom: the words that tests of screens and their server share. */
import type { ErrorCode } from '@vps/shared/errors'
import type { AppRouter } from '@vps/api/app-router'

type Root = AppRouter['_def']['record']
type Paths<T> = {
  [K in keyof T & string]: T[K] extends { _def: { type: 'query' | 'mutation' } } ? K : `${K}.${Paths<T[K]>}`
}[keyof T & string]
type At<T, P extends string> = P extends `${infer Head}.${infer Rest}` ? At<T[Head & keyof T], Rest> : T[P & keyof T]

/** A procedure that is called over HTTP, as `orders.list`. */
export type CallPath = Exclude<Paths<Root>, `live.${string}`>
type OutputOf<P extends string> =
  At<Root, P> extends infer Procedure extends { _def: { $types: { output: unknown } } }
    ? Procedure['_def']['$types']['output']
    : never

/** How a call fails: refused with a row of the error table, answered by a proxy, done but its answer lost, or not answered at all. */
export type Failure =
  { refused: ErrorCode; message?: string; errors?: Record<string, string> } | 'a proxy’s page' | 'lost' | 'no answer'
export type Reply<Data = unknown> = { data: Data } | Failure

/** Replies by procedure; of several, each is given once and the last from then on. */
export type Script = { [P in CallPath]?: Reply<OutputOf<P>> | readonly Reply<OutputOf<P>>[] }

/** A call that has come in. */
export type Call = { path: string; input: unknown }
