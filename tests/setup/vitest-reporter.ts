import path from 'node:path'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'
import { root } from '../../scripts/run-command.js'
import { textOf, writeTestResult, type Failure, type TestResult } from '../../scripts/test-result.js'

/**
 * With the reason of every skip, which vitest's JSON leaves out. What failed is said at once, in case the run is cut
 * off.
 */
export default class CountingReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result()
    if (state === 'failed') console.error(`failed: ${titlesOf(test).join(' › ')}: ${errors[0]?.message}`)
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    writeTestResult(resultOf(modules, errors))
  }
}

export function resultOf(modules: readonly TestModule[], errors: readonly SerializedError[]): TestResult {
  const failures: Failure[] = errors.map((error) => ({ name: 'outside of any test', error: textOf([error]) }))
  const result: TestResult = { passed: 0, failures, skipped: [], ran: [] }
  for (const module of modules) {
    const file = path.relative(root, module.moduleId)
    // A file that did not load has no tests to fail.
    const before = failures.length
    for (const test of module.children.allTests()) {
      const outcome = test.result()
      const name = titlesOf(test).join(' › ')
      if (outcome.state === 'passed') {
        result.passed += 1
        result.ran.push({ file, name })
      }
      if (outcome.state === 'failed') failures.push({ name: `${file} › ${name}`, error: textOf(outcome.errors) })
      if (outcome.state === 'skipped' || outcome.state === 'pending')
        result.skipped.push({
          name: test.fullName,
          reason: (outcome.state === 'skipped' && outcome.note) || 'no reason given',
        })
    }
    if (module.state() === 'failed' && failures.length === before)
      failures.push({ name: file, error: textOf(module.errors()) })
  }
  return result
}

export function titlesOf(test: TestCase): string[] {
  const titles = [test.name]
  for (let parent = test.parent; parent.type === 'suite'; parent = parent.parent) titles.unshift(parent.name)
  return titles
}
