import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { email, username } from '@vps/shared/accounts.contract'
import { accountPassword } from '@vps/shared/password.contract'
import type * as z from 'zod'
import { createAdministrator } from './accounts/create-administrator.js'
import { clearSecondFactorOf, grantRole, setPassword } from './accounts/by-command.js'
import { hashPassword } from './accounts/passwords.js'
import { revokeEverySession } from './accounts/sessions.js'
import { readConfig, ConfigFault } from './config.js'
import { migrate } from './db/migrate.js'
import type { Tx } from './db/client.js'
import { inTx } from './db/tx.js'
import { closeDeps, openDeps, type Deps } from './deps.js'
import { toRefusal } from './errors.js'
import { holdUntilTold } from './fleet/held-addresses.js'
import { forgetHostImages } from './fleet/host-images.js'
import { operatorSentence } from './operator-sentence.js'
import { increaseEpoch } from './jobs/epoch.js'
import { writeAllAgain } from './reverse-names/rows.js'
import { stopUntilAllowed } from './schedule/timers.js'
import { refuseForeignSecret } from './secrets/refuse-foreign-secret.js'
import { resealSome } from './secrets/secrets.js'

const usage = `usage: npm run admin -- COMMAND
  create USERNAME EMAIL        an administrator; the password is asked for, or on standard input
  reset-password USERNAME      another password, on standard input; ends every session
  clear-second-factor USERNAME for who lost authenticator and recovery codes; signs in by password alone again
  grant USERNAME ADMIN|USER    a role
  migrate                      the newest schema and the application's rights, as the role of DATABASE_OWNER_URL
  rotate-secret                every stored password sealed anew with the first of APP_SECRET=NEW,OLD
  after-restore                once after a restored back-up, before the agents call again`

type Command = (deps: Deps) => Promise<string>

/** What stands behind its name; else it takes nothing, as no `--help`. */
const most: Record<string, number> = { create: 2, 'reset-password': 1, 'clear-second-factor': 1, grant: 2 }

async function commandOf([name = '', ...given]: string[]): Promise<Command> {
  if (given.length > (most[name] ?? 0)) throw new ConfigFault(usage)
  const [first, second] = given
  switch (name) {
    case 'create': {
      const account = { username: parse('USERNAME', username, first), email: parse('EMAIL', email, second) }
      const passwordHash = await readPassword()
      return inOneTx(async (tx, now) => {
        await createAdministrator(tx, { ...account, passwordHash }, now)
        return `${account.username} is an administrator now.`
      })
    }
    case 'reset-password': {
      const account = parse('USERNAME', username, first)
      const passwordHash = await readPassword()
      return inOneTx(async (tx, now) => {
        await setPassword(tx, account, passwordHash, now)
        return `${account} has another password; every session has ended.`
      })
    }
    case 'clear-second-factor': {
      const account = parse('USERNAME', username, first)
      return inOneTx(async (tx, now) =>
        (await clearSecondFactorOf(tx, account, now))
          ? `${account} signs in by password alone now, and is told so by mail.`
          : `${account} has no second factor.`,
      )
    }
    case 'grant': {
      const account = parse('USERNAME', username, first)
      if (second !== 'ADMIN' && second !== 'USER') throw new ConfigFault(usage)
      return inOneTx(async (tx, now) => {
        await grantRole(tx, account, second, now)
        return `${account} has the role ${second}.`
      })
    }
    case 'after-restore':
      return inOneTx(async (tx, now) => {
        await forgetHostImages(tx)
        await holdUntilTold(tx)
        await writeAllAgain(tx, now)
        // Those that were ended since, too.
        await revokeEverySession(tx, now)
        await stopUntilAllowed(tx, now)
        return `The epoch is ${await increaseEpoch(tx, now)} now: hosts follow this database and nothing older, and everybody has to sign in again. Free addresses are sold once every host of their pool has told what it has, or is declared lost. No server is wiped and no set-up given back until an administrator lets them go on: two findings ask for it.`
      })
    case 'migrate':
      return () => Promise.resolve('The schema is up to date.') // as before every command
    case 'rotate-secret':
      return rotateSecret
    default:
      throw new ConfigFault(usage)
  }
}

const inOneTx =
  (act: (tx: Tx, now: Date) => Promise<string>): Command =>
  (deps) =>
    inTx(deps.db, (tx) => act(tx, deps.now()))

/** In small transactions beside whatever runs: passwords stay readable. */
async function rotateSecret({ db, vault }: Deps): Promise<string> {
  await refuseForeignSecret(db, vault)
  let total = { sealed: 0, unreadable: 0 }
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const some = await inTx(db, (tx) => resealSome(tx, vault, after))
    if (!some) break
    after = some.last
    total = { sealed: total.sealed + some.sealed, unreadable: total.unreadable + some.unreadable }
  }
  const left =
    total.unreadable > 0
      ? `${total.unreadable} could not be opened by any key of APP_SECRET and stay as they are: put theirs behind the first, if there is one, and run this again before any goes.`
      : 'The old key can go from APP_SECRET after two days, when no mail waits any more.'
  return `${total.sealed} passwords were sealed anew. ${left}`
}

/** `what`: as in the usage. */
function parse<T>(what: string, schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new ConfigFault(`${what}: ${parsed.error.issues[0]?.message ?? 'bad input'}\n${usage}`)
  return parsed.data
}

async function readPassword(): Promise<string> {
  const given = process.stdin.isTTY ? await askAtTerminal() : (await text(process.stdin)).replace(/\r?\n$/, '')
  return hashPassword(parse('the password', accountPassword, given))
}

/** Until Enter, without showing it. */
async function askAtTerminal(): Promise<string> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  lines.once('SIGINT', () => process.exit(130))
  process.stderr.write('Password: ')
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

async function main(args: string[]): Promise<void> {
  const command = await commandOf(args)
  const config = readConfig({ ...process.env, LOG_LEVEL: 'warn' })
  await migrate(config)
  const deps = await openDeps(config)
  try {
    process.stdout.write(`${await command(deps)}\n`)
  } finally {
    await closeDeps(deps)
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const known = operatorSentence(error) ?? toRefusal(error)?.message
  const message = known ?? (error instanceof Error ? error.stack : String(error))
  process.stderr.write(`${message}\n`)
  process.exit(1)
})
