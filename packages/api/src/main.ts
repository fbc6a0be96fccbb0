import closeWithGrace from 'close-with-grace'
import { build } from './build.js'
import { configFrom, ConfigFault } from './config.js'
import { migrate, MigrationFault } from './db/migrate.js'
import { closeDeps, openDeps } from './deps.js'
import { readEnv } from './env.js'

/** Configuration, database, doors; then until a signal. What the operator can mend is one sentence and exit code 1. */
async function main(): Promise<void> {
  const config = configFrom(readEnv(process.env))
  await migrate(config.databaseUrl)
  const deps = await openDeps(config)
  const app = await build(deps)
  closeWithGrace({ delay: 10_000, logger: false }, async ({ err }) => {
    if (err) deps.log.fatal({ err }, 'stopping after an error')
    await app.close()
    await closeDeps(deps)
  })
  await app.listen({ host: config.host, port: config.port })
  deps.log.info({ url: config.publicUrl }, 'ready')
}

function sentence(error: unknown): string | null {
  if (error instanceof ConfigFault || error instanceof MigrationFault) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'EADDRINUSE') return 'The port is taken by another program; set PORT to a free one.'
  if (code === 'EACCES') return 'The port may not be used by this user; set PORT to one above 1023.'
  if (['ECONNREFUSED', 'ENOTFOUND', 'ENOENT', 'ETIMEDOUT', 'EAI_AGAIN', '3D000', '28P01', '28000'].includes(code)) {
    return `The database of DATABASE_URL cannot be reached (${code}).`
  }
  return null
}

main().catch((error: unknown) => {
  const known = sentence(error)
  process.stderr.write(
    known ? `${known}\n` : `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
  process.exit(1)
})
