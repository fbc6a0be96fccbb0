import type { Reporter, TestModule } from 'vitest/node'
import { writeTestResult, type TestResult } from '../../scripts/test-result.js'

/** Counts for `npm test`, with the reason of every skip, which vitest's own JSON leaves out. */
export default class CountingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const result: TestResult = { passed: 0, failed: errors.length, skipped: [] }
    for (const module of modules) {
      // A file that could not be loaded has no tests to fail.
      const before = result.failed
      for (const test of module.children.allTests()) {
        const outcome = test.result()
        if (outcome.state === 'passed') result.passed += 1
        else if (outcome.state === 'failed') result.failed += 1
        else
          result.skipped.push({
            name: test.fullName,
            reason: (outcome.state === 'skipped' && outcome.note) || 'no reason given',
          })
      }
      if (module.state() === 'failed' && result.failed === before) result.failed += 1
    }
    writeTestResult(result)
  }
}
