import path from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { root } from '../../scripts/run-command.js'
import { writeTestResult, type TestResult } from '../../scripts/test-result.js'

/** With the reason of every skip, which vitest's JSON leaves out. */
export default class CountingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const result: TestResult = { passed: 0, failed: errors.length, skipped: [], ran: [] }
    for (const module of modules) {
      // A file that did not load has no tests to fail.
      const before = result.failed
      for (const test of module.children.allTests()) {
        const outcome = test.result()
        if (outcome.state === 'passed') {
          result.passed += 1
          result.ran.push({ file: path.relative(root, module.moduleId), name: titlesOf(test).join(' › ') })
        }
        if (outcome.state === 'failed') result.failed += 1
        if (outcome.state === 'skipped' || outcome.state === 'pending')
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

function titlesOf(test: TestCase): string[] {
  const titles = [test.name]
  for (let parent = test.parent; parent.type === 'suite'; parent = parent.parent) titles.unshift(parent.name)
  return titles
}
