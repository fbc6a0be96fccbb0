import type { FullResult, Reporter, Suite } from '@playwright/test/reporter'
import path from 'node:path'
import { root } from '../../scripts/run-command.js'
import { writeTestResult, type TestResult } from '../../scripts/test-result.js'

/** With the reason of every skip. */
export default class CountingReporter implements Reporter {
  private suite: Suite | undefined
  private errors = 0

  onBegin(_config: unknown, suite: Suite): void {
    this.suite = suite
  }

  onError(): void {
    this.errors += 1
  }

  onEnd(run: FullResult): void {
    const result: TestResult = { passed: 0, failed: this.errors, skipped: [], ran: [] }
    for (const test of this.suite?.allTests() ?? []) {
      const outcome = test.outcome()
      if (outcome === 'expected') {
        result.passed += 1
        // After run, project and file.
        const name = test.titlePath().slice(3).join(' › ')
        result.ran.push({ file: path.relative(root, test.location.file), name })
      } else if (outcome === 'skipped') {
        const reason = test.annotations.find((annotation) => annotation.type === 'skip')?.description
        result.skipped.push({ name: test.title, reason: reason ?? 'not reached' })
      } else result.failed += 1
    }
    if (run.status !== 'passed' && result.failed === 0) result.failed += 1
    writeTestResult(result)
  }
}
