import fs from 'node:fs'

export type Failure = { name: string; error: string }

export type TestResult = {
  passed: number
  failures: Failure[]
  skipped: { name: string; reason: string }[]
  /** File from the root; titles joined by ` › `. */
  ran: { file: string; name: string }[]
  /** What was seen as the run ended because the tool waited for nothing any more. */
  stoodStill?: string
}

/** Does nothing when one file is run by hand. */
export function writeTestResult(result: TestResult): void {
  const file = process.env['TEST_RESULT_FILE']
  if (file) fs.writeFileSync(file, JSON.stringify(result))
}

/** Undefined where the suite broke before it could report. */
export function readTestResult(file: string): TestResult | undefined {
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as TestResult) : undefined
}

export function textOf(errors: readonly { stack?: string | undefined; message?: string | undefined }[]): string {
  return errors.map(({ stack, message }) => stack ?? message ?? '').join('\n')
}

export function addResults(results: readonly TestResult[]): TestResult {
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failures: results.flatMap(({ failures }) => failures),
    skipped: results.flatMap(({ skipped }) => skipped),
    ran: results.flatMap(({ ran }) => ran),
  }
}
