import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { VirshSettings } from '../../packages/agent/src/config.js'
import type { Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { run, virshOn } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { machine } from '../../packages/agent/src/testing/machines.js'

/** The host that enter.sh has made: where things lie, and ways to look at it past the agent. */

const root = path.resolve(import.meta.dirname, '../..')

function given(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: start these tests by tests/vm/run.ts`)
  return value
}

/** The image that the guests of this run are made of. */
export const guestImage = () => given('VM_TEST_IMAGE')

/** A folder with the guests' image in it, under this name, or with none; gone when the tests end. */
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

/** Settings of a hypervisor on that folder. Software emulation: KVM may be advertised here and not work. */
export function settingsOf(folder: HostFolder): VirshSettings {
  return {
    uri: 'qemu:///system',
    domainType: 'qemu',
    cpuModel: null,
    machine: 'q35',
    cdromBus: 'scsi',
    network: { kind: 'bridge', name: 'br0' },
    storageDir: folder.storageDir,
    imagesDir: folder.imagesDir,
    virshTimeoutMs: 30_000,
    bandwidth: null,
    guard: null,
  }
}

/** The agent as its own process, as `npm run agent`, bundled by run.ts; the real hypervisor. */
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

/** virsh by hand, to look past the agent. */
export const virsh = virshOn('qemu:///system')

/** A login by OpenSSH, as a customer would; gives what the command printed. Throws where it is refused. */
export async function sshLogin(address: string, port: number, password: string, command: string): Promise<string> {
  const options = [
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'PreferredAuthentications=password',
    'LogLevel=ERROR',
    'ConnectTimeout=15',
  ]
  const ssh = ['ssh', '-p', String(port), ...options.flatMap((one) => ['-o', one]), `root@${address}`, command]
  return run('sshpass', ['-d', '0', ...ssh], { input: `${password}\n`, timeoutMs: 40_000 })
}

/** Paths of files under these folders that hold this text. */
export function filesHolding(text: string, ...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => readFileSync(file).includes(text)),
  )
}

/** A machine of this server as an install makes it, started; nobody waits for its guest. `number` tells its address. */
export async function applyFiles(hypervisor: Hypervisor, serverId: string, number: number): Promise<void> {
  const made = { epoch: 1, number: 1 }
  const network = {
    ...machine().network,
    mac: `52:54:00:77:00:${number.toString(16).padStart(2, '0')}`,
    addresses: [{ address: `10.77.0.${number}`, prefix: 24 }],
  }
  const description = machine({ network })
  await hypervisor.createDisk(serverId, description, made)
  await hypervisor.define(serverId, description, made)
  await hypervisor.start(serverId)
  await hypervisor.setAutostart(serverId, true)
}

/** Puts `faulty-virsh.sh` before the real virsh for everybody in these namespaces; the returned act takes it away. */
export async function putFaultyVirsh(folder: HostFolder): Promise<() => Promise<void>> {
  const bin = path.join(folder.folder, 'bin')
  mkdirSync(bin)
  copyFileSync(path.join(import.meta.dirname, 'faulty-virsh.sh'), path.join(bin, 'virsh'))
  // First in the agent's fixed path; a namespace of our own, so that nobody else meets it.
  await run('mount', ['--bind', bin, '/usr/local/sbin'])
  // Those that stay may still run it.
  return async () => void (await run('umount', ['--lazy', '/usr/local/sbin']))
}

/** The QEMU process of a running machine. */
export function qemuOf(serverId: string): number {
  return Number(readFileSync(`/run/libvirt/qemu/vps-${serverId}.pid`, 'utf8'))
}

/** libvirt's daemon of this host, killed with kill -9 and started again; machines run on without it. */
export const libvirtd = {
  kill: () => process.kill(Number(readFileSync('/run/libvirtd.pid', 'utf8')), 'SIGKILL'),
  start: async () => void (await run('libvirtd', ['-d'])),
}
