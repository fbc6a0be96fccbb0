/**
 * `npm test`: the check and every suite, with times, skips and a closing line; `npm test -- browser machines` runs only
 * those.
 *
 * The machines run beside the check: they wait as long as they compute. The others follow in turn, each with the whole
 * processor. Each proof in `docs/specification.md` must be a passed test.
 *
 * A suite whose tool stood still, while no test had failed, is begun once anew; the summary says so.
 *
 * A suite writes a `TestResult` to `TEST_RESULT_FILE`, or prints `skipped: REASON` and exits 0. One without either, or
 * without any test, has failed.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { chromium } from '../tests/setup/chromium.js'
import { judgeProofs } from './proofs.js'
import { runCommand, script, tool } from './run-command.js'
import { addResults, readTestResult, type TestResult } from './test-result.js'

type Suite = {
  name: string
  command: readonly string[]
  /** Ends what hangs; far more than a slow machine takes. */
  minutes: number
  impossible?: () => string | undefined
  /** With the others of this kind, before all else. */
  beside?: true
}

const withoutChromium = () => (fs.existsSync(chromium.executablePath) ? undefined : 'Chromium is not installed')

const suites: Suite[] = [
  { name: 'check', command: script('scripts/check.ts'), minutes: 10, beside: true },
  { name: 'unit', command: [tool('vitest'), 'run', '--project', 'pure', '--project', 'database'], minutes: 20 },
  { name: 'stories', command: [tool('vitest'), 'run', '--project', 'stories'], minutes: 20 },
  {
    name: 'screens',
    command: [tool('vitest'), 'run', '--project', 'screens'],
    minutes: 20,
    impossible: withoutChromium,
  },
  {
    name: 'browser',
    command: [tool('playwright'), 'test'],
    minutes: 45,
    impossible: withoutChromium,
  },
  {
    name: 'machines',
    command: script('tests/vm/run.ts'),
    minutes: 40,
    beside: true,
  },
]

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !suites.some((suite) => suite.name === name))
if (unknown.length > 0) {
  console.error(`no such suite: ${unknown.join(', ')}; there are ${suites.map((suite) => suite.name).join(', ')}`)
  process.exit(1)
}

// The machines use what the check builds.
const built = await runCommand([tool('turbo'), 'run', 'build', '--output-logs=errors-only'], { timeoutMinutes: 5 })
console.log(built.ok ? `built in ${built.seconds.toFixed(1)} s` : built.output)

const started = performance.now()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vps-results-'))
const wanted = suites.filter((suite) => chosen.length === 0 || chosen.includes(suite.name))
const results = await Promise.all(wanted.filter((suite) => suite.beside).map(run))
for (const suite of wanted.filter((one) => !one.beside)) results.push(await run(suite))
fs.rmSync(folder, { recursive: true, force: true })

console.log(`\n── summary`)
for (const { suite, result, seconds, stoodStill } of results) {
  const { passed, failures, skipped } = result
  const time = `${suite.name.padEnd(10)} ${seconds.toFixed(1).padStart(7)} s`
  console.log(`${time}  ${passed} passed, ${failures.length} failed, ${skipped.length} skipped`)
  if (stoodStill) console.log(`${suite.name} was begun anew: ${briefly(stoodStill)}`)
}
console.log(`all in     ${((performance.now() - started) / 1000 + built.seconds).toFixed(1).padStart(7)} s`)
const total = addResults(results.map(({ result }) => result))
const everything =
  results.length === suites.length &&
  results.every(({ suite, result }) => suite.name === 'check' || result.ran.length > 0)
const proofs = judgeProofs(total, everything)
console.log(`specification: ${proofs.proven} of ${proofs.all} proofs ran and passed`)
for (const { row, file, name } of proofs.missing) console.log(`not proven ${row}: no test passed as ${file} › ${name}`)
for (const { suite, result } of results)
  for (const skip of result.skipped) console.log(`skipped ${suite.name}: ${skip.name}: ${skip.reason}`)
// Last: of a long log often the end alone is kept.
for (const { suite, result } of results)
  for (const { name, error } of result.failures) console.log(`failed ${suite.name}: ${name}\n${briefly(error)}`)
const failed = total.failures.length + proofs.missing.length
console.log(`${total.passed} passed, ${failed} failed, ${total.skipped.length} skipped`)
process.exitCode = failed === 0 && total.passed > 0 ? 0 : 1

function briefly(error: string): string {
  const lines = stripVTControlCharacters(error).split('\n').slice(0, 12)
  return lines.map((line) => `    ${line.slice(0, 300)}`).join('\n')
}

type Ended = { suite: Suite; result: TestResult; seconds: number; stoodStill?: string }

async function run(suite: Suite): Promise<Ended> {
  console.log(`\n── ${suite.name}`)
  return { suite, ...(await runSuite(suite)) }
}

async function runSuite(suite: Suite, before?: string): Promise<Omit<Ended, 'suite'>> {
  const impossible = suite.impossible?.()
  if (impossible) return { result: skipped(impossible), seconds: 0 }
  const file = path.join(folder, `${suite.name}.json`)
  const { ok, output, seconds } = await runCommand(suite.command, {
    timeoutMinutes: suite.minutes,
    env: { TEST_RESULT_FILE: file, FORCE_COLOR: process.stdout.isTTY ? '1' : '0' },
    onOutput: suite.beside ? wholeLines(`${suite.name} │ `) : (text) => process.stdout.write(text),
  })
  const reported = readTestResult(file)
  fs.rmSync(file, { force: true })
  if (reported?.stoodStill && reported.failures.length === 0 && !before) {
    console.log(`\n── ${suite.name}, begun anew`)
    const anew = await runSuite(suite, reported.stoodStill)
    return { ...anew, seconds: seconds + anew.seconds }
  }
  return { result: judge(suite, ok, output, reported), seconds, ...(before && { stoodStill: before }) }
}

function wholeLines(prefix: string): (text: string) => void {
  let rest = ''
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) console.log(prefix + line)
  }
}

/** Broken, or without a test, is a failure. */
function judge(suite: Suite, ok: boolean, output: string, reported: TestResult | undefined): TestResult {
  if (suite.name === 'check') return ok ? { passed: 1, failures: [], skipped: [], ran: [] } : broken('check', output)
  const reason = /^skipped: (.+)$/m.exec(output)?.[1]
  if (!reported && ok && reason) return skipped(reason)
  if (!reported) return broken(`${suite.name} ended without a result`, output)
  if (!ok && reported.failures.length === 0) return addResults([reported, broken(`${suite.name} broke`, output)])
  if (reported.passed + reported.failures.length + reported.skipped.length === 0)
    return broken(`${suite.name} ran no test`, output)
  return reported
}

function skipped(reason: string): TestResult {
  return { passed: 0, failures: [], skipped: [{ name: 'all', reason }], ran: [] }
}

/** Its last words say most. */
function broken(name: string, output: string): TestResult {
  const error = output.trimEnd().split('\n').slice(-12).join('\n')
  return { passed: 0, failures: [{ name, error }], skipped: [], ran: [] }
}
