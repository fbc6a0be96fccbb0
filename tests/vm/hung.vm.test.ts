import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { order } from '../../packages/agent/src/testing/machines.js'
import { ScriptedApi } from '../../packages/agent/src/testing/scripted-api.js'
import { applyFiles, makeHostFolder, patient, qemuOf, settingsOf, startAgentProcess, virsh } from './host.js'

/** A hanging QEMU (SIGSTOP; in the field: stuck storage) beside a well one. The tests follow each other. */

const [stuck, well] = [randomUUID(), randomUUID()]
const folder = makeHostFolder()
const api = new ScriptedApi()
let agent: ReturnType<typeof startAgentProcess>

beforeAll(async () => {
  await api.listen()
  const hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.open()
  await applyFiles(hypervisor, stuck, 2)
  await applyFiles(hypervisor, well, 3)
  agent = startAgentProcess(folder, { API_URL: api.url, AGENT_TOKEN: api.hostToken })
})
afterAll(async () => {
  await agent.kill('SIGKILL')
  await api.close()
})

const told = (serverId: string) => api.reports.at(-1)?.domains.find((domain) => domain.serverId === serverId)
const does = (serverId: string, payload: JobPayload) => api.enqueue(order(serverId, payload)).result

test('one hung QEMU is told as hung and unknown, and the others report on with their figures', async () => {
  await vi.waitFor(() => expect([told(stuck)?.power, told(well)?.power]).toEqual(['on', 'on']), patient.actMs)
  process.kill(qemuOf(stuck), 'SIGSTOP')
  const before = api.reports.length
  await vi.waitFor(() => expect(told(stuck)).toMatchObject({ power: 'unknown', condition: 'hung' }), {
    timeout: patient.actMs,
    interval: 200,
  })
  expect(told(well)).toMatchObject({ power: 'on', condition: null, cpuUsage: expect.any(Number) })
  for (const report of api.reports.slice(before))
    expect(report.domains.find(({ serverId }) => serverId === well)?.power).toBe('on')
  expect(api.inventories.length).toBeGreaterThan(0)
})

test('a hung machine is forced off, and does not come back by itself', async () => {
  expect(await does(stuck, { kind: 'stop', force: true, graceSeconds: 0 })).toMatchObject({ ok: true, power: 'off' })
  expect(await virsh(['list', '--all', '--autostart', '--uuid'])).toBe(well)
  await vi.waitFor(() => expect(told(stuck)).toMatchObject({ power: 'off', condition: null }), patient.actMs)
})

test('a hung machine is shut down without force too: its power is cut when the grace time is over', async () => {
  expect(await does(stuck, { kind: 'start' })).toMatchObject({ ok: true, power: 'on' })
  process.kill(qemuOf(stuck), 'SIGSTOP')
  expect(await does(stuck, { kind: 'stop', force: false, graceSeconds: 5 })).toMatchObject({ ok: true, power: 'off' })
})

test('a hung machine is destroyed, and nothing of it is left', async () => {
  process.kill(qemuOf(well), 'SIGSTOP')
  expect(await does(well, { kind: 'destroy' })).toMatchObject({ ok: true, power: 'absent' })
  expect(await does(stuck, { kind: 'destroy' })).toMatchObject({ ok: true, power: 'absent' })
  expect(readdirSync(folder.storageDir)).toEqual(['base', 'storage.id'])
})
