import { createHash, randomInt } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import path from 'node:path'
import { json as readJson } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import type { AppRouter } from '../../packages/api/src/http/trpc/app-router.js'
import type * as errors from '@vps/shared/errors'
import { createServer, type Plugin } from 'vite'
import type * as describing from '../../packages/api/src/trpc/describe.js'
import type * as refusing from '../../packages/api/src/errors.js'
import { scriptedRemote } from './scripted-remote.ts'
import { foreignAnswers, type Call, type Reply } from '../../packages/web/src/testing/script.ts'

type Api = Awaited<ReturnType<typeof loadApi>>

const packages = path.resolve(import.meta.dirname, '../../packages')

/**
 * Scripted answers behind the API's own contracts, over real HTTP. What breaks a contract or was not foreseen is kept
 * for the test. `PUT /script` writes answers, `GET` gives what was asked; a header names each test's script.
 */
export function scriptedServer(): Plugin {
  const lateness = latenessFrom(process.env)
  const scripts = new Map<string, Scripted>()
  let loaded: Promise<Api> | null = null

  return {
    name: 'scripted-server',
    configureServer(server) {
      if (server.httpServer) scriptedRemote(server.httpServer as Server)
      const api = () => (loaded ??= loadApi())
      const scriptOf = ({ headers }: IncomingMessage): Scripted => {
        const who = String(headers['script'])
        const own = scripts.get(who) ?? createScript(api, lateness)
        scripts.set(who, own)
        return own
      }
      server.middlewares.use('/script', (request, response) => {
        const { play, calls } = scriptOf(request)
        const given = request.method === 'PUT' ? readJson(request).then((replies) => play(replies as Replies)) : calls()
        void Promise.resolve(given).then((data) => response.end(JSON.stringify(data)))
      })
      server.middlewares.use((request, response, next) => {
        if (!request.url?.startsWith('/trpc/')) return next()
        void scriptOf(request).answer(request, response)
      })
    },
  }
}

type Replies = Record<string, Reply | readonly Reply[]> | null
type Scripted = ReturnType<typeof createScript>
type Lateness = ((call: string) => number) | null

/** `LATE_ANSWERS`: each call and each answer is on its way for up to so many ms, drawn from `SEED` and which it is. */
function latenessFrom({ LATE_ANSWERS, SEED = String(randomInt(2 ** 31)) }: NodeJS.ProcessEnv): Lateness {
  if (!LATE_ANSWERS) return null
  process.stdout.write(`Calls and answers come late: LATE_ANSWERS=${LATE_ANSWERS} SEED=${SEED}\n`)
  const draw = (call: string) => createHash('sha256').update(`${SEED} ${call}`).digest().readUInt32BE() / 2 ** 32
  return (call) => draw(call) * Number(LATE_ANSWERS)
}

function createScript(api: () => Promise<Api>, lateness: Lateness) {
  let script: NonNullable<Replies> = {}
  let calls: Call[] = []
  let faults: string[] = []
  let waiting: { response: ServerResponse; again: () => void }[] = []
  const times = new Map<string, number>()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const behind = await api()
      await onItsWay(request.url ?? '')
      const url = new URL(request.url ?? '', 'http://screen')
      const inputs = (
        request.method === 'POST' ? await readJson(request) : JSON.parse(url.searchParams.get('input') ?? '{}')
      ) as Record<string, unknown>
      const paths = decodeURIComponent(url.pathname.slice('/trpc/'.length)).split(',')
      const sent = paths.map((path, n) => ({ path, input: inputs[String(n)] ?? null }))
      calls.push(...sent)
      respond(behind, sent, response)
    } catch (error) {
      faults.push(String(error))
      response.destroy()
    }
  }

  function respond(behind: Api, sent: Call[], response: ServerResponse): void {
    const answers = sent.map((call) => reply(behind, call))
    if (answers.includes('lost')) return later(sent, () => breakOff(response))
    if (answers.includes('no answer'))
      return void waiting.push({ response, again: () => respond(behind, sent, response) })
    const foreign = answers.find((one) => typeof one === 'string' && one in foreignAnswers)
    if (foreign) {
      const { status, type, body } = foreignAnswers[foreign as keyof typeof foreignAnswers]
      return later(sent, () => response.writeHead(status, { 'content-type': type }).end(body))
    }
    const statuses = new Set(answers.map((one) => (typeof one === 'string' ? 500 : one.status)))
    const body = JSON.stringify(answers.map((one) => (typeof one === 'string' ? null : one.body)))
    const status = statuses.size === 1 ? [...statuses][0]! : 207
    later(sent, () => response.writeHead(status, { 'content-type': 'application/json' }).end(body))
  }

  /** What it says is decided: only its way takes long. */
  function later(sent: Call[], give: () => unknown): void {
    if (!lateness) return void give()
    void onItsWay(sent.map(({ path }) => path).join(',')).then(give)
  }

  /** A call, or an answer: by which of a test's of its kind it is. */
  async function onItsWay(what: string): Promise<void> {
    if (!lateness) return
    const time = (times.get(what) ?? 0) + 1
    times.set(what, time)
    await setTimeout(lateness(`${what} ${time}`))
  }

  function reply({ describe, refuse }: Api, { path: name, input }: Call) {
    const { input: takes, output } = describe(name)
    const wrong = takes?.safeParse(input ?? undefined)
    if (wrong?.error) faults.push(`${name} was called with what its contract refuses: ${wrong.error.message}`)
    const written = script[name]
    const next = Array.isArray(written) ? (written.length > 1 ? written.shift() : written[0]) : written
    if (next === undefined) {
      faults.push(`${name} was called, and no answer is written down for it`)
      return refuse(name, { refused: 'INTERNAL' })
    }
    if (typeof next === 'string') return next
    if ('refused' in next) return refuse(name, next)
    // From the wire's form to the server's inner one, and back.
    const { data: inside, error } = output.safeEncode(next.data)
    if (error) faults.push(`${name} would be answered with what its contract refuses: ${error.message}`)
    return { status: 200, body: { result: { data: error ? next.data : output.parse(inside) } } }
  }

  /** Answers waiting calls, too; null ends the test. Gives what was wrong until now. */
  function play(replies: Replies): string[] {
    const [found, held] = [faults, waiting]
    script = replies ?? {}
    calls = []
    faults = []
    waiting = []
    for (const { response, again } of held) {
      if (replies) again()
      else breakOff(response)
    }
    return found
  }

  return { answer, play, calls: () => calls }
}

/** After the head: else Chromium would resend it into the next test. */
function breakOff(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
  response.write('[', () => response.destroy())
}

const source = '@vps/source'

/** Needs no build; Vitest's loader would evaluate libraries as ES modules, too. */
async function loadApi() {
  const loader = await createServer({
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    ssr: { resolve: { conditions: [source], externalConditions: [source] } },
  })
  const load = <T>(file: string) => loader.ssrLoadModule(path.join(packages, file)) as Promise<T>
  const { appRouter } = await load<{ appRouter: AppRouter }>('api/src/http/trpc/app-router.ts')
  const { describeProcedure } = await load<typeof describing>('api/src/trpc/describe.ts')
  const { Refusal, errorBody } = await load<typeof refusing>('api/src/errors.ts')
  const { errorTable } = await load<typeof errors>('shared/src/errors.ts')
  await loader.close()
  return {
    describe: (name: string) => describeProcedure(appRouter, name),
    /** As the door's error formatter puts it. */
    refuse(name: string, { refused, ...details }: Extract<Reply, { refused: unknown }>) {
      const body = errorBody(new Refusal(refused, details))
      const { status } = errorTable[refused]
      return {
        status,
        body: { error: { message: body.message, code: -32_000, data: { ...body, httpStatus: status, path: name } } },
      }
    },
  }
}
