import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { protocolVersion } from '@vps/shared/agent'
import { connectApi } from './api.js'
import { type JournalEntry, openJournal } from './journal.js'
import { Lanes } from './lanes.js'
import { openMemory } from './memory.js'
import { quickHost, quickLimits, quietPresence, temporaryFolder } from './testing/agent.js'

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
