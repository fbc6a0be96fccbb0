import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { machine, order } from '../../packages/agent/src/testing/machines.js'
import { ScriptedApi } from '../../packages/agent/src/testing/scripted-api.js'
import { applyFiles, makeHostFolder, settingsOf, startAgentProcess, virsh } from './host.js'

/** `/dev/kvm` that opens and is none, as where the BIOS has lost its setting. The tests follow each other. */

const folder = makeHostFolder()
const serverId = randomUUID()
const broken = '宿主机的硬件虚拟化（KVM）不可用，服务器暂时无法启动'
const hadKvm = existsSync('/dev/kvm')
const soon = { timeout: 60_000, interval: 100 }
let api: ScriptedApi
let agent: ReturnType<typeof startAgentProcess>

beforeAll(async () => {
  if (hadKvm) await run('mount', ['--bind', '/dev/null', '/dev/kvm'])
  api = new ScriptedApi()
  await api.listen()
  agent = startAgentProcess(folder, { API_URL: api.url, AGENT_TOKEN: api.hostToken, DOMAIN_TYPE: 'kvm' })
})
afterAll(async () => {
  await agent.kill('SIGKILL')
  await api.close()
  if (hadKvm) await run('umount', ['/dev/kvm'])
})

test('a host that is to run by KVM and cannot says so, and refuses an install before anything is made', async () => {
  await vi.waitFor(() => expect(api.inventories.at(-1)?.capacity).toMatchObject({ kvmWorks: false }), soon)
  const result = await api.enqueue(order(serverId, { kind: 'install', machine: machine() }, { password: 'Never-1' }))
    .result
  expect(result).toMatchObject({ ok: false, final: true, message: broken, power: 'absent' })
  expect(await virsh(['list', '--all', '--uuid'])).toBe('')
})

test('a machine that runs is not stopped by a restart, as it would stay off', async () => {
  const emulating = openVirsh(settingsOf(folder))
  await emulating.open()
  await applyFiles(emulating, serverId, 2)
  const result = await api.enqueue(order(serverId, { kind: 'restart' })).result
  expect(result).toMatchObject({ ok: false, message: broken, power: 'on' })
  await emulating.remove(serverId)
})

test('where KVM breaks after the last look, a start that failed says so all the same', async () => {
  const byKvm = openVirsh({ ...settingsOf(folder), domainType: 'kvm' })
  await byKvm.open()
  await expect(applyFiles(byKvm, serverId, 2)).rejects.toMatchObject({ customer: broken })
  await byKvm.remove(serverId)
})

test('a host that emulates on purpose tells nothing of it', async () => {
  expect((await openVirsh(settingsOf(folder)).capacity()).kvmWorks).toBeUndefined()
})
