import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { protocolVersion } from '@vps/shared/agent'
import { connectApi } from './api.js'
import { type JournalEntry, openJournal } from './journal.js'
import { Lanes } from './lanes.js'
import { openMemory } from './memory.js'
import type { Run } from './run.js'
import { putFaults, quickHost, quickLimits, quietPresence, temporaryFolder } from './testing/agent.js'
import { machine } from './testing/machines.js'
import { ScriptedApi } from './testing/scripted-api.js'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => {
  vi.useRealTimers()
  folder.remove()
})

test('an interrupted job is named in claims for its ten minutes, also where the clock is set right meanwhile', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  const hypervisor = quickHost(folder.path)
  const instanceId = randomUUID()
  const lanes = new Lanes({
    api: connectApi('http://127.0.0.1:9', () => null),
    identity: { protocol: protocolVersion, agentVersion: '1', machineId: 'test-machine', instanceId, before: [] },
    journal: openJournal(folder.path),
    log: pino({ level: 'silent' }),
    onFatal: () => {},
    job: { hypervisor, presence: quietPresence(hypervisor), memory: openMemory(folder.path), limits: quickLimits },
    beatMs: 10_000,
    size: 4,
    onEnded: () => {},
  })
  const entry: JournalEntry = {
    jobId: randomUUID(),
    serverId: randomUUID(),
    kind: 'install',
    attempt: 1,
    generation: { epoch: 1, number: 1 },
    steps: [],
    percentage: 0,
    result: null,
  }
  lanes.recover([entry])
  const held = [{ jobId: entry.jobId, attempt: 1 }]
  vi.setSystemTime(Date.now() + 8 * 3_600_000)
  expect(lanes.holding()).toEqual(held)
  vi.advanceTimersByTime(9 * 60_000)
  expect(lanes.holding()).toEqual(held)
  vi.advanceTimersByTime(61_000)
  expect(lanes.holding()).toEqual([])
})

test('a restart that was called off waits for its guest no longer once an act that turns it off follows', async () => {
  const api = new ScriptedApi()
  await api.listen()
  const hypervisor = quickHost(folder.path)
  const [serverId, generation] = [randomUUID(), { epoch: 0, number: 1 }]
  const ended: Run[] = []
  const lanes = new Lanes({
    api: connectApi(api.url, () => api.hostToken),
    identity: {
      protocol: protocolVersion,
      agentVersion: '1',
      machineId: 'test-machine',
      instanceId: randomUUID(),
      before: [],
    },
    journal: openJournal(folder.path),
    log: pino({ level: 'silent' }),
    onFatal: () => {},
    job: {
      hypervisor,
      presence: quietPresence(hypervisor),
      memory: openMemory(folder.path),
      limits: { ...quickLimits, graceMs: 2 ** 30 },
    },
    beatMs: 1000,
    size: 4,
    onEnded: (run) => void ended.push(run),
  })
  const told: boolean[] = []
  api.onBeat = ({ steps }) => {
    const isWaiting = steps.some(({ name, status }) => name === 'stopMachine' && status === 'running')
    if (isWaiting) told.push(told.length > 0)
    return { lost: false, abort: isWaiting, overtaken: told.at(-1) ?? false }
  }
  const secrets = { password: 'Correct-Horse-1' }
  const job = { serverId, attempt: 1, leaseSeconds: 40, generation, secrets }
  lanes.accept({ ...job, id: randomUUID(), payload: { kind: 'install', machine: machine() } })
  await expect.poll(() => ended.length, { timeout: 30_000 }).toBe(1)
  putFaults(folder.path, { verb: 'askShutdown', kind: 'lie' })
  lanes.accept({ ...job, id: randomUUID(), payload: { kind: 'restart' } })
  await expect.poll(() => ended.length, { timeout: 60_000 }).toBe(2)
  expect(told.slice(0, 2)).toEqual([false, true])
  expect(ended[1]?.journalled.result).toMatchObject({ ok: false, aborted: true, power: 'on' })
  await lanes.stop()
  await api.close()
}, 90_000)
