/**
 * `npm test`: the check and every suite, seconds per suite, the reason of every skip, and one closing line.
 * `npm test -- browser machines` runs only the suites named.
 *
 * A suite is a command that writes a `TestResult` to the file in `TEST_RESULT_FILE` (both reporters under `tests/setup`
 * do). A suite that cannot run here prints `skipped: REASON` and exits 0. One that ends without either has failed, and so
 * has one that ran no test at all.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chromium } from '../tests/setup/chromium.js'
import { root, runCommand, script, tool } from './run-command.js'
import { readTestResult, type TestResult } from './test-result.js'

type Suite = { name: string; command: readonly string[]; minutes: number; impossible?: () => string | undefined }

const withoutChromium = () => (fs.existsSync(chromium.executablePath) ? undefined : 'Chromium is not installed')

const suites: Suite[] = [
  { name: 'check', command: script('scripts/check.ts'), minutes: 6 },
  { name: 'unit', command: [tool('vitest'), 'run', '--project', 'pure', '--project', 'database'], minutes: 10 },
  {
    name: 'screens',
    command: [tool('vitest'), 'run', '--project', 'screens'],
    minutes: 10,
    impossible: withoutChromium,
  },
  { name: 'stories', command: [tool('vitest'), 'run', '--project', 'stories'], minutes: 10 },
  {
    name: 'browser',
    command: [tool('playwright'), 'test'],
    minutes: 45,
    impossible: withoutChromium,
  },
  {
    name: 'machines',
    command: script('tests/vm/run.ts'),
    minutes: 20,
  },
]

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !suites.some((suite) => suite.name === name))
if (unknown.length > 0) {
  console.error(`no such suite: ${unknown.join(', ')}; there are ${suites.map((suite) => suite.name).join(', ')}`)
  process.exit(1)
}

const total: TestResult = { passed: 0, failed: 0, skipped: [] }
const times: string[] = []
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vps-results-'))
for (const suite of suites) {
  if (chosen.length > 0 && !chosen.includes(suite.name)) continue
  console.log(`\n── ${suite.name}`)
  const { result, seconds } = await runSuite(suite)
  total.passed += result.passed
  total.failed += result.failed
  total.skipped.push(...result.skipped.map((skip) => ({ ...skip, name: `${suite.name}: ${skip.name}` })))
  times.push(
    `${suite.name.padEnd(10)} ${seconds.toFixed(1).padStart(7)} s  ${result.passed} passed, ${result.failed} failed, ${result.skipped.length} skipped`,
  )
}
fs.rmSync(folder, { recursive: true, force: true })

console.log(`\n── summary\n${times.join('\n')}`)
for (const skip of total.skipped) console.log(`skipped ${skip.name}: ${skip.reason}`)
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped.length} skipped`)
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1

async function runSuite(suite: Suite): Promise<{ result: TestResult; seconds: number }> {
  const impossible = suite.impossible?.()
  if (impossible) return { result: skipped(impossible), seconds: 0 }
  const file = path.join(folder, `${suite.name}.json`)
  const { ok, output, seconds } = await runCommand(suite.command, {
    timeoutMinutes: suite.minutes,
    env: { TEST_RESULT_FILE: file, FORCE_COLOR: process.stdout.isTTY ? '1' : '0' },
    onOutput: (text) => process.stdout.write(text),
  })
  return { result: judge(suite, ok, output, readTestResult(file)), seconds }
}

/** What a run amounts to: a broken one, and one without a single test, is a failure whatever it says. */
function judge(suite: Suite, ok: boolean, output: string, reported: TestResult | undefined): TestResult {
  if (suite.name === 'check') return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: [] }
  const reason = /^skipped: (.+)$/m.exec(output)?.[1]
  if (!reported && ok && reason) return skipped(reason)
  if (!reported) return broken(`${suite.name} ended without a result`)
  if (!ok && reported.failed === 0)
    return { ...broken(`${suite.name} broke`), passed: reported.passed, skipped: reported.skipped }
  if (reported.passed + reported.failed + reported.skipped.length === 0) return broken(`${suite.name} ran no test`)
  return reported
}

function skipped(reason: string): TestResult {
  return { passed: 0, failed: 0, skipped: [{ name: 'all', reason }] }
}

function broken(what: string): TestResult {
  console.log(`${what}; see above (${path.relative(root, import.meta.filename)})`)
  return { passed: 0, failed: 1, skipped: [] }
}
