import type { ErrorCode } from '@vps/shared/errors'
import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@vps/api/app-router'

export type RouterOutputs = inferRouterOutputs<AppRouter>

type At<T, P extends string> = P extends `${infer Head}.${infer Rest}` ? At<T[Head & keyof T], Rest> : T[P & keyof T]
type Paths<T> = {
  [K in keyof T & string]: T[K] extends { _def: { procedure: true } } ? K : `${K}.${Paths<T[K]>}`
}[keyof T & string]

export type CallPath = Exclude<Paths<AppRouter['_def']['record']>, `live.${string}`>

export const foreignAnswers = {
  'a proxy’s page': { status: 502, type: 'text/html', body: '<h1>502 Bad Gateway</h1>' },
  'a missing path': { status: 404, type: 'text/html', body: '<h1>404 Not Found</h1>' },
  'cut short': { status: 200, type: 'application/json', body: '[{"result":{"da' },
  'foreign JSON': { status: 500, type: 'application/json', body: '{"error":"upstream connect error"}' },
} as const

/** `lost`: done, but without an answer. */
export type Failure =
  | { refused: ErrorCode; message?: string; errors?: Record<string, string> }
  | keyof typeof foreignAnswers
  | 'lost'
  | 'no answer'
export type Reply<Data = unknown> = { data: Data } | Failure

/** Several replies are given once each, the last from then on. */
export type Script = { [P in CallPath]?: Reply<At<RouterOutputs, P>> | readonly Reply<At<RouterOutputs, P>>[] }

export type Call = { path: string; input: unknown }
