import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { oneFile } from '../../../tests/setup/one-file.js'
import { putFaults, quickHost, temporaryFolder } from './testing/agent.js'
import { ImageSource } from './testing/image-source.js'
import { machine, order } from './testing/machines.js'
import { ScriptedApi } from './testing/scripted-api.js'
import { lacksSmallDisks, mountSmallDisk } from './testing/small-disk.js'

const password = 'Correct-Horse-1'
/** Agents start several times. */
const patient = { timeout: 240_000 }
let folder: ReturnType<typeof temporaryFolder>
let api: ScriptedApi
let children: ChildProcess[]

let program: Awaited<ReturnType<typeof oneFile>>
beforeAll(async () => {
  program = await oneFile('agent', 'main')
})
afterAll(() => program.remove())

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

function run(change: Record<string, string> = {}, stdout: 'pipe' | number = 'pipe') {
  const child = spawn(process.execPath, [program.file], {
    env: {
      PATH: process.env['PATH'],
      API_URL: api.url,
      ENROLMENT_TOKEN: 'one-time-enrolment-token',
      STATE_DIR: folder.path,
      HYPERVISOR: 'simulated',
      ALLOWED_NETWORKS: '127.0.0.0/8',
      SIMULATED_INSTALL_MS: '0',
      SIMULATED_POWER_MS: '0',
      SIMULATED_FAULTS_FILE: join(folder.path, 'faults.json'),
      ...change,
    },
    stdio: ['ignore', stdout, 'pipe'],
  })
  children.push(child)
  let output = ''
  child.stdout?.on('data', (data) => (output += String(data)))
  child.stderr?.on('data', (data) => (output += String(data)))
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.on('exit', (code, signal) => resolve({ code, signal })),
  )
  return { child, ended, output: () => output }
}
const install = () => order(randomUUID(), { kind: 'install', machine: machine() }, { password })

test('an agent killed with kill -9 in mid-install brings the install to its end after a restart', patient, async () => {
  putFaults(folder.path, { verb: 'start', kind: 'killAfter' })
  const job = install()
  const { id, result } = api.enqueue(job)
  expect(await run().ended).toEqual({ code: null, signal: 'SIGKILL' })
  run()
  expect(await result).toEqual({ ok: true, power: 'on', proven: true })
  expect(api.attempts).toEqual([1, 2])
  expect(api.stepsOf(id).every((step) => step.status === 'done')).toBe(true)
  expect((await quickHost(folder.path).find(job.serverId)).disks).toHaveLength(1)
})

test(
  'an agent killed with kill -9 anywhere in a transfer goes on after its restart, and installs on what it fetched',
  patient,
  async () => {
    const source = new ImageSource(60_000_000)
    await source.listen()
    const file = 'own-1.qcow2'
    const image = source.image({ file })
    api.wanted = [image]
    const images = join(folder.path, 'images')
    const bytesOf = (name: string) => statSync(join(images, name), { throwIfNoEntry: false })?.size ?? 0
    const told = () => api.reports.flatMap(({ transfers }) => transfers.map((one) => [one.file, one.status]))
    let printed = ''
    for (const upTo of [1000, 100_000, 20_000_000, 60_000_000]) {
      source.misbehave = (request, response) => (source.serve(request, response, upTo), true)
      const agent = run()
      const there = () => Math.max(bytesOf(`${file}.part`), bytesOf(file))
      await expect.poll(() => there(), { timeout: 60_000, interval: 5 }).toBe(upTo)
      if (upTo === 20_000_000) await expect.poll(() => told()).toContainEqual([file, 'running'])
      agent.child.kill('SIGKILL')
      await agent.ended
      printed += agent.output()
      expect([0, 60_000_000]).toContain(bytesOf(file))
    }
    source.misbehave = () => false
    const last = run()
    const listed = () => api.inventories.at(-1)?.images.find((one) => one.file === file)
    await expect.poll(() => listed()).toMatchObject({ file, bytes: 60_000_000, sha256: image.sha256 })
    expect(source.asked.map(({ headers }) => headers.range)).toEqual([
      undefined,
      'bytes=1000-',
      'bytes=100000-',
      'bytes=20000000-',
    ])
    expect(api.inventories.flatMap((one) => one.images).filter((one) => one.file.includes('.part'))).toEqual([])
    expect(printed + last.output()).not.toContain('geheim')

    const wrong = machine({ image: { ...machine().image, file, sha256: 'f'.repeat(64) } })
    const refused = await api.enqueue(order(randomUUID(), { kind: 'install', machine: wrong }, { password })).result
    expect(refused).toMatchObject({ ok: false, final: true, message: '系统镜像校验失败' })
    const right = machine({ image: { ...machine().image, file, sha256: image.sha256 } })
    const done = await api.enqueue(order(randomUUID(), { kind: 'install', machine: right }, { password })).result
    expect(done).toMatchObject({ ok: true, proven: true })
    await source.close()
  },
)

test('SIGTERM ends an agent in the middle of a job, and leaves the job to the next start', async () => {
  putFaults(folder.path, { verb: 'awaitBoot', kind: 'hang' })
  const { id, result } = api.enqueue(install())
  const first = run()
  await expect.poll(() => api.stepsOf(id).find((step) => step.name === 'awaitBoot')?.status).toBe('running')
  first.child.kill('SIGTERM')
  expect(await first.ended).toEqual({ code: 0, signal: null })
  run()
  expect(await result).toMatchObject({ ok: true })
})

test('an agent that is started where nothing can be written stays, says so, and works once something can', async ({
  skip,
}) => {
  if (lacksSmallDisks) skip(lacksSmallDisks)
  const disk = mountSmallDisk(folder.path)
  try {
    const first = run()
    await expect.poll(() => api.claims.length).toBeGreaterThan(0)
    first.child.kill('SIGTERM')
    await first.ended
    disk.fill()
    const second = run()
    await expect.poll(() => api.reports.at(-1)?.away).toMatchObject({ kind: 'state' })
    expect(second.child.exitCode).toBeNull()
    const { result } = api.enqueue(install())
    disk.makeRoom()
    expect(await result).toMatchObject({ ok: true, proven: true })
    second.child.kill('SIGTERM')
    await second.ended
  } finally {
    disk.unmount()
  }
})

test('an agent starts whose journal is damaged where nothing can be written, as after an error of the disk', async ({
  skip,
}) => {
  if (lacksSmallDisks) skip(lacksSmallDisks)
  const disk = mountSmallDisk(folder.path)
  try {
    const first = run()
    await expect.poll(() => api.claims.length).toBeGreaterThan(0)
    first.child.kill('SIGTERM')
    await first.ended
    // One that cannot be read at all, and one that says nothing.
    mkdirSync(join(folder.path, 'jobs', `${randomUUID()}.json`), { recursive: true })
    writeFileSync(join(folder.path, 'jobs', `${randomUUID()}.json`), '{"jobId":')
    disk.setReadOnly(true)
    const second = run()
    await expect.poll(() => second.child.exitCode ?? api.reports.at(-1)?.away).toMatchObject({ kind: 'state' })
    expect(second.output().match(/journal file cannot be read/g)).toHaveLength(2)
    second.child.kill('SIGTERM')
    await second.ended
  } finally {
    disk.unmount()
  }
})

test('what an agent that was killed left in its temporary folders goes with the next start', async () => {
  const left = join(folder.path, 'tmp', 'act-killed')
  mkdirSync(left, { recursive: true })
  writeFileSync(join(left, 'domain.xml'), '<domain/>')
  run()
  await expect.poll(() => api.claims.length).toBeGreaterThan(0)
  expect(existsSync(left)).toBe(false)
})

test('an agent whose log cannot be written, as on a full disk, works on and ends as ever', async () => {
  const full = openSync('/dev/full', 'w')
  const agent = run({ LOG_LEVEL: 'debug' }, full)
  expect(await api.enqueue(install()).result).toMatchObject({ ok: true, proven: true })
  agent.child.kill('SIGTERM')
  expect(await agent.ended).toEqual({ code: 0, signal: null })
  closeSync(full)
})

test('a second agent on the same folder is refused with one sentence', async () => {
  run()
  await expect.poll(() => api.claims.length).toBeGreaterThan(0)
  expect(statSync(join(folder.path, 'host.json')).mode & 0o777).toBe(0o600)
  const second = run()
  expect(await second.ended).toEqual({ code: 1, signal: null })
  expect(second.output()).toMatch(/^Another agent is already running on .*\n$/)
})

test.each([
  ['asks again', false],
  ['is started again', true],
])('an agent whose enrolment’s answer was lost %s and is enrolled', async (_how, killed) => {
  api.loseEnrolment = true
  const first = run()
  await expect.poll(() => api.enrolments.length).toBeGreaterThan(0)
  if (killed) {
    first.child.kill('SIGKILL')
    await first.ended
    run()
  }
  await expect.poll(() => api.claims.length).toBeGreaterThan(0)
  expect(new Set(api.enrolments.map(({ hostToken }) => hostToken)).size).toBe(1)
  expect(readdirSync(folder.path)).not.toContain('enrolment.json')
})

test('an agent whose own files are damaged starts all the same, or says which and what to do', async () => {
  for (const name of ['enrolment.json', 'starts.json', 'host.json']) {
    writeFileSync(join(folder.path, name), '{"instanceIds":')
    const before = api.claims.length
    const agent = run(name === 'host.json' ? { ENROLMENT_TOKEN: 'another-enrolment-token' } : {})
    await expect.poll(() => api.claims.length).toBeGreaterThan(before)
    agent.child.kill('SIGTERM')
    await agent.ended
  }
  writeFileSync(join(folder.path, 'host.json'), '')
  const agent = run({ ENROLMENT_TOKEN: '', LOG_LEVEL: 'silent' })
  expect(await agent.ended).toEqual({ code: 1, signal: null })
  expect(agent.output()).toMatch(/host\.json is damaged: set ENROLMENT_TOKEN .*anew\.\n$/)
})

test('another enrolment token in the settings enrols the host anew', async () => {
  const first = run()
  await expect.poll(() => api.claims.length).toBeGreaterThan(0)
  first.child.kill('SIGTERM')
  await first.ended
  // As after a revoked token.
  Object.assign(api, { hostToken: 'second-host-token' })
  const refused = run()
  expect(await refused.ended).toMatchObject({ code: 1 })
  expect(refused.output()).toContain('Set a new ENROLMENT_TOKEN, and no AGENT_TOKEN')
  const before = api.claims.length
  run({ ENROLMENT_TOKEN: 'another-enrolment-token' })
  await expect.poll(() => api.claims.length).toBeGreaterThan(before)
})

test.each([
  [
    'production refuses simulated machines',
    { NODE_ENV: 'production' },
    /HYPERVISOR=simulated is refused in production/,
  ],
  ['an agent that is not enrolled says so', { ENROLMENT_TOKEN: '' }, /not enrolled yet: set ENROLMENT_TOKEN/],
  ['a wrong setting is named', { LANES: 'many' }, /^LANES is not valid/],
  [
    'a folder for machines that cannot be used is named',
    { HYPERVISOR: 'virsh', STORAGE: '/dev/null/machines' },
    /^STORAGE \/dev\/null\/machines cannot be used: /,
  ],
])('%s', async (_name, change, sentence) => {
  const agent = run({ LOG_LEVEL: 'silent', ...change })
  expect(await agent.ended).toEqual({ code: 1, signal: null })
  expect(agent.output()).toMatch(sentence)
  expect(agent.output().trim().split('\n')).toHaveLength(1)
  expect(existsSync(join(folder.path, 'host.json'))).toBe(false)
})
