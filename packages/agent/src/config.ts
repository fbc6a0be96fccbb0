import { resolve } from 'node:path'
import { parseNetwork, type Network } from '@vps/shared/networks'
import * as z from 'zod'
import { longestStateDir } from './temporary.js'

/** The only reader of process.env; described in docs/agent.md. */
export type Config = {
  apiUrl: string
  hostToken: string | null
  enrolmentToken: string | null
  stateDir: string
  lanes: number
  bootTimeoutSeconds: number
  logLevel: string
  allowedNetworks: readonly Network[]
  hypervisor: { kind: 'simulated'; settings: SimulatedSettings } | { kind: 'virsh'; settings: VirshSettings }
}

export type SimulatedSettings = {
  stateDir: string
  seedFile: string | null
  faultsFile: string | null
  /** What stands for a repository: shared by hosts that are to restore each other's. */
  backupsDir: string
  installMs: number
  powerMs: number
  cpuCores: number
  memoryMb: number
  diskGb: number
}

/** LVM's: a volume group, and a pool of thin volumes in it. */
export type ThinPool = { group: string; pool: string }

/** `null`: probed at start; of `thinPool`: disks are files in `storageDir`. */
export type VirshSettings = {
  uri: string
  domainType: 'kvm' | 'qemu' | null
  cpuModel: string | null
  machine: string
  cdromBus: 'scsi' | 'sata'
  network: { kind: 'bridge' | 'network'; name: string }
  /** What it remembers of its storage lies there. */
  stateDir: string
  storageDir: string
  imagesDir: string
  disks: 'overlay' | 'copy'
  thinPool: ThinPool | null
  wipe: 'discard' | 'overwrite' | 'none'
  /** Destroying a hung QEMU rightly takes 10 s. */
  virshTimeoutMs: number
  bandwidth: boolean | null
  cpuShares: boolean | null
  guard: 'nwfilter' | 'nftables' | 'off' | null
}

/** For the operator; main prints it and exits with 1. */
export class ConfigError extends Error {}

const count = (fallback: number, min: number, max: number) => {
  const error = `expected a whole number from ${min} to ${max}`
  return z.coerce.number(error).int(error).min(min, error).max(max, error).default(fallback)
}
const oneOf = <const T extends readonly string[]>(...values: T) =>
  z.enum(values, `expected one of ${values.join(', ')}`)
const switched = oneOf('on', 'off', 'auto').default('auto')

/** As its PUBLIC_URL: below a path nothing answers. */
const isRoot = (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
}

const environment = z.object({
  // Misspelt, it would take production's rules away.
  NODE_ENV: oneOf('production', 'development', 'test').optional(),
  API_URL: z
    .string()
    .refine(isRoot, 'expected the address of the shop without a path, such as https://shop.example')
    .default('http://127.0.0.1:3000'),
  AGENT_TOKEN: z.string().optional(),
  ENROLMENT_TOKEN: z.string().min(16, 'expected at least 16 characters, all that the host screen has shown').optional(),
  STATE_DIR: z.string().default('/var/lib/vps-agent'),
  LANES: count(4, 1, 32),
  BOOT_TIMEOUT_SECONDS: count(300, 1, 1500),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  ALLOWED_NETWORKS: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((part) => part.trim() !== ''))
    .refine((parts) => parts.every((part) => parseNetwork(part) !== null), {
      error: 'expected networks such as 10.0.0.0/8',
    })
    .transform((parts) => parts.flatMap((part) => parseNetwork(part) ?? [])),
  HYPERVISOR: oneOf('virsh', 'simulated').default('virsh'),
  LIBVIRT_URI: z.string().default('qemu:///system'),
  DOMAIN_TYPE: oneOf('kvm', 'qemu').optional(),
  CPU_MODEL: z.string().optional(),
  MACHINE: z.string().default('q35'),
  CDROM_BUS: oneOf('scsi', 'sata').default('scsi'),
  NETWORK: z
    .string()
    .regex(/^(bridge|network):[A-Za-z0-9._-]+$/, 'expected bridge:NAME or network:NAME')
    .default('bridge:br0'),
  // Not under STATE_DIR, which is closed: QEMU runs as its own user.
  STORAGE: z.string().default('/var/lib/vps-machines'),
  IMAGES: z.string().optional(),
  DISKS: oneOf('overlay', 'copy').default('overlay'),
  THIN_POOL: z
    .string()
    .regex(/^[A-Za-z0-9+_.][A-Za-z0-9+_.-]*\/[A-Za-z0-9+_.][A-Za-z0-9+_.-]*$/, 'expected GROUP/POOL, as lvs names them')
    .optional(),
  WIPE: oneOf('discard', 'overwrite', 'none').default('discard'),
  BANDWIDTH: switched,
  CPU_SHARES: switched,
  ADDRESS_GUARD: oneOf('nwfilter', 'nftables', 'off', 'auto').default('auto'),
  SIMULATED_SEED_FILE: z.string().optional(),
  SIMULATED_FAULTS_FILE: z.string().optional(),
  SIMULATED_BACKUPS_DIR: z.string().optional(),
  SIMULATED_INSTALL_MS: count(5000, 0, 600_000),
  SIMULATED_POWER_MS: count(1000, 0, 600_000),
  SIMULATED_CPU_CORES: count(2000, 1, 1_000_000),
  SIMULATED_MEMORY_MB: count(4 * 1024 * 1024, 1, 1_000_000_000),
  SIMULATED_DISK_GB: count(100_000, 1, 1_000_000_000),
})

/** Throws ConfigError with one sentence. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  // A blank variable is an empty string: missing.
  const given = Object.entries(env).map(([name, value]) => [name, value?.trim() || undefined])
  const parsed = environment.safeParse(Object.fromEntries(given))
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new ConfigError(`${issue?.path.join('.') ?? 'environment'} is not valid: ${issue?.message ?? 'unreadable'}`)
  }
  const e = parsed.data
  if (e.HYPERVISOR === 'simulated' && e.NODE_ENV === 'production') {
    throw new ConfigError('HYPERVISOR=simulated is refused in production: simulated servers cannot be sold.')
  }
  if (e.NODE_ENV === 'production' && !isPrivate(new URL(e.API_URL))) {
    throw new ConfigError('API_URL must begin with https:// in production, or lead to this machine.')
  }
  const stateDir = resolve(e.STATE_DIR)
  return {
    apiUrl: e.API_URL.replace(/\/+$/, ''),
    hostToken: e.AGENT_TOKEN ?? null,
    enrolmentToken: e.ENROLMENT_TOKEN ?? null,
    stateDir,
    lanes: e.LANES,
    bootTimeoutSeconds: e.BOOT_TIMEOUT_SECONDS,
    logLevel: e.LOG_LEVEL,
    allowedNetworks: e.ALLOWED_NETWORKS,
    hypervisor:
      e.HYPERVISOR === 'simulated'
        ? {
            kind: 'simulated',
            settings: {
              stateDir,
              seedFile: e.SIMULATED_SEED_FILE ?? null,
              faultsFile: e.SIMULATED_FAULTS_FILE ?? null,
              backupsDir: e.SIMULATED_BACKUPS_DIR ?? resolve(stateDir, 'simulated-backups'),
              installMs: e.SIMULATED_INSTALL_MS,
              powerMs: e.SIMULATED_POWER_MS,
              cpuCores: e.SIMULATED_CPU_CORES,
              memoryMb: e.SIMULATED_MEMORY_MB,
              diskGb: e.SIMULATED_DISK_GB,
            },
          }
        : { kind: 'virsh', settings: virshSettings(e, stateDir) },
  }
}

const isPrivate = ({ protocol, hostname }: URL) =>
  protocol === 'https:' || /^(127\.|localhost$|\[::1\]$)/.test(hostname)

function virshSettings(e: z.infer<typeof environment>, stateDir: string): VirshSettings {
  if (Buffer.byteLength(stateDir) > longestStateDir)
    throw new ConfigError(`STATE_DIR is too long for sockets in it: expected at most ${longestStateDir} bytes`)
  const [kind, name = ''] = e.NETWORK.split(':')
  const [group, pool] = e.THIN_POOL?.split('/') ?? []
  const storageDir = resolve(e.STORAGE)
  return {
    uri: e.LIBVIRT_URI,
    domainType: e.DOMAIN_TYPE ?? null,
    cpuModel: e.CPU_MODEL ?? null,
    machine: e.MACHINE,
    cdromBus: e.CDROM_BUS,
    network: { kind: kind === 'network' ? 'network' : 'bridge', name },
    stateDir,
    storageDir,
    imagesDir: e.IMAGES ? resolve(e.IMAGES) : resolve(storageDir, 'images'),
    disks: e.DISKS,
    thinPool: group && pool ? { group, pool } : null,
    wipe: e.WIPE,
    virshTimeoutMs: 30_000,
    bandwidth: e.BANDWIDTH === 'auto' ? null : e.BANDWIDTH === 'on',
    cpuShares: e.CPU_SHARES === 'auto' ? null : e.CPU_SHARES === 'on',
    guard: e.ADDRESS_GUARD === 'auto' ? null : e.ADDRESS_GUARD,
  }
}
