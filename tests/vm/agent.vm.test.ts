import { randomUUID } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { JobPayload, JobStep } from '@vps/shared/jobs.contract'
import * as text from '@vps/shared/text'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { fingerprintOf, createHostKey } from '../../packages/agent/src/host-key.js'
import { type Hypervisor, LoginRefused } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { runJob } from '../../packages/agent/src/jobs/run-job.js'
import { openMemory } from '../../packages/agent/src/memory.js'
import { freezeAt } from '../../packages/agent/src/testing/freeze.js'
import { quietPresence } from '../../packages/agent/src/testing/agent.js'
import { machine, order } from '../../packages/agent/src/testing/machines.js'
import { ScriptedApi } from '../../packages/agent/src/testing/scripted-api.js'
import {
  endless,
  filesHolding,
  makeHostFolder,
  patient,
  settingsOf,
  sshLogin,
  startAgentProcess,
  virsh,
} from './host.js'

/** One guest through its life: the tests follow each other. */

const chosen = { password: 'Chosen-By-Customer-7', port: 20222 }
const serverId = randomUUID()
const folder = makeHostFolder()
const api = new ScriptedApi()
/** One that emulation can play, and not its default. */
const terms = { diskIops: 3000, diskMbPerSecond: 150, cpuModel: 'Nehalem' }
const install: JobPayload = {
  kind: 'install',
  machine: machine({ sshPort: chosen.port, hostname: 'shop-1', ...terms }),
}
let agent: ReturnType<typeof startAgentProcess>
let hypervisor: Hypervisor

beforeAll(async () => {
  await api.listen()
  hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.open()
  agent = startAgent()
})
afterAll(async () => {
  await agent.kill('SIGKILL')
  await api.close()
})

const startAgent = () => startAgentProcess(folder, { API_URL: api.url, AGENT_TOKEN: api.hostToken })
const does = (payload: JobPayload, options: { password?: string; generation?: number } = {}) =>
  api.enqueue(
    order(serverId, payload, {
      ...(options.password ? { password: options.password } : {}),
      generation: { epoch: 1, number: options.generation ?? 1 },
    }),
  )
/** The guest's id of this boot: a new one proves a restart. */
const bootId = (password: string, port = chosen.port) =>
  sshLogin('10.77.0.2', port, password, 'cat /proc/sys/kernel/random/boot_id')
const seededKey = async () => (await openMemory(folder.stateDir).hostKeyOf(serverId, { epoch: 1, number: 1 })) as string
async function answering(port = chosen.port) {
  await vi.waitFor(async () => expect(await hypervisor.testConnection('10.77.0.2', port, 10_000)).not.toBeNull(), {
    timeout: patient.bootMs,
    interval: 300,
  })
}

test('an agent killed with kill -9 while the guest boots brings the install to its end after a restart', async () => {
  const { id, result } = does(install, { password: chosen.password })
  await vi.waitFor(() => expect(stepOf(id, 'awaitBoot')?.status).toBe('running'), {
    timeout: patient.actMs,
    interval: 20,
  })
  await agent.kill('SIGKILL')
  agent = startAgent()
  expect(await result).toEqual({ ok: true, power: 'on', proven: true })
  expect(api.attempts).toEqual([1, 2])
})

test('a customer logs in with the password and the port that were chosen, and finds what was bought', async () => {
  expect(await sshLogin('10.77.0.2', chosen.port, chosen.password, 'hostname; id -un; nproc')).toBe('shop-1\nroot\n1')
  // 2 GB ordered, less what the file system takes: the disk has grown.
  const kb = Number(await sshLogin('10.77.0.2', chosen.port, chosen.password, "df -k / | awk 'END {print $2}'"))
  expect(kb).toBeGreaterThan(1.8 * 1024 ** 2)
})

test('QEMU holds the disk to the limits of its group, and the guest sees the processor of its group', async () => {
  const limits = await virsh(['blkdeviotune', serverId, 'vda', '--live'])
  expect(limits).toMatch(/^total_bytes_sec *: 150000000$/m)
  expect(limits).toMatch(/^total_iops_sec *: 3000$/m)
  expect(await sshLogin('10.77.0.2', chosen.port, chosen.password, 'grep -m1 "model name" /proc/cpuinfo')).toContain(
    'Nehalem',
  )
})

test('the seed is gone from the machine and from the disk, and the password lies in no file of the host', async () => {
  expect(await virsh(['dumpxml', serverId])).not.toContain('seed.iso')
  expect(readdirSync(folder.storageDir).filter((name) => name.includes('seed'))).toEqual([])
  expect(filesHolding(chosen.password, folder.stateDir, '/var/log/libvirt', '/etc/libvirt', '/run/libvirt')).toEqual([])
  expect(agent.printed()).not.toContain(chosen.password)
})

test('a wrong password is told apart from a machine that cannot be reached', async () => {
  const access = { address: '10.77.0.2', port: chosen.port, username: 'root', readiness: 'ssh' as const }
  const hostKey = await seededKey()
  const tryAs = (password: string, change: object = {}) =>
    hypervisor.tryLogin(serverId, { ...access, ...change }, password, hostKey)
  await tryAs(chosen.password)
  await expect(tryAs('Wrong-Password-0')).rejects.toBeInstanceOf(LoginRefused)
  await expect(tryAs(chosen.password, { port: 9 })).rejects.not.toBeInstanceOf(LoginRefused)
})

test('the guest has the host key that was seeded and no other, and whoever shows another gets no password', async () => {
  // It asks for each kind of key, and gives up after 5 s by itself: our bound counts.
  const shown = await run('ssh-keyscan', ['-T', '25', '-p', String(chosen.port), '10.77.0.2'], { timeoutMs: 30_000 })
  const keys = shown.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  expect(keys.map((line) => line.split(' ')[1])).toEqual(['ssh-ed25519'])
  expect(fingerprintOf(Buffer.from(keys[0]?.split(' ')[2] ?? '', 'base64'))).toBe(await seededKey())
  const access = { address: '10.77.0.2', port: chosen.port, username: 'root', readiness: 'ssh' as const }
  const login = hypervisor.tryLogin(serverId, access, chosen.password, createHostKey().fingerprint)
  await expect(login).rejects.toThrow('no SSH login')
  await expect(login).rejects.not.toBeInstanceOf(LoginRefused)
})

test('the same install handed out again changes nothing and proves the login again', async () => {
  const before = { boot: await bootId(chosen.password), disk: statSync(disk(1)).ino }
  expect(await does(install, { password: chosen.password }).result).toEqual({ ok: true, power: 'on', proven: true })
  expect({ boot: await bootId(chosen.password), disk: statSync(disk(1)).ino }).toEqual(before)
})

test('reports tell power, processor, memory, disk and traffic of the running guest', async () => {
  await vi.waitFor(
    () =>
      expect(api.reports.at(-1)?.domains).toMatchObject([
        {
          serverId,
          power: 'on',
          cpuUsage: expect.any(Number),
          memoryUsage: expect.any(Number),
          diskUsage: expect.any(Number),
          uptimeSeconds: expect.any(Number),
          rxBytes: expect.any(Number),
        },
      ]),
    { timeout: patient.actMs, interval: 200 },
  )
  // An inventory is taken every 30 s: the last may still have seen the seed image.
  await vi.waitFor(
    () =>
      expect(api.inventories.at(-1)).toMatchObject({
        images: [{ file: 'tiny.qcow2' }],
        domains: [{ uuid: serverId, generation: { epoch: 1, number: 1 }, macs: ['52:54:00:77:00:02'] }],
        volumes: [{ name: `${serverId}.1.1.qcow2` }],
      }),
    { timeout: patient.actMs, interval: 200 },
  )
})

test('a password reset through the guest agent is proven by a login, and the old password is refused', async () => {
  const fresh = 'Reset-Through-Agent-8'
  expect(await does({ kind: 'resetPassword', username: 'root', byRestart: false }, { password: fresh }).result).toEqual(
    {
      ok: true,
      power: 'on',
      proven: true,
    },
  )
  expect(await sshLogin('10.77.0.2', chosen.port, fresh, 'id -un')).toBe('root')
  await expect(sshLogin('10.77.0.2', chosen.port, chosen.password, 'id -un')).rejects.toThrow('sshpass')
  expect(filesHolding(fresh, folder.stateDir, '/var/log/libvirt', '/run/libvirt', '/var/cache/libvirt')).toEqual([])
  expect(filesHolding(Buffer.from(fresh).toString('base64'), '/var/log/libvirt', '/run/libvirt')).toEqual([])
  chosen.password = fresh
})

test('where no guest agent answers, a reset says so at once, and a restart with a one-time image sets the password', async () => {
  const fresh = 'Reset-By-A-Restart-9'
  const asked = (byRestart: boolean) =>
    does({ kind: 'resetPassword', username: 'root', byRestart }, { password: fresh })
  const program = await sshLogin('10.77.0.2', chosen.port, chosen.password, 'command -v qemu-ga')
  await sshLogin('10.77.0.2', chosen.port, chosen.password, `mv ${program} ${program}.away; kill $(pidof qemu-ga)`)
  expect(await asked(false).result).toMatchObject({ ok: false, final: true, message: text.noGuestAgent })

  const before = { boot: await bootId(chosen.password), hostKey: await seededKey() }
  expect(await asked(true).result).toEqual({ ok: true, power: 'on', proven: true })
  chosen.password = fresh
  expect(await bootId(fresh)).not.toBe(before.boot)
  expect(await seededKey()).toBe(before.hostKey)
  expect(readdirSync(folder.storageDir).filter((name) => name.includes('seed'))).toEqual([])
  expect(filesHolding(fresh, folder.stateDir, '/var/log/libvirt', '/run/libvirt', '/var/cache/libvirt')).toEqual([])
  await sshLogin('10.77.0.2', chosen.port, fresh, `mv ${program}.away ${program}`)
})

test('stop, start and restart do what they say, and autostart follows', async () => {
  const first = await bootId(chosen.password)
  expect(await does({ kind: 'stop', force: false, graceSeconds: 30 }).result).toMatchObject({ ok: true, power: 'off' })
  expect(await virsh(['list', '--all', '--autostart', '--uuid'])).toBe('')
  expect(await does({ kind: 'start' }).result).toMatchObject({ ok: true, power: 'on' })
  expect(await virsh(['list', '--autostart', '--uuid'])).toBe(serverId)
  await answering()
  const second = await bootId(chosen.password)
  expect(second).not.toBe(first)
  expect(await does({ kind: 'restart' }).result).toMatchObject({ ok: true, power: 'on' })
  await answering()
  expect(await bootId(chosen.password)).not.toBe(second)
})

test('a resize gives a running guest more processors, memory and disk, and keeps its data', async () => {
  await sshLogin('10.77.0.2', chosen.port, chosen.password, 'echo kept > /root/kept; sync')
  const larger: JobPayload = { kind: 'resize', cpuCores: 2, memoryMb: 768, diskGb: 3, bandwidthMbps: 50 }
  const size = { cpuCores: 2, memoryMb: 768 }
  expect(await does(larger).result).toEqual({ ok: true, power: 'on', proven: false, size })
  await answering()
  const memory = "awk '/MemTotal/ {print int($2 / 1024)}' /proc/meminfo"
  // The network has a queue for each processor.
  const queues = 'ls -d /sys/class/net/e*/queues/tx-* | wc -l'
  const seen = await sshLogin('10.77.0.2', chosen.port, chosen.password, `cat /root/kept; nproc; ${queues}; ${memory}`)
  const [kept, processors, paths, megabytes] = seen.split('\n')
  expect([kept, processors, paths]).toEqual(['kept', '2', '2'])
  expect(Number(megabytes)).toBeGreaterThan(600)
  const kb = () => sshLogin('10.77.0.2', chosen.port, chosen.password, "df -k / | awk 'END {print $2}'")
  await vi.waitFor(async () => expect(Number(await kb())).toBeGreaterThan(2.7 * 1024 ** 2), {
    timeout: patient.actMs,
    interval: 500,
  })
  // Asked again, nothing is left to do: the guest is not restarted.
  const boot = await bootId(chosen.password)
  expect(await does(larger).result).toMatchObject({ ok: true, power: 'on' })
  expect(await bootId(chosen.password)).toBe(boot)
})

test('a resize back after a failed upgrade takes processors and memory back, and leaves the disk and its data', async () => {
  const smaller: JobPayload = { kind: 'resize', cpuCores: 1, memoryMb: 512, diskGb: 2, bandwidthMbps: 50 }
  const size = { cpuCores: 1, memoryMb: 512 }
  expect(await does(smaller).result).toEqual({ ok: true, power: 'on', proven: false, size })
  await answering()
  const look = "cat /root/kept; nproc; df -k / | awk 'END {print $2}'"
  const [kept, processors, kb] = (await sshLogin('10.77.0.2', chosen.port, chosen.password, look)).split('\n')
  expect([kept, processors]).toEqual(['kept', '1'])
  expect(Number(kb)).toBeGreaterThan(2.7 * 1024 ** 2)
})

test('a reinstall brings a new disk with another password and port', async () => {
  const again: JobPayload = { kind: 'reinstall', machine: machine({ sshPort: 30333, hostname: 'shop-2' }) }
  expect(await does(again, { password: 'Reinstalled-9a', generation: 2 }).result).toMatchObject({
    ok: true,
    proven: true,
  })
  expect(await sshLogin('10.77.0.2', 30333, 'Reinstalled-9a', 'hostname')).toBe('shop-2')
  expect(readdirSync(folder.storageDir).filter((name) => name.startsWith(serverId))).toEqual([
    `${serverId}.1.2.qcow2`,
    `${serverId}.serial.log`,
  ])
})

test('a forced stop cuts the power, and destroy leaves nothing', async () => {
  expect(await does({ kind: 'stop', force: true, graceSeconds: 0 }, { generation: 2 }).result).toMatchObject({
    ok: true,
    power: 'off',
  })
  expect(await does({ kind: 'destroy' }, { generation: 2 }).result).toMatchObject({ ok: true, power: 'absent' })
  expect(await virsh(['list', '--all', '--uuid'])).toBe('')
  expect(readdirSync(folder.storageDir)).toEqual(['base', 'storage.id'])
  await vi.waitFor(() => expect(api.inventories.at(-1)).toMatchObject({ domains: [], volumes: [] }), patient.actMs)
})

test('killed after each act in turn, an install is finished by the last agent with one boot', async () => {
  const job: ClaimedJob = {
    id: randomUUID(),
    serverId: randomUUID(),
    attempt: 1,
    leaseSeconds: 40,
    generation: { epoch: 1, number: 1 },
    payload: { kind: 'install', machine: machine({ sshPort: chosen.port }) },
    secrets: { password: chosen.password },
  }
  const memory = openMemory(folder.stateDir)
  const presence = quietPresence(hypervisor)
  const signal = new AbortController().signal
  let journal: JobStep[] = []
  const progress = async (steps: JobStep[]) => {
    journal = steps
  }
  for (const verb of ['createDisk', 'createSeed', 'define', 'start', 'awaitBoot', 'tryLogin', 'removeSeed'] as const) {
    const frozen = freezeAt(hypervisor, verb, 'after')
    await frozen.reachedIn(
      runJob(job, journal, { hypervisor: frozen.hypervisor, presence, memory, limits: endless }, signal, progress),
    )
  }
  const started = await virsh(['domstats', '--raw', '--cpu-total', job.serverId])
  const result = await runJob(job, journal, { hypervisor, presence, memory, limits: patient }, signal, progress)
  expect(result).toEqual({ ok: true, power: 'on', proven: true })
  // Processor time only grows within one start: nobody has started it anew.
  expect(cpuTime(await virsh(['domstats', '--raw', '--cpu-total', job.serverId]))).toBeGreaterThan(cpuTime(started))
  expect(
    await runJob(
      { ...job, payload: { kind: 'destroy' } },
      [],
      { hypervisor, presence, memory, limits: patient },
      signal,
      async () => {},
    ),
  ).toMatchObject({ ok: true })
})

function stepOf(jobId: string, name: string): JobStep | undefined {
  return api.stepsOf(jobId).find((step) => step.name === name)
}

function disk(generation: number): string {
  return path.join(folder.storageDir, `${serverId}.1.${generation}.qcow2`)
}

function cpuTime(stats: string): number {
  return Number(/cpu\.time=(\d+)/.exec(stats)?.[1])
}
