import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { machine, order } from '../../packages/agent/src/testing/machines.js'
import { ScriptedApi } from '../../packages/agent/src/testing/scripted-api.js'
import { applyFiles, libvirtd, makeHostFolder, settingsOf, sshLogin, startAgentProcess, virsh } from './host.js'

const password = 'While-It-Was-Away-4'
let folder: ReturnType<typeof makeHostFolder>
let api: ScriptedApi
let agent: ReturnType<typeof startAgentProcess>

beforeEach(async () => {
  folder = makeHostFolder()
  api = new ScriptedApi()
  await api.listen()
})
afterEach(async () => {
  await agent.kill('SIGKILL')
  await api.close()
})
const startAgent = (env: Record<string, string> = {}) => {
  agent = startAgentProcess(folder, { API_URL: api.url, AGENT_TOKEN: api.hostToken, ...env })
}
const soon = { timeout: 60_000, interval: 100 }

test('libvirt killed while a guest boots costs no try and no lease: the install waits and is done when it is back', async () => {
  startAgent()
  const serverId = randomUUID()
  const { id, result } = api.enqueue(
    order(serverId, { kind: 'install', machine: machine({ sshPort: 22622 }) }, { password }),
  )
  const step = (name: string) => api.stepsOf(id).find((one) => one.name === name)?.status
  await vi.waitFor(() => expect(step('awaitBoot')).toBe('running'), soon)
  libvirtd.kill()
  await vi.waitFor(() => expect(api.reports.at(-1)?.away).toMatchObject({ kind: 'libvirt' }), soon)
  await vi.waitFor(() => expect(api.claims.at(-1)?.freeLanes).toBe(0), soon)
  // The lease is held by beats all the while.
  const beats = api.beats.length
  await vi.waitFor(() => expect(api.beats.length).toBeGreaterThan(beats), soon)
  await libvirtd.start()
  expect(await result).toEqual({ ok: true, power: 'on', proven: true })
  expect(api.attempts).toEqual([1])
  expect(await sshLogin('10.77.0.2', 22622, password, 'id -un')).toBe('root')
  await vi.waitFor(() => expect(api.reports.at(-1)).toMatchObject({ away: null, domains: [{ serverId }] }), soon)
  await vi.waitFor(() => expect(api.claims.at(-1)?.freeLanes).toBe(4), soon)
  expect(await api.enqueue(order(serverId, { kind: 'destroy' })).result).toMatchObject({ ok: true })
})

test('at boot the agent waits for libvirt and for its bridge, says which one is away, and begins by itself', async () => {
  libvirtd.kill()
  startAgent({ NETWORK: 'bridge:br-late' })
  await vi.waitFor(() => expect(api.reports.at(-1)?.away).toMatchObject({ kind: 'libvirt' }), soon)
  await libvirtd.start()
  await vi.waitFor(() => expect(api.reports.at(-1)?.away).toMatchObject({ kind: 'network' }), soon)
  expect(api.inventories).toEqual([])
  await run('ip', ['link', 'add', 'br-late', 'type', 'bridge'])
  await vi.waitFor(() => expect(api.inventories).toHaveLength(1), soon)
  await vi.waitFor(() => expect(api.claims.at(-1)?.freeLanes).toBe(4), soon)
  expect(await virsh(['list', '--all', '--uuid'])).toBe('')
})

test('a storage that is not mounted at boot is waited for, and nothing is made in its empty place', async () => {
  const mounted = `${folder.storageDir}-mounted`
  const hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.open()
  const serverId = randomUUID()
  await applyFiles(hypervisor, serverId, 2)
  await hypervisor.cutPower(serverId)
  renameSync(folder.storageDir, mounted)
  mkdirSync(folder.storageDir)
  startAgent()
  const { result } = api.enqueue(order(serverId, { kind: 'start' }))
  await vi.waitFor(
    () => expect(api.reports.at(-1)).toMatchObject({ away: { kind: 'storage' }, domains: [{ serverId }] }),
    soon,
  )
  await vi.waitFor(() => expect(api.claims.at(-1)?.freeLanes).toBe(0), soon)
  expect([api.inventories, readdirSync(folder.storageDir)]).toEqual([[], []])
  rmdirSync(folder.storageDir)
  renameSync(mounted, folder.storageDir)
  expect(await result).toMatchObject({ ok: true, power: 'on' })
  await hypervisor.remove(serverId)
})

test('a storage that is unmounted while an act is under way costs it no try', async () => {
  const mounted = `${folder.storageDir}-mounted`
  const hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.open()
  const serverId = randomUUID()
  await applyFiles(hypervisor, serverId, 2)
  await hypervisor.cutPower(serverId)
  renameSync(folder.storageDir, mounted)
  mkdirSync(folder.storageDir)
  await expect(hypervisor.start(serverId)).rejects.toMatchObject({ away: { kind: 'storage' } })
  // libvirt has begun a serial log there.
  rmSync(folder.storageDir, { recursive: true })
  renameSync(mounted, folder.storageDir)
  await hypervisor.start(serverId)
  await hypervisor.remove(serverId)
})
