import { constants, existsSync } from 'node:fs'
import { access, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Away } from '@vps/shared/agent.contract'
import type { VirshSettings } from '../../config.js'
import { HypervisorError } from '../hypervisor.js'
import type { DomainSettings } from './domain-xml.js'
import { probeGuard } from './guards.js'
import { hasKvm } from './kvm.js'
import { run, unlessVerdict, type Virsh } from './run.js'
import { natWorks } from './nats.js'
import { messageOf } from '../../files.js'
import type { WithTemporaryFolder } from '../../temporary.js'

/** What no waiting brings: throws a sentence. */
export async function requirePrograms({ thinPool, wipe }: Pick<VirshSettings, 'thinPool' | 'wipe'>): Promise<void> {
  const ofVolumes = thinPool === null ? [] : ['lvs', ...(wipe === 'overwrite' ? ['thin_dump'] : [])]
  for (const program of ['virsh', 'qemu-img', 'openssl', ...ofVolumes]) await requireProgram(program)
  await isoProgram()
}

/** Null where libvirt answers and the network is there. */
export async function checkPresence(virsh: Virsh, settings: VirshSettings): Promise<Away | null> {
  const tell = (kind: Away['kind'], detail: string) => ({ kind, detail: detail.slice(0, 500) })
  try {
    await virsh(['version'], { timeoutMs: answerMs })
  } catch (error) {
    return tell('libvirt', `libvirt does not answer on ${settings.uri}: ${messageOf(error)}`)
  }
  const missing = await missingNetwork(virsh, settings.network)
  return missing === null ? null : tell('network', missing)
}
const answerMs = 5000

/** As the operator configured, else tried out. */
export async function probe(
  virsh: Virsh,
  withTemporaryFolder: WithTemporaryFolder,
  settings: VirshSettings,
): Promise<DomainSettings & { isoProgram: 'genisoimage' | 'xorrisofs'; uefi: boolean; nat: boolean }> {
  const domainType = settings.domainType ?? ((await hasKvm(virsh, settings.stateDir)) ? 'kvm' : 'qemu')
  return {
    domainType,
    // Emulation starts a guest faster on a plain model.
    cpuModel: settings.cpuModel ?? (domainType === 'kvm' ? 'host-passthrough' : 'qemu64'),
    machine: settings.machine,
    cdromBus: settings.cdromBus,
    network: settings.network,
    bandwidth: settings.bandwidth ?? (await bandwidthWorks()),
    guard: await probeGuard(virsh, withTemporaryFolder, settings),
    directIo: await directIoWorks(settings.storageDir),
    cpuShares: settings.cpuShares ?? (await cpuSharesWork()),
    isoProgram: await isoProgram(),
    uefi: offersUefi(await virsh(['domcapabilities', '--machine', settings.machine])),
    nat: await natWorks(),
  }
}

/** By `domcapabilities`. */
export function offersUefi(capabilities: string): boolean {
  return /<enum name='firmware'>[^]*?<\/enum>/.exec(capabilities)?.[0].includes('<value>efi</value>') ?? false
}

async function missingNetwork(virsh: Virsh, { kind, name }: VirshSettings['network']): Promise<string | null> {
  if (kind === 'bridge') {
    if (existsSync(`/sys/class/net/${name}/bridge`)) return null
    return `There is no bridge ${name} on this host: make one, or set NETWORK (bridge:NAME or network:NAME).`
  }
  try {
    const names = (await virsh(['net-list', '--name'], { timeoutMs: answerMs })).split('\n').map((line) => line.trim())
    return names.includes(name) ? null : `There is no active libvirt network ${name}: start it, or set NETWORK.`
  } catch (error) {
    return messageOf(error)
  }
}

async function requireProgram(name: string): Promise<void> {
  if (!(await has(name)))
    throw new HypervisorError(
      `${name} is missing on this host: install it (Debian: libvirt-clients, qemu-utils, openssl, genisoimage, and for THIN_POOL lvm2, thin-provisioning-tools).`,
    )
}

async function isoProgram(): Promise<'genisoimage' | 'xorrisofs'> {
  if (await has('genisoimage')) return 'genisoimage'
  await requireProgram('xorrisofs')
  return 'xorrisofs'
}

async function has(name: string): Promise<boolean> {
  for (const folder of ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']) {
    const found = await access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    )
    if (found) return true
  }
  return false
}

/** Tried on a pair of our own: without the kernel's scheduler a machine with a limit does not start. */
async function bandwidthWorks(): Promise<boolean> {
  const name = `vpsp${process.pid}`.slice(0, 15)
  const steps = [
    ['ip', 'link', 'add', name, 'type', 'veth', 'peer', 'name', `${name}p`.slice(-15)],
    ['tc', 'qdisc', 'add', 'dev', name, 'root', 'handle', '1:', 'htb', 'default', '1'],
    ['tc', 'class', 'add', 'dev', name, 'parent', '1:', 'classid', '1:1', 'htb', 'rate', '1mbit'],
    ['tc', 'qdisc', 'add', 'dev', name, 'parent', '1:1', 'handle', '2:', 'sfq', 'perturb', '10'],
    ['tc', 'qdisc', 'add', 'dev', name, 'ingress'],
    [
      'tc',
      'filter',
      'add',
      'dev',
      name,
      'parent',
      'ffff:',
      'protocol',
      'all',
      'u32',
      'match',
      'u32',
      '0',
      '0',
      'police',
      'rate',
      '1mbit',
      'burst',
      '10k',
      'drop',
    ],
  ]
  try {
    for (const [program = '', ...args] of steps) await run(program, args, { timeoutMs: 5000 })
    return true
  } catch (error) {
    unlessVerdict(error)
    return false
  } finally {
    await run('ip', ['link', 'delete', name], { timeoutMs: 5000 }).catch(() => {})
  }
}

async function cpuSharesWork(): Promise<boolean> {
  const read = (path: string) => readFile(path, 'utf8').catch(() => '')
  const [configured, unified] = await Promise.all([
    read('/etc/libvirt/qemu.conf'),
    read('/sys/fs/cgroup/cgroup.controllers'),
  ])
  return hasCpuGroups(configured, existsSync('/sys/fs/cgroup/cpu') ? 'cpu' : unified)
}

/**
 * Without libvirt's control group for processors a machine with shares does not start. `qemu.conf` tells which it uses;
 * by default all.
 */
export function hasCpuGroups(configured: string, controllers: string): boolean {
  const chosen = /^\s*cgroup_controllers\s*=\s*\[([^\]]*)\]/m.exec(configured)?.[1]
  return controllers.split(/\s+/).includes('cpu') && (chosen === undefined || /["']cpu["']/.test(chosen))
}

async function directIoWorks(folder: string): Promise<boolean> {
  const path = join(folder, `.direct-io-${process.pid}`)
  try {
    const file = await open(path, constants.O_CREAT | constants.O_RDWR | constants.O_DIRECT, 0o600)
    await file.close()
    return true
  } catch {
    return false
  } finally {
    await rm(path, { force: true })
  }
}
