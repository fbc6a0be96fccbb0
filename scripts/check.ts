/** All but the tests, in about a minute. */
import { runCommand, script, tool } from './run-command.js'

/** `tells`: prints even when it passes. */
type Step = { name: string; command: readonly string[]; tells?: true }

const packages = ['shared', 'api', 'demo', 'agent', 'web'].map((name) => `packages/${name}/src`)

const outside = ['scripts', 'tests', 'vitest.config.ts', 'playwright.config.ts']

/** What has not changed comes from turbo's cache. */
const build: Step = {
  name: 'build, types and lint of the packages',
  command: [tool('turbo'), 'run', 'build', 'typecheck', 'lint', '--output-logs=errors-only'],
}

/** Independent; the longest first, two at a time. */
const steps: Step[] = [
  { name: 'format', command: [tool('oxfmt'), '--check'] },
  { name: 'types of tests and scripts', command: [tool('tsc'), '-p', '.', '--checkers', '1'] },
  {
    name: 'lint of tests and scripts',
    command: ['env', 'GOMAXPROCS=1', tool('oxlint'), '--deny-warnings', ...outside],
  },
  { name: 'import rules', command: [tool('depcruise'), '--config', '.dependency-cruiser.cjs', ...packages] },
  { name: 'counts within their bounds', command: script('scripts/counts.ts', '--check'), tells: true },
  { name: 'dead code', command: [tool('knip'), '--no-progress'] },
  { name: 'database description unchanged', command: script('scripts/describe-db.ts', '--check') },
  { name: 'state tables unchanged', command: script('scripts/states.ts', '--check') },
  { name: 'agents of before go on', command: script('scripts/agent-contract.ts', '--check') },
  { name: 'lock file', command: [process.execPath, 'scripts/check-lock.mjs'] },
]

const started = performance.now()
const failed: string[] = []
await run(build)
const left = [...steps]
const runSome = async () => {
  for (let step = left.shift(); step; step = left.shift()) await run(step)
}
await Promise.all([runSome(), runSome()])
const total = `${((performance.now() - started) / 1000).toFixed(1)} s`
console.log(failed.length === 0 ? `check passed in ${total}` : `check FAILED in ${total}: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

async function run(step: Step): Promise<void> {
  const { ok, output, seconds } = await runCommand(step.command, { timeoutMinutes: 5 })
  console.log(`${ok ? '✓' : '✗'} ${step.name}  ${seconds.toFixed(1)} s`)
  if (ok && !step.tells) return
  if (!ok) failed.push(step.name)
  console.log(output.trimEnd().replaceAll(/^/gm, '    '))
}
