import type { AppRouter } from '../trpc/app-router.js'
import { bare, data, type Shape } from './shapes.js'

/** Every procedure's dotted path, so that a typo in a row does not compile. */
type Paths<T, Prefix extends string = ''> = {
  [K in keyof T & string]: T[K] extends { _def: { procedure: true } }
    ? `${Prefix}${K}`
    : T[K] extends { _def: { record: infer R } }
      ? Paths<R, `${Prefix}${K}.`>
      : Paths<T[K], `${Prefix}${K}.`>
}[keyof T & string]
export type ProcedurePath = Paths<AppRouter['_def']['record']>

export type Row = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string; procedure: ProcedurePath; shape: Shape }

const row = (method: Row['method'], path: string, procedure: ProcedurePath, shape: Shape): Row => ({
  method,
  path,
  procedure,
  shape,
})

/** Every call of the REST wire: an address, the procedure behind it, and how its reply looks. Nothing else belongs here. */
export const restTable: readonly Row[] = [
  row('POST', '/auth/login', 'accounts.signIn', bare),
  row('POST', '/auth/register', 'accounts.register', bare),
  row('POST', '/auth/logout', 'accounts.signOut', data),
  row('GET', '/auth/profile', 'accounts.me', bare),
]
