declare module 'pg/lib/utils.js' {
  /** A value as PostgreSQL reads it: node-pg's own. */
  export function prepareValue(value: unknown): string | Buffer | null
}
