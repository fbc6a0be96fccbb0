import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { putFaults, quickHost, temporaryFolder } from './testing/agent.js'
import { machine, order } from './testing/machines.js'
import { ScriptedApi } from './testing/scripted-api.js'

/** The agent as a process of its own, as an operator runs it. */

const password = 'Correct-Horse-1'
let folder: ReturnType<typeof temporaryFolder>
let api: ScriptedApi
let children: ChildProcess[]

beforeEach(async () => {
  folder = temporaryFolder()
  api = new ScriptedApi()
  await api.listen()
  children = []
})
afterEach(async () => {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  await api.close()
  folder.remove()
})

function run(change: Record<string, string> = {}) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--conditions=@vps/source', join(import.meta.dirname, 'main.ts')],
    {
      env: {
        PATH: process.env['PATH'],
        API_URL: api.url,
        ENROLMENT_TOKEN: 'one-time-enrolment-token',
        STATE_DIR: folder.path,
        HYPERVISOR: 'simulated',
        SIMULATED_INSTALL_MS: '0',
        SIMULATED_POWER_MS: '0',
        SIMULATED_FAULTS_FILE: join(folder.path, 'faults.json'),
        ...change,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  children.push(child)
  let output = ''
  child.stdout.on('data', (data) => (output += String(data)))
  child.stderr.on('data', (data) => (output += String(data)))
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.on('exit', (code, signal) => resolve({ code, signal })),
  )
  return { child, ended, output: () => output }
}
const install = () => order(randomUUID(), { kind: 'install', machine: machine() }, { password })

test(
  'an agent killed with kill -9 in mid-install brings the install to its end after a restart',
  { timeout: 30_000 },
  async () => {
    putFaults(folder.path, { verb: 'start', kind: 'killAfter' })
    const job = install()
    const { id, result } = api.enqueue(job)
    expect(await run().ended).toEqual({ code: null, signal: 'SIGKILL' })
    run()
    expect(await result).toEqual({ ok: true, power: 'on', proven: true })
    expect(api.attempts).toEqual([1, 2])
    expect(api.stepsOf(id).every((step) => step.status === 'done')).toBe(true)
    expect((await quickHost(folder.path).find(job.serverId)).disks).toHaveLength(1)
  },
)

test('SIGTERM ends the agent within 5 s and leaves the job to the next start', { timeout: 30_000 }, async () => {
  putFaults(folder.path, { verb: 'awaitBoot', kind: 'hang' })
  const { id, result } = api.enqueue(install())
  const first = run()
  await vi.waitFor(
    () => expect(api.stepsOf(id).find((step) => step.name === 'awaitBoot')?.status).toBe('running'),
    15_000,
  )
  const asked = performance.now()
  first.child.kill('SIGTERM')
  expect(await first.ended).toEqual({ code: 0, signal: null })
  expect(performance.now() - asked).toBeLessThan(5000)
  run()
  expect(await result).toMatchObject({ ok: true })
})

test('a second agent on the same folder is refused with one sentence', { timeout: 30_000 }, async () => {
  run()
  await vi.waitFor(() => expect(api.claims.length).toBeGreaterThan(0), 15_000)
  expect(statSync(join(folder.path, 'host.json')).mode & 0o777).toBe(0o600)
  const second = run()
  expect(await second.ended).toEqual({ code: 1, signal: null })
  expect(second.output()).toMatch(/^Another agent is already running on .*\n$/)
})

test('another enrolment token in the settings enrols the host anew', { timeout: 30_000 }, async () => {
  const first = run()
  await vi.waitFor(() => expect(api.claims.length).toBeGreaterThan(0), 15_000)
  first.child.kill('SIGTERM')
  await first.ended
  // The API has forgotten the host, as after a revoked token.
  Object.assign(api, { hostToken: 'second-host-token' })
  const refused = run()
  expect(await refused.ended).toMatchObject({ code: 1 })
  expect(refused.output()).toContain('Set a new ENROLMENT_TOKEN')
  const before = api.claims.length
  run({ ENROLMENT_TOKEN: 'another-enrolment-token' })
  await vi.waitFor(() => expect(api.claims.length).toBeGreaterThan(before), 15_000)
})

test.each([
  [
    'production refuses simulated machines',
    { NODE_ENV: 'production' },
    /HYPERVISOR=simulated is refused in production/,
  ],
  ['an agent that is not enrolled says so', { ENROLMENT_TOKEN: '' }, /not enrolled yet: set ENROLMENT_TOKEN/],
  ['a wrong setting is named', { LANES: 'many' }, /^LANES is not valid/],
])('%s', { timeout: 30_000 }, async (_name, change, sentence) => {
  const agent = run({ LOG_LEVEL: 'silent', ...change })
  expect(await agent.ended).toEqual({ code: 1, signal: null })
  expect(agent.output()).toMatch(sentence)
  expect(agent.output().trim().split('\n')).toHaveLength(1)
  expect(existsSync(join(folder.path, 'host.json'))).toBe(false)
})
