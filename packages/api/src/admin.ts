import { text } from 'node:stream/consumers'
import { registerInput } from '@vps/shared/accounts'
import { hashPassword } from './accounts/passwords.js'
import { createAdministrator } from './accounts/create-administrator.js'
import { configFrom, ConfigFault } from './config.js'
import { inTx } from './db/tx.js'
import { migrate } from './db/migrate.js'
import { closeDeps, openDeps } from './deps.js'
import { readEnv } from './env.js'
import { Refusal } from './errors.js'

const usage = 'usage: npm run admin -- create USERNAME EMAIL   (the password on standard input)'

/** `npm run admin -- …`: what an operator does before anybody can sign in. */
async function main([command, username, email]: string[]): Promise<void> {
  if (command !== 'create' || !username || !email) throw new ConfigFault(usage)
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  const input = registerInput.safeParse({ username, email, password })
  if (!input.success)
    throw new ConfigFault(input.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
  const config = configFrom({ ...readEnv(process.env), LOG_LEVEL: 'warn' })
  await migrate(config.databaseUrl)
  const deps = await openDeps(config)
  try {
    const passwordHash = await hashPassword(input.data.password)
    await inTx(deps.db, (tx) => createAdministrator(tx, { ...input.data, passwordHash }, deps.now()))
    process.stdout.write(`${username} is an administrator now.\n`)
  } finally {
    await closeDeps(deps)
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const known = error instanceof ConfigFault || error instanceof Refusal
  process.stderr.write(`${known || !(error instanceof Error) ? String((error as Error).message) : error.stack}\n`)
  process.exit(1)
})
