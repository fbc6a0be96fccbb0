import fs from 'node:fs'

/** What a suite reports of itself, in the file that `TEST_RESULT_FILE` names. */
export type TestResult = {
  passed: number
  failed: number
  skipped: { name: string; reason: string }[]
  /** Every test that passed: its file from the root, and its titles from the outermost in, joined by ` › `. */
  ran: { file: string; name: string }[]
}

/** Called by the reporters of vitest and Playwright; does nothing when a person runs one file by hand. */
export function writeTestResult(result: TestResult): void {
  const file = process.env['TEST_RESULT_FILE']
  if (file) fs.writeFileSync(file, JSON.stringify(result))
}

/** The result of a suite that has ended; nothing where it broke before it could report. */
export function readTestResult(file: string): TestResult | undefined {
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as TestResult) : undefined
}

/** Several suites as one. */
export function addResults(results: readonly TestResult[]): TestResult {
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
    skipped: results.flatMap(({ skipped }) => skipped),
    ran: results.flatMap(({ ran }) => ran),
  }
}
