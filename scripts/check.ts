/** `npm run check`: everything that must hold besides the tests, in about a minute. */
import { runCommand, script, tool } from './run-command.js'

type Step = { name: string; command: readonly string[] }

const packages = ['shared', 'api', 'agent', 'web'].map((name) => `packages/${name}/src`)

// The first builds what the others read; the rest are independent.
const steps: Step[] = [
  { name: 'lock file', command: [process.execPath, 'scripts/check-lock.mjs'] },
  { name: 'types and build of the packages', command: [tool('turbo'), 'run', 'build', '--output-logs=errors-only'] },
  { name: 'types of tests and scripts', command: [tool('tsc'), '-p', 'tsconfig.json'] },
  { name: 'lint', command: [tool('oxlint'), '--type-aware', '--deny-warnings'] },
  { name: 'format', command: [tool('prettier'), '--check', '--log-level', 'warn', '.'] },
  { name: 'import rules', command: [tool('depcruise'), '--config', '.dependency-cruiser.cjs', ...packages] },
  { name: 'dead code', command: [tool('knip'), '--no-progress'] },
  { name: 'database description unchanged', command: script('scripts/describe-db.ts', '--check') },
  { name: 'state tables unchanged', command: script('scripts/states.ts', '--check') },
  { name: 'OpenAPI unchanged', command: script('scripts/openapi.ts', '--check') },
]

const started = performance.now()
const failed: string[] = []
for (const step of steps) {
  const { ok, output, seconds } = await runCommand(step.command, { timeoutMinutes: 5 })
  console.log(`${ok ? '✓' : '✗'} ${step.name}  ${seconds.toFixed(1)} s`)
  if (ok) continue
  failed.push(step.name)
  console.log(output.trimEnd().replaceAll(/^/gm, '    '))
}
const total = `${((performance.now() - started) / 1000).toFixed(1)} s`
console.log(failed.length === 0 ? `check passed in ${total}` : `check FAILED in ${total}: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
