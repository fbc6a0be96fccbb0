import { verifyBooks } from './audit/verify.js'
import { readConfig } from './config.js'
import { refuseUnmigrated } from './db/migrate.js'
import { closeDeps, openDeps } from './deps.js'
import { operatorSentence } from './operator-sentence.js'

/** `npm run audit`: ends with 1 for faults. Changes nothing. */
async function main(): Promise<number> {
  const config = readConfig({ ...process.env, LOG_LEVEL: 'warn' })
  await refuseUnmigrated(config)
  const deps = await openDeps(config)
  try {
    const verdicts = await verifyBooks(deps.db, deps.now())
    for (const { name, faults } of verdicts) {
      process.stdout.write(`${faults.length === 0 ? 'ok   ' : 'WRONG'}  ${name}\n`)
      for (const fault of faults) process.stdout.write(`       - ${fault}\n`)
    }
    const wrong = verdicts.filter((verdict) => verdict.faults.length > 0).length
    process.stdout.write(
      wrong === 0
        ? `All ${verdicts.length} checks hold.\n`
        : `${wrong} of ${verdicts.length} checks do not hold: see above.\n`,
    )
    return wrong === 0 ? 0 : 1
  } finally {
    await closeDeps(deps)
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${operatorSentence(error) ?? (error instanceof Error ? error.stack : String(error))}\n`)
    process.exit(1)
  },
)
