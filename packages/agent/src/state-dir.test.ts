import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { quickHost, startTestAgent, temporaryFolder } from './testing/agent.js'
import { machine, order } from './testing/machines.js'
import { ScriptedApi } from './testing/scripted-api.js'
import { lacksSmallDisks, mountSmallDisk } from './testing/small-disk.js'

if (lacksSmallDisks && process.env['CI']) throw new Error(lacksSmallDisks)

const password = 'Correct-Horse-1'
let host: ReturnType<typeof temporaryFolder>
let state: ReturnType<typeof temporaryFolder>
let disk: ReturnType<typeof mountSmallDisk>
let api: ScriptedApi
beforeEach(async ({ skip }) => {
  if (lacksSmallDisks) skip(lacksSmallDisks)
  host = temporaryFolder()
  state = temporaryFolder()
  disk = mountSmallDisk(state.path)
  api = new ScriptedApi()
  await api.listen()
})
afterEach(async () => {
  if (lacksSmallDisks) return
  await api.close()
  disk.unmount()
  for (const folder of [host, state]) folder.remove()
})

const install = (): JobPayload => ({ kind: 'install', machine: machine() })
const lastReport = () => api.reports.at(-1)

test(
  'an agent that can write nothing any more says so, holds what runs, takes nothing new, and goes on once there is room',
  { timeout: 240_000 },
  async () => {
    const agent = await startTestAgent(api, state.path, quickHost(host.path, { installMs: 5000 }))
    const serverId = randomUUID()
    const first = api.enqueue(order(serverId, install(), { password }))
    await expect.poll(() => api.stepsOf(first.id).find(({ name }) => name === 'awaitBoot')?.status).toBe('running')
    disk.fill()
    const full = { kind: 'state', detail: expect.stringContaining('ENOSPC') }
    await expect.poll(() => lastReport()).toMatchObject({ away: full, domains: [{ serverId, power: 'on' }] })
    await expect.poll(() => api.claims.at(-1)?.freeLanes).toBe(0)
    const second = api.enqueue(order(randomUUID(), install(), { password }))
    await expect.poll(() => api.stepsOf(first.id).find(({ name }) => name === 'proveLogin')?.status).toBe('running')
    expect([agent.fatal, api.attempts]).toEqual([[], [1]])
    disk.makeRoom()
    expect(await first.result).toMatchObject({ ok: true, proven: true })
    expect(await second.result).toMatchObject({ ok: true, proven: true })
    expect(api.attempts).toEqual([1, 1])
    await expect.poll(() => lastReport()?.away).toBeNull()
    await agent.stop()
  },
)
