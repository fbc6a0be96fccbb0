import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { BackupRepository, ClaimedJob } from '@vps/shared/agent.contract'
import { firewallTemplates, noFirewall } from '@vps/shared/firewall'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { beforeAll, expect, test } from 'vitest'
import type { Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { runJob } from '../../packages/agent/src/jobs/run-job.js'
import { openMemory } from '../../packages/agent/src/memory.js'
import { quietPresence } from '../../packages/agent/src/testing/agent.js'
import { killingAt, machineAt, makeHostFolder, patient, settingsOf, sshLogin, virsh, type HostFolder } from './host.js'

/**
 * A cold migration's acts (decision 0131) at two hosts that share nothing but the backup storage. They have one libvirt
 * here: what the first has is put out of the second's sight, as it would be on another machine, and back.
 */

const password = 'Chosen-By-Customer-7'
const machine = machineAt(5, { diskGb: 1 })
const serverId = randomUUID()
const backupId = randomUUID()
const [first, second] = [makeHostFolder(), makeHostFolder(null)]
const repository: BackupRepository = {
  url: path.join(first.folder, 'repository'),
  password: 'Of-The-Repository-1',
  environment: {},
  uploadLimitKib: 0,
}
const inside = (command: string) => sshLogin('10.77.0.5', 2222, password, command)

let here: Hypervisor
beforeAll(async () => {
  here = openVirsh(settingsOf(first))
  await here.open()
})

async function perform(host: HostFolder, through: Hypervisor, payload: JobPayload, number = 1) {
  const rest = { attempt: 1, leaseSeconds: 40, secrets: { password }, repository }
  const job: ClaimedJob = { id: randomUUID(), serverId, generation: { epoch: 1, number }, payload, ...rest }
  const deps = {
    hypervisor: through,
    presence: quietPresence(through),
    memory: openMemory(host.stateDir),
    limits: patient,
  }
  return runJob(job, [], deps, new AbortController().signal, async () => {})
}

test('a machine that is off is copied, brought back by a host that knows nothing of it, and destroyed where it was, wherever libvirtd is killed', async () => {
  expect(await perform(first, here, { kind: 'install', machine })).toMatchObject({ ok: true, proven: true })
  const hostKey = await openMemory(first.stateDir).hostKeyOf(serverId, { epoch: 1, number: 1 })
  await inside('echo mine > /root/file; sync')

  const stopping = killingAt(here, ['askShutdown'])
  const stop = { kind: 'stop', force: false, graceSeconds: 60 } as const
  expect(await perform(first, stopping.hypervisor, stop)).toMatchObject({ ok: true, power: 'off' })
  const saving = killingAt(here, ['takeSnapshot', 'backUp', 'deleteSnapshot'])
  const saved = await perform(first, saving.hypervisor, { kind: 'backup', backupId })
  expect(saved).toMatchObject({ ok: true, power: 'off', backup: { hostKey } })
  expect([...stopping.left(), ...saving.left()]).toEqual([])

  const away = path.join(first.folder, 'out-of-sight')
  mkdirSync(away)
  const definition = path.join(away, 'domain.xml')
  writeFileSync(definition, await virsh(['dumpxml', '--inactive', '--domain', serverId]))
  const files = () => readdirSync(first.storageDir).filter((name) => name.startsWith(serverId))
  const disks = files()
  await virsh(['undefine', '--domain', serverId, '--nvram'])
  for (const name of disks) renameSync(path.join(first.storageDir, name), path.join(away, name))

  const there = openVirsh(settingsOf(second))
  await there.open()
  const guarded: (number | null)[] = []
  const start: Hypervisor['start'] = async (...given) => {
    guarded.push((await there.find(serverId)).firewall)
    return there.start(...given)
  }
  const bringing = killingAt({ ...there, start }, ['restoreDisk', 'define', 'applyFirewall', 'start'])
  const firewall = { ...noFirewall, ...firewallTemplates[0]?.made(2222) }
  const restore: JobPayload = { kind: 'restore', backupId, machine, hostKey, firewall: { revision: 3, firewall } }
  const brought = await perform(second, bringing.hypervisor, restore, 2)
  expect(brought, JSON.stringify(brought)).toEqual({ ok: true, power: 'on', proven: true })
  expect(bringing.left()).toEqual([])
  expect(guarded.length).toBeGreaterThan(0)
  expect(guarded.every((revision) => revision === 3)).toBe(true)
  expect((await there.find(serverId)).firewall).toBe(3)
  expect(await inside('cat /root/file')).toBe('mine')
  expect(await perform(second, there, { kind: 'destroy' }, 2)).toMatchObject({ ok: true, power: 'absent' })

  for (const name of disks) renameSync(path.join(away, name), path.join(first.storageDir, name))
  await virsh(['define', '--file', definition])
  const leaving = killingAt(here, ['remove'])
  expect(await perform(first, leaving.hypervisor, { kind: 'destroy' })).toMatchObject({ ok: true, power: 'absent' })
  expect(files()).toEqual([])
})
