import * as z from 'zod'

/** An empty variable is a missing one. */
const optional = z
  .string()
  .trim()
  .transform((value) => value || undefined)
  .optional()
const flag = optional.transform((value) => value === '1' || value === 'true')

/** Reads and types the environment, decides nothing. Every variable is documented in README.md. */
const schema = z.object({
  NODE_ENV: optional,
  PORT: optional,
  HOST: optional,
  PUBLIC_URL: optional,
  DATABASE_URL: optional,
  DATABASE_OWNER_URL: optional,
  DATA_DIR: optional,
  APP_SECRET: optional,
  DEMO: flag,
  EPAY_URL: optional,
  EPAY_PID: optional,
  EPAY_KEY: optional,
  EPAY_CONFIRM: optional,
  TRUST_PROXY: optional,
  METRICS_TOKEN: optional,
  SMTP_URL: optional,
  MAIL_FROM: optional,
  CONSOLE_ACCESS: optional,
  LOG_LEVEL: optional,
  DATABASE_POOL: optional,
  DATABASE_READ_POOL: optional,
  DRAIN_SECONDS: optional,
  BRAKE_NUMBER: optional,
  BRAKE_PERCENT: optional,
  ALLOWED_NETWORKS: optional,
  HOST_NAMES: optional,
})
export type Env = z.infer<typeof schema>

export function readEnv(source: NodeJS.ProcessEnv): Env {
  return schema.parse(source)
}
