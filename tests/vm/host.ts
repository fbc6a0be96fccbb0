import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { JobPayload } from '@vps/shared/jobs.contract'
import type { VirshSettings } from '../../packages/agent/src/config.js'
import type { Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { run, virshOn } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { runJob } from '../../packages/agent/src/jobs/run-job.js'
import { openMemory } from '../../packages/agent/src/memory.js'
import { quietPresence } from '../../packages/agent/src/testing/agent.js'
import { machine } from '../../packages/agent/src/testing/machines.js'

/** The host that enter.sh has made, and ways to look at it past the agent. */

const root = path.resolve(import.meta.dirname, '../..')

function given(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: start these tests by tests/vm/run.ts`)
  return value
}

/** What the guests of this run are made of. */
export const guestImage = () => given('VM_TEST_IMAGE')

/** What they are repaired with. */
export const rescueImage = () => given('VM_TEST_RESCUE')

/** With the guests' image under this name, or none; gone when the tests end. */
export function makeHostFolder(imageFile: string | null = 'tiny.qcow2') {
  const folder = mkdtempSync(path.join(given('VM_TEST_INSIDE'), 'host-'))
  const storageDir = path.join(folder, 'machines')
  const imagesDir = path.join(folder, 'images')
  const stateDir = path.join(folder, 'state')
  for (const one of [storageDir, imagesDir, stateDir]) mkdirSync(one)
  if (imageFile !== null) copyFileSync(guestImage(), path.join(imagesDir, imageFile))
  return { folder, storageDir, imagesDir, stateDir }
}

export type HostFolder = ReturnType<typeof makeHostFolder>

/** Of `run.ts --thin`: where disks lie; null: in files. */
export function thinPool(): VirshSettings['thinPool'] {
  const [group, pool] = process.env['VM_TEST_THIN_POOL']?.split('/') ?? []
  return group && pool ? { group, pool } : null
}

/** Software emulation: KVM may be advertised here and not work. */
export function settingsOf(folder: HostFolder): VirshSettings {
  return {
    uri: 'qemu:///system',
    domainType: 'qemu',
    cpuModel: null,
    machine: 'q35',
    cdromBus: 'scsi',
    network: { kind: 'bridge', name: 'br0' },
    stateDir: folder.stateDir,
    storageDir: folder.storageDir,
    imagesDir: folder.imagesDir,
    disks: 'overlay',
    thinPool: thinPool(),
    wipe: 'discard',
    virshTimeoutMs: 30_000,
    bandwidth: null,
    cpuShares: null,
    guard: null,
  }
}

/** The agent as `npm run agent` runs it, bundled by run.ts; the real hypervisor. */
export function startAgentProcess(folder: HostFolder, env: Record<string, string>) {
  const child = spawn(process.execPath, ['--max-semi-space-size=4', process.env['VM_TEST_AGENT'] ?? ''], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HYPERVISOR: 'virsh',
      DOMAIN_TYPE: 'qemu',
      NETWORK: 'bridge:br0',
      STATE_DIR: folder.stateDir,
      STORAGE: folder.storageDir,
      IMAGES: folder.imagesDir,
      BOOT_TIMEOUT_SECONDS: '300',
      ALLOWED_NETWORKS: '127.0.0.0/8',
      ...(process.env['VM_TEST_THIN_POOL'] ? { THIN_POOL: process.env['VM_TEST_THIN_POOL'] } : {}),
      ...env,
    },
  })
  let printed = ''
  child.stdout.on('data', (data: Buffer) => (printed += data.toString()))
  child.stderr.on('data', (data: Buffer) => (printed += data.toString()))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    pid: child.pid ?? 0,
    printed: () => printed,
    kill: async (signal: NodeJS.Signals) => {
      child.kill(signal)
      await ended
    },
  }
}

/** To look past the agent. */
export const virsh = virshOn('qemu:///system')

/** A login by OpenSSH, as a customer would; gives what the command printed. Throws where refused. */
export async function sshLogin(address: string, port: number, password: string, command: string): Promise<string> {
  const options = [
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'PreferredAuthentications=password',
    'LogLevel=ERROR',
    'ConnectTimeout=30',
  ]
  const ssh = ['ssh', '-p', String(port), ...options.flatMap((one) => ['-o', one]), `root@${address}`, command]
  return run('sshpass', ['-d', '0', ...ssh], { input: `${password}\n`, timeoutMs: 90_000 })
}

/** A process that only waits, in a network namespace of its own. */
export async function openNamespace(): Promise<ChildProcess> {
  const child = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' })
  const networkOf = (process: string) => readlinkSync(`/proc/${process}/ns/net`)
  // Until then it is in ours.
  while (networkOf(String(child.pid)) === networkOf('self')) await setTimeout(10)
  return child
}

const askBanner = `import socket, sys
to = socket.create_connection((sys.argv[1], int(sys.argv[2])), 5)
to.settimeout(60)
sys.stdout.buffer.write(to.makefile('rb').read(4))`

/**
 * The first bytes of what answers there, asked in the network namespace of this process; null where none does. A
 * connection comes about soon or never; what a busy guest says on it takes its time.
 */
export function bannerFrom(there: string, address: string, port: number): Promise<string | null> {
  const ask = ['-t', there, '-n', 'python3', '-ISc', askBanner, address, String(port)]
  return run('nsenter', ask, { timeoutMs: 90_000 }).catch(() => null)
}

/** Paths of files that hold this text. */
export function filesHolding(text: string, ...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => readFileSync(file).includes(text)),
  )
}

/** `number` tells its address. */
export function machineAt(number: number, change: Parameters<typeof machine>[0] = {}) {
  const mac = `52:54:00:77:00:${number.toString(16).padStart(2, '0')}`
  return machine({
    network: {
      ...machine().network,
      mac,
      addresses: [{ address: `10.77.0.${number}`, prefix: 24, gateway: '10.77.0.1' }],
    },
    ...change,
  })
}

/** Long after a job's steps should have ended, under emulation, beside others that hold every processor. */
export const patient = {
  bootMs: 240_000,
  stillMs: 120_000,
  loginMs: 120_000,
  graceMs: 30_000,
  actMs: 120_000,
  imageMs: 240_000,
  awayMs: 120_000,
  pollMs: 300,
}

const forever = 2 ** 30

/** Of a job that is frozen: a killed process does not time out either, and undoes nothing later. */
export const endless = {
  ...patient,
  actMs: forever,
  imageMs: forever,
  bootMs: forever,
  stillMs: forever,
  loginMs: forever,
}

type Performed = { hypervisor: Hypervisor; folder: HostFolder; serverId: string; password: string }

/** One act of a machine's first generation, as the agent does it. */
export function perform({ hypervisor, folder, serverId, password }: Performed, payload: JobPayload) {
  const job = {
    id: randomUUID(),
    serverId,
    attempt: 1,
    leaseSeconds: 40,
    generation: { epoch: 1, number: 1 },
    payload,
    secrets: { password },
  }
  const memory = openMemory(folder.stateDir)
  const deps = { hypervisor, presence: quietPresence(hypervisor), memory, limits: patient }
  return runJob(job, [], deps, new AbortController().signal, async () => {})
}

/** A machine as an install makes it, started; its guest is not waited for. `number` tells its address. */
export async function applyFiles(hypervisor: Hypervisor, serverId: string, number: number): Promise<void> {
  const made = { epoch: 1, number: 1 }
  const description = machineAt(number)
  await hypervisor.createDisk(serverId, description, made)
  await hypervisor.define(serverId, description, made)
  await hypervisor.start(serverId)
  await hypervisor.setAutostart(serverId, true)
}

/** Puts `faulty-virsh.sh` before the real virsh; the returned act takes it away. */
export async function putFaultyVirsh(folder: HostFolder): Promise<() => Promise<void>> {
  const bin = path.join(folder.folder, 'bin')
  mkdirSync(bin)
  copyFileSync(path.join(import.meta.dirname, 'faulty-virsh.sh'), path.join(bin, 'virsh'))
  // First in the agent's fixed path; in a namespace of our own.
  await run('mount', ['--bind', bin, '/usr/local/sbin'])
  // Those that stay may still run it.
  return async () => void (await run('umount', ['--lazy', '/usr/local/sbin']))
}

/** Of a running machine. */
export function qemuOf(serverId: string): number {
  return Number(readFileSync(`/run/libvirt/qemu/vps-${serverId}.pid`, 'utf8'))
}

const libvirtdPid = () => Number(readFileSync('/run/libvirtd.pid', 'utf8'))

/**
 * kill -9, and a start as by a service manager: until it answers. The killed one may hold its locks for a moment, at
 * which a new one ends again. Machines run on without it.
 */
export const libvirtd = {
  /** One that is not back yet from the last time stays dead. */
  kill: () => void (isRunning() && process.kill(libvirtdPid(), 'SIGKILL')),
  start: async () => {
    const until = Date.now() + patient.actMs
    let said = ''
    while (Date.now() < until) {
      said = await run('libvirtd', ['-d']).catch((error: unknown) => String(error))
      if (await answers(until)) return
      await setTimeout(200)
    }
    throw new Error(`libvirtd does not answer: ${said}`)
  },
}

/** False once it has ended. The real virsh, whatever stands before it. */
async function answers(until: number): Promise<boolean> {
  while (Date.now() < until && isRunning()) {
    const asked = run('/usr/bin/virsh', ['-q', '-c', 'qemu:///system', 'version'])
    if (
      await asked.then(
        () => true,
        () => false,
      )
    )
      return true
    await setTimeout(100)
  }
  return false
}

function isRunning(): boolean {
  try {
    return process.kill(libvirtdPid(), 0)
  } catch {
    return false
  }
}

/** Kills libvirtd before each of these verbs once. */
export function killingAt(real: Hypervisor, verbs: readonly (keyof Hypervisor)[]) {
  const left = new Set(verbs)
  const hypervisor = new Proxy(real, {
    get(target, name: keyof Hypervisor) {
      const act = target[name] as unknown
      if (!left.has(name) || typeof act !== 'function') return act
      return async (...given: unknown[]) => {
        left.delete(name)
        libvirtd.kill()
        void setTimeout(500).then(libvirtd.start)
        return (act as (...all: unknown[]) => Promise<unknown>)(...given)
      }
    },
  })
  return { hypervisor, left: () => [...left] }
}
