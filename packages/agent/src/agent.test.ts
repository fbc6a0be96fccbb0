import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectionTestMs } from '@vps/shared/agent'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Hypervisor } from './hypervisor/hypervisor.js'
import { openMemory } from './memory.js'
import { putFaults, quickHost, quickLimits, startTestAgent, temporaryFolder } from './testing/agent.js'
import { ImageSource } from './testing/image-source.js'
import { machine, order } from './testing/machines.js'
import { ScriptedApi } from './testing/scripted-api.js'

const password = 'Correct-Horse-1'
let folder: ReturnType<typeof temporaryFolder>
let api: ScriptedApi
let host: Hypervisor
let agents: Awaited<ReturnType<typeof startTestAgent>>[]

beforeEach(async () => {
  folder = temporaryFolder()
  api = new ScriptedApi()
  await api.listen()
  host = quickHost(folder.path)
  agents = []
})
afterEach(async () => {
  await Promise.all(agents.map((agent) => agent.stop()))
  await api.close()
  folder.remove()
})

async function startAgent(hypervisor = host, limits = quickLimits) {
  const agent = await startTestAgent(api, folder.path, hypervisor, limits)
  agents.push(agent)
  return agent
}
const install = (): JobPayload => ({ kind: 'install', machine: machine() })

test('an installed machine runs, comes back after a reboot, accepts the password and holds no seed', async () => {
  await startAgent()
  const serverId = randomUUID()
  const { id, result } = api.enqueue(order(serverId, install(), { password }))
  expect(await result).toEqual({ ok: true, power: 'on', proven: true })
  expect(await host.find(serverId)).toMatchObject({ power: 'on', autostart: true, seeds: [] })
  expect(api.stepsOf(id).map((step) => [step.label, step.status])).toEqual([
    ['校验镜像', 'done'],
    ['创建磁盘', 'done'],
    ['生成初始化配置', 'done'],
    ['定义虚拟机', 'done'],
    ['启动虚拟机', 'done'],
    ['等待系统启动', 'done'],
    ['验证登录', 'done'],
    ['移除初始化配置', 'done'],
  ])
})

test('what the API answers to an inventory is what the host holds its guests to: their networks, and no router’s address', async () => {
  const networks = [{ serverId: randomUUID(), addresses: ['10.0.0.2', '2001:db8::2'], prefixes: ['2001:db8::/64'] }]
  api.held = { networks, routers: ['fe80::1'] }
  const guard = vi.spyOn(host, 'guard')
  await startAgent()
  await expect.poll(() => guard.mock.calls[0]).toEqual([networks, ['fe80::1']])
})

test('stop, start, restart and a new password leave the machine as ordered, and destroy leaves nothing', async () => {
  await startAgent()
  const serverId = randomUUID()
  const does = (payload: JobPayload, secret?: string) =>
    api.enqueue(order(serverId, payload, secret ? { password: secret } : {})).result
  await does(install(), password)
  expect(await does({ kind: 'stop', force: false, graceSeconds: 5 })).toMatchObject({ ok: true, power: 'off' })
  expect((await host.find(serverId)).autostart).toBe(false)
  expect(await does({ kind: 'start' })).toMatchObject({ ok: true, power: 'on' })
  expect((await host.find(serverId)).autostart).toBe(true)
  expect(await does({ kind: 'restart' })).toMatchObject({ ok: true, power: 'on' })
  expect(await does({ kind: 'resetPassword', username: 'root', byRestart: false }, 'Other-Horse-2')).toMatchObject({
    ok: true,
    proven: true,
  })
  const access = (await host.find(serverId)).access
  const hostKey = await openMemory(folder.path).hostKeyOf(serverId, { epoch: 1, number: 1 })
  await expect(host.tryLogin(serverId, access!, password, hostKey!)).rejects.toThrow('refused')
  const told = api.inventories.length
  expect(await does({ kind: 'destroy' })).toMatchObject({ ok: true, power: 'absent' })
  await expect.poll(() => api.inventories.length).toBeGreaterThan(told)
  expect(api.inventories.at(-1)).toMatchObject({ domains: [], volumes: [] })
})

test('a job handed out again while it runs carries on under the new attempt number and is done once', async () => {
  const awaitBoot: Hypervisor['awaitBoot'] = async (...given) => {
    if (api.attempts.length === 1) api.loseLease(id)
    await expect.poll(() => api.attempts).toEqual([1, 2])
    return host.awaitBoot(...given)
  }
  await startAgent({ ...host, awaitBoot })
  const { id, result } = api.enqueue(order(randomUUID(), install(), { password }))
  expect(await result).toMatchObject({ ok: true })
  expect(api.attempts).toEqual([1, 2])
  expect(api.stepsOf(id).every((step) => step.status === 'done')).toBe(true)
})

test('a beat of before it was handed out again, answered after, stops nothing', async () => {
  const isAgain = () => api.claims.at(-1)?.running.some(({ attempt }) => attempt === 2)
  const awaitBoot: Hypervisor['awaitBoot'] = async (...given) => {
    await expect.poll(() => api.beats.some(({ attempt }) => attempt === 2)).toBe(true)
    return host.awaitBoot(...given)
  }
  await startAgent({ ...host, awaitBoot })
  api.onBeat = async ({ attempt, steps }) => {
    if (attempt > 1 || !steps.some(({ name, status }) => name === 'awaitBoot' && status === 'running')) return
    api.loseLease(id)
    await expect.poll(isAgain).toBe(true)
  }
  const { id, result } = api.enqueue(order(randomUUID(), install(), { password }))
  expect(await result).toEqual({ ok: true, power: 'on', proven: true })
  expect(api.attempts).toEqual([1, 2])
})

test('a job holds its lease from its beginning, however slowly it is told what is there', async () => {
  const find = async (serverId: string) => {
    await expect.poll(() => api.beats.length).toBeGreaterThan(0)
    return host.find(serverId)
  }
  await startAgent({ ...host, find })
  const { result } = api.enqueue(order(randomUUID(), install(), { password }))
  expect(await result).toMatchObject({ ok: true })
})

test('an older generation than one seen before is refused for good', async () => {
  await startAgent()
  const serverId = randomUUID()
  await api.enqueue(order(serverId, install(), { password, generation: { epoch: 1, number: 5 } })).result
  const late = api.enqueue(order(serverId, install(), { password, generation: { epoch: 1, number: 4 } }))
  expect(await late.result).toMatchObject({ ok: false, final: true, power: 'on' })
  expect((await host.find(serverId)).disks).toEqual([{ epoch: 1, number: 5 }])
})

test('a failed try of an install leaves nothing behind, and the next try is whole', async () => {
  await startAgent()
  const serverId = randomUUID()
  putFaults(folder.path, { verb: 'awaitBoot', kind: 'fail' })
  expect(await api.enqueue(order(serverId, install(), { password })).result).toMatchObject({ ok: false, final: false })
  expect((await host.find(serverId)).power).toBe('absent')
  expect(await host.inventory()).toMatchObject({ domains: [], volumes: [] })
  expect(await api.enqueue(order(serverId, install(), { password })).result).toMatchObject({ ok: true })
})

test('an abort by a beat ends an install early and takes it back', async () => {
  await startAgent(quickHost(folder.path, {}))
  const serverId = randomUUID()
  putFaults(folder.path, { verb: 'awaitBoot', kind: 'hang' })
  api.onBeat = () => ({ abort: true })
  const { result } = api.enqueue(order(serverId, install(), { password }))
  expect(await result).toMatchObject({ ok: false, aborted: true, message: '操作已中止' })
  expect((await quickHost(folder.path).find(serverId)).power).toBe('absent')
})

test('a lost lease stops the work without a report', async () => {
  await startAgent()
  putFaults(folder.path, { verb: 'awaitBoot', kind: 'hang' })
  const serverId = randomUUID()
  const { id } = api.enqueue(order(serverId, install(), { password }))
  let lost = false
  api.onBeat = ({ steps }) => {
    if (steps.some((step) => step.name === 'awaitBoot' && step.status === 'running')) lost = true
    return { lost }
  }
  await expect.poll(() => lost).toBe(true)
  await expect.poll(() => readdirSync(join(folder.path, 'jobs'))).toEqual([])
  expect(api.stepsOf(id).some((step) => step.status === 'failed')).toBe(false)
  expect((await host.find(serverId)).power).toBe('on')
})

test('a job that comes again while its lost try has not ended yet is done by the next one', async () => {
  const serverId = randomUUID()
  const isAgain = () => api.claims.at(-1)?.running.some(({ attempt }) => attempt === 2)
  const backUp: Hypervisor['backUp'] = async (server, place, copying) => {
    if (isAgain()) return host.backUp(server, place, copying)
    await once(copying.signal, 'abort')
    api.loseLease(id)
    await expect.poll(isAgain).toBe(true)
    throw copying.signal.reason
  }
  await startAgent({ ...host, backUp })
  await api.enqueue(order(serverId, install(), { password })).result
  api.onBeat = ({ jobId, attempt, steps }) => {
    const isCopying = steps.some(({ name, status }) => name === 'backUp' && status === 'running')
    return jobId === id && attempt === 1 && isCopying ? { lost: true } : {}
  }
  const repository = { url: '/backups', password: 'Of-The-Repository-1', environment: {}, uploadLimitKib: 0 }
  const { id, result } = api.enqueue({ ...order(serverId, { kind: 'backup', backupId: randomUUID() }), repository })
  expect(await result).toMatchObject({ ok: true })
})

test('a job handed out again while its success is told is told under the new attempt number, and not done again', async () => {
  let starts = 0
  const start: Hypervisor['start'] = (...given) => ((starts += 1), host.start(...given))
  await startAgent({ ...host, start })
  const isAgain = () => api.claims.at(-1)?.running.some(({ attempt }) => attempt === 2)
  const told: number[] = []
  api.onFinish = async ({ attempt }) => {
    told.push(attempt)
    if (told.length > 1) return
    api.loseLease(id)
    await expect.poll(isAgain).toBe(true)
  }
  const { id, result } = api.enqueue(order(randomUUID(), install(), { password }))
  expect(await result).toEqual({ ok: true, power: 'on', proven: true })
  expect([told, starts]).toEqual([[1, 2], 1])
  await expect.poll(() => readdirSync(join(folder.path, 'jobs'))).toEqual([])
})

test('a failed try whose report was taken unheard is followed by a real one, not by the same report', async () => {
  await startAgent()
  const serverId = randomUUID()
  putFaults(folder.path, { verb: 'awaitBoot', kind: 'fail' })
  api.loseFailure = true
  const { result } = api.enqueue(order(serverId, install(), { password }))
  expect(await result).toEqual({ ok: true, power: 'on', proven: true })
  expect(api.attempts).toEqual([1, 2])
  await expect.poll(() => readdirSync(join(folder.path, 'jobs'))).toEqual([])
})

test('a forced stop does not wait behind what runs in its lane', async () => {
  await startAgent(host, { ...quickLimits, graceMs: 60_000 })
  const serverId = randomUUID()
  await api.enqueue(order(serverId, install(), { password })).result
  putFaults(folder.path, { verb: 'askShutdown', kind: 'lie' })
  const restart = api.enqueue(order(serverId, { kind: 'restart' }))
  await expect.poll(() => api.stepsOf(restart.id)[0]?.status).toBe('running')
  const forced = api.enqueue(order(serverId, { kind: 'stop', force: true, graceSeconds: 0 }))
  expect(await restart.result).toMatchObject({ ok: false, aborted: true })
  expect(await forced.result).toMatchObject({ ok: true, power: 'off' })
})

test('jobs of one server never overlap, and jobs of several servers run side by side', async () => {
  const askShutdown: Hypervisor['askShutdown'] = async (id) => {
    if (id === one) await expect.poll(() => api.stepsOf(other.id)).not.toEqual([])
    return host.askShutdown(id)
  }
  await startAgent({ ...host, askShutdown })
  const servers = [randomUUID(), randomUUID(), randomUUID()]
  await Promise.all(servers.map((id) => api.enqueue(order(id, install(), { password })).result))
  const span = (id: string) => {
    const steps = api.stepsOf(id)
    return [Date.parse(steps[0]?.startedAt ?? ''), Date.parse(steps.at(-1)?.finishedAt ?? '')] as const
  }
  const one = servers[0] as string
  const first = api.enqueue(order(one, { kind: 'restart' }))
  const second = api.enqueue(order(one, { kind: 'restart' }))
  const other = api.enqueue(order(servers[1] as string, { kind: 'restart' }))
  await Promise.all([first.result, second.result, other.result])
  expect(span(second.id)[0]).toBeGreaterThanOrEqual(span(first.id)[1])
  expect(span(other.id)[0]).toBeLessThan(span(first.id)[1])
})

test('an API that goes away in mid-job and comes back gets the report', async () => {
  let boots = () => {}
  const booted = new Promise<void>((resolve) => (boots = resolve))
  await startAgent({ ...host, awaitBoot: () => booted })
  const { result } = api.enqueue(order(randomUUID(), install(), { password }))
  await expect.poll(() => api.beats.length).toBeGreaterThan(0)
  await api.close()
  boots()
  await vi.waitFor(() => {
    const [file] = readdirSync(join(folder.path, 'jobs')).filter((name) => name.endsWith('.json'))
    expect(JSON.parse(readFileSync(join(folder.path, 'jobs', file as string), 'utf8')).result).toMatchObject({
      ok: true,
    })
  })
  await api.listen()
  expect(await result).toMatchObject({ ok: true, proven: true })
  // The moments of its steps go by it.
  expect(api.beats.filter(({ at }) => at === undefined)).toEqual([])
})

test('a revoked token ends the agent instead of being tried again', async () => {
  const revoked = Object.assign(Object.create(api) as ScriptedApi, { hostToken: 'revoked' })
  const stranger = await startTestAgent(revoked, folder.path, host)
  agents.push(stranger)
  await expect.poll(() => stranger.fatal.length).toBeGreaterThan(0)
  expect(api.claims).toEqual([])
})

test('reports and connection tests tell what the host sees', async () => {
  await startAgent()
  const serverId = randomUUID()
  await api.enqueue(order(serverId, install(), { password })).result
  await expect.poll(() => api.reports.at(-1)?.domains.at(-1)?.serverId).toBe(serverId)
  expect(api.reports.at(-1)?.domains).toMatchObject([{ serverId, power: 'on', cpuUsage: expect.any(Number) }])
  const [open, shut] = [randomUUID(), randomUUID()]
  api.connectionTests.push({ id: open, address: '10.77.0.2', port: 2222 }, { id: shut, address: '10.77.0.9', port: 22 })
  api.enqueue(order(serverId, { kind: 'start' }))
  await expect.poll(() => api.tested.length).toBe(2)
  expect(api.tested.find((one) => one.id === open)).toMatchObject({ sshConnectable: true })
  expect(api.tested.find((one) => one.id === shut)).toMatchObject({ sshConnectable: false, latencyMs: null })
})

test('every connection test of a full host is answered, those that wait behind silent machines too, the newest first', async () => {
  let isSilent = true
  const asked: string[] = []
  const answers: (() => void)[] = []
  await startAgent({
    ...host,
    testConnection: async (address) => {
      asked.push(address)
      if (isSilent) await new Promise<void>((resolve) => answers.push(resolve))
      return 1
    },
  })
  const testsOf = (count: number) =>
    Array.from({ length: count }, (_none, n) => ({ id: randomUUID(), address: `10.77.0.${n}`, port: 22 }))
  const handOut = async (tests: ReturnType<typeof testsOf>) => {
    api.connectionTests.push(...tests)
    api.enqueue(order(randomUUID(), { kind: 'start' }))
    await expect.poll(() => api.connectionTests).toEqual([])
  }
  await handOut(testsOf(200))
  await handOut([{ id: randomUUID(), address: '10.77.1.1', port: 22 }])
  // Who takes the next has those before.
  await handOut(testsOf(1))
  isSilent = false
  const held = answers.length
  for (const answer of answers) answer()
  await expect.poll(() => api.tested.length).toBe(202)
  expect(asked.slice(held, held + 2)).toContain('10.77.1.1')
})

test('a machine that says nothing is told of while who asked still waits', async () => {
  let allowedMs = 0
  await startAgent({
    ...host,
    testConnection: async (_address, _port, limitMs) => {
      allowedMs = limitMs
      return null
    },
  })
  api.connectionTests.push({ id: randomUUID(), address: '10.77.0.2', port: 22 })
  api.enqueue(order(randomUUID(), { kind: 'start' }))
  await expect.poll(() => api.tested).toMatchObject([{ sshConnectable: false }])
  // For the way there and back.
  expect(connectionTestMs.answer - allowedMs).toBeGreaterThanOrEqual(2_000)
})

test('a repository test is answered with what came of it, also while nothing else is to do', async () => {
  await startAgent()
  const repository = { url: '/backups', password: 'Of-The-Repository-1', environment: {}, uploadLimitKib: 0 }
  putFaults(folder.path, { verb: 'testRepository', kind: 'fail' })
  const [failed, fine] = [randomUUID(), randomUUID()]
  api.repositoryTests.push({ id: failed, repository })
  await expect.poll(() => api.repositoriesTested).toMatchObject([{ id: failed, problem: 'other' }])
  api.repositoryTests.push({ id: fine, repository })
  await expect.poll(() => api.repositoriesTested.at(-1)).toMatchObject({ id: fine, problem: null, detail: '' })
})

test('neither journal nor simulated host holds the password', async () => {
  await startAgent()
  putFaults(folder.path, { verb: 'tryLogin', kind: 'hang' })
  const { id } = api.enqueue(order(randomUUID(), install(), { password }))
  await expect.poll(() => api.stepsOf(id).find((step) => step.name === 'proveLogin')?.status).toBe('running')
  const texts = readdirSync(folder.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  expect(texts.length).toBeGreaterThan(2)
  expect(texts.join('\n')).not.toContain(password)
})

test('a transfer that hangs holds up no job, is told in the reports, and does not keep the agent from ending', async () => {
  const source = new ImageSource()
  await source.listen()
  source.misbehave = (request, response) => (source.serve(request, response, 100_000), true)
  api.wanted = [source.image()]
  const agent = await startAgent()
  const transfers = () => api.reports.flatMap((report) => report.transfers)
  await expect.poll(() => transfers()).toContainEqual(expect.objectContaining({ status: 'running', bytes: 100_000 }))
  expect(await api.enqueue(order(randomUUID(), install(), { password })).result).toMatchObject({ ok: true })
  await agent.stop()
  await source.close()
})
