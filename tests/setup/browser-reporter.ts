import type { FullResult, Reporter, Suite, TestError } from '@playwright/test/reporter'
import path from 'node:path'
import { root } from '../../scripts/run-command.js'
import { textOf, writeTestResult, type Failure, type TestResult } from '../../scripts/test-result.js'

/** With the reason of every skip. */
export default class CountingReporter implements Reporter {
  private suite: Suite | undefined
  private readonly failures: Failure[] = []

  onBegin(_config: unknown, suite: Suite): void {
    this.suite = suite
  }

  onError(error: TestError): void {
    this.failures.push({ name: 'outside of any test', error: textOf([error]) })
  }

  onEnd(run: FullResult): void {
    const { failures } = this
    const result: TestResult = { passed: 0, failures, skipped: [], ran: [] }
    for (const test of this.suite?.allTests() ?? []) {
      const outcome = test.outcome()
      // After run, project and file.
      const name = test.titlePath().slice(3).join(' › ')
      const file = path.relative(root, test.location.file)
      if (outcome === 'expected') {
        result.passed += 1
        result.ran.push({ file, name })
      } else if (outcome === 'skipped') {
        const reason = test.annotations.find((annotation) => annotation.type === 'skip')?.description
        result.skipped.push({ name: test.title, reason: reason ?? 'not reached' })
      } else failures.push({ name: `${file} › ${name}`, error: textOf(test.results.flatMap(({ errors }) => errors)) })
    }
    if (run.status !== 'passed' && failures.length === 0) failures.push({ name: 'the run', error: run.status })
    writeTestResult(result)
  }
}
