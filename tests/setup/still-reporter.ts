import { setTimeout as wait } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright'
import type { Reporter, TestCase, TestSpecification, Vitest } from 'vitest/node'
import { writeTestResult } from '../../scripts/test-result.js'
import { resultOf, titlesOf } from './vitest-reporter.js'

/** Beyond every bound of a test and its hooks. */
const longestMs = 6 * 60_000
const answerMs = 30_000

/**
 * Vitest waits for a browser's page without end (vitest-dev/vitest issues 10791, 11243). Where no test has ended for
 * long, this ends the run and says which tests were on and what each page does.
 */
export default class StillReporter implements Reporter {
  private vitest: Vitest | null = null
  private end: NodeJS.Timeout | undefined
  private look: NodeJS.Timeout | undefined
  private readonly running = new Set<TestCase>()
  private readonly watched = new Map<Page, Promise<Watched | null>>()

  onInit(vitest: Vitest): void {
    this.vitest = vitest
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    if (!specifications.some(({ project }) => project.config.browser.enabled)) return
    this.end = setTimeout(() => void this.endRun(), longestMs)
    this.look = setInterval(() => this.attachToPages(), 500)
  }

  onTestCaseReady(test: TestCase): void {
    this.running.add(test)
  }

  onTestCaseResult(test: TestCase): void {
    this.running.delete(test)
    this.end?.refresh()
  }

  onTestRunEnd(): void {
    clearTimeout(this.end)
    clearInterval(this.look)
  }

  /** Early, as a page that stands still takes no debugger. */
  private attachToPages(): void {
    const providers = (this.vitest?.projects ?? []).map(({ browser }) => browser?.provider)
    const pages = providers.flatMap((one) =>
      one && 'pages' in one ? [...(one.pages as Map<string, Page>).values()] : [],
    )
    for (const page of pages) if (!this.watched.has(page)) this.watched.set(page, attach(page))
  }

  private async endRun(): Promise<void> {
    const tests = [...this.running].map((test) => `on: ${titlesOf(test).join(' › ')}`)
    const pages = await Promise.all([...this.watched.values()].map(whatItDoes))
    const said = pages.map(({ text }) => text)
    const message = [`no test has ended for ${longestMs / 1000} s`, ...tests, ...said].join('\n')
    console.error(`\n${message}`)
    const computes = pages.some((page) => page.computes)
    const result = resultOf(this.vitest?.state.getTestModules() ?? [], computes ? [{ message }] : [])
    writeTestResult({ ...result, ...(!computes && { stoodStill: message }) })
    process.exit(1)
  }
}

interface Watched {
  session: CDPSession
  scripts: Map<string, string>
}

/** Null of a page that is gone. */
async function attach(page: Page): Promise<Watched | null> {
  try {
    const session = await page.context().newCDPSession(page)
    const scripts = new Map<string, string>()
    session.on('Debugger.scriptParsed', ({ scriptId, url }) => scripts.set(scriptId, url))
    await session.send('Debugger.enable')
    return { session, scripts }
  } catch {
    return null
  }
}

/** Bounded: a page that computes answers none. */
async function whatItDoes(attached: Promise<Watched | null>): Promise<{ computes: boolean; text: string }> {
  const watched = await within(attached)
  if (watched === null) return gone
  if (watched === undefined) return { computes: true, text: 'a page takes no debugger' }
  const expression = `frames.length && frames[0].location.pathname + ': ' + frames[0].document.body.innerText.replace(/\\s+/g, ' ').slice(0, 200)`
  try {
    const answer = await within(watched.session.send('Runtime.evaluate', { expression }))
    if (answer) return { computes: false, text: `a page answers, and shows ${answer.result.value}` }
    return { computes: true, text: `a page’s script computes without end:\n${await whereItIs(watched)}` }
  } catch {
    return gone
  }
}

const gone = { computes: false, text: 'a page is gone' }

async function whereItIs({ session, scripts }: Watched): Promise<string> {
  const paused = new Promise<string>((resolve) => {
    session.once('Debugger.paused', ({ callFrames }) => {
      const places = callFrames.map(({ functionName, location }) => {
        const url = scripts.get(location.scriptId) ?? ''
        return `  ${functionName || 'a function'} ${url.replace(/^.*:\d+\//, '').replace(/\?.*/, '')}:${location.lineNumber + 1}`
      })
      resolve(places.slice(0, 12).join('\n'))
    })
  })
  const [where] = await Promise.all([within(paused), session.send('Debugger.pause')])
  return where ?? '  and does not stop for a debugger'
}

const within = <T>(answer: Promise<T>): Promise<T | undefined> =>
  Promise.race([answer, wait(answerMs, undefined, { ref: false })])
