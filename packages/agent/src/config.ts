import { resolve } from 'node:path'
import { parseNetwork, type Network } from '@vps/shared/networks'
import * as z from 'zod'

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
  installMs: number
  powerMs: number
  cpuCores: number
  memoryMb: number
  diskGb: number
}

/** `null`: probed at start. */
export type VirshSettings = {
  uri: string
  domainType: 'kvm' | 'qemu' | null
  cpuModel: string | null
  machine: string
  cdromBus: 'scsi' | 'sata'
  network: { kind: 'bridge' | 'network'; name: string }
  storageDir: string
  imagesDir: string
  disks: 'overlay' | 'copy'
  wipe: 'discard' | 'overwrite' | 'none'
  /** Destroying a hung QEMU rightly takes 10 s. */
  virshTimeoutMs: number
  bandwidth: boolean | null
  cpuShares: boolean | null
  guard: 'nwfilter' | 'nftables' | 'off' | null
}

/** For the operator; main prints it and exits with 1. */
export class ConfigError extends Error {}

const count = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback)

const environment = z.object({
  NODE_ENV: z.string().optional(),
  API_URL: z.url({ protocol: /^https?$/ }).default('http://127.0.0.1:3000'),
  AGENT_TOKEN: z.string().optional(),
  ENROLMENT_TOKEN: z.string().optional(),
  STATE_DIR: z.string().default('/var/lib/vps-agent'),
  LANES: count(4, 1, 32),
  BOOT_TIMEOUT_SECONDS: count(300, 1, 1500),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ALLOWED_NETWORKS: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((part) => part.trim() !== ''))
    .refine((parts) => parts.every((part) => parseNetwork(part) !== null), {
      error: 'expected networks such as 10.0.0.0/8',
    })
    .transform((parts) => parts.flatMap((part) => parseNetwork(part) ?? [])),
  HYPERVISOR: z.enum(['virsh', 'simulated']).default('virsh'),
  LIBVIRT_URI: z.string().default('qemu:///system'),
  DOMAIN_TYPE: z.enum(['kvm', 'qemu']).optional(),
  CPU_MODEL: z.string().optional(),
  MACHINE: z.string().default('q35'),
  CDROM_BUS: z.enum(['scsi', 'sata']).default('scsi'),
  NETWORK: z
    .string()
    .regex(/^(bridge|network):[A-Za-z0-9._-]+$/)
    .default('bridge:br0'),
  // Not under STATE_DIR, which is closed: QEMU runs as its own user.
  STORAGE: z.string().default('/var/lib/vps-machines'),
  IMAGES: z.string().optional(),
  DISKS: z.enum(['overlay', 'copy']).default('overlay'),
  WIPE: z.enum(['discard', 'overwrite', 'none']).default('discard'),
  BANDWIDTH: z.enum(['on', 'off', 'auto']).default('auto'),
  CPU_SHARES: z.enum(['on', 'off', 'auto']).default('auto'),
  ADDRESS_GUARD: z.enum(['nwfilter', 'nftables', 'off', 'auto']).default('auto'),
  SIMULATED_SEED_FILE: z.string().optional(),
  SIMULATED_FAULTS_FILE: z.string().optional(),
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
              installMs: e.SIMULATED_INSTALL_MS,
              powerMs: e.SIMULATED_POWER_MS,
              cpuCores: e.SIMULATED_CPU_CORES,
              memoryMb: e.SIMULATED_MEMORY_MB,
              diskGb: e.SIMULATED_DISK_GB,
            },
          }
        : { kind: 'virsh', settings: virshSettings(e) },
  }
}

const isPrivate = ({ protocol, hostname }: URL) =>
  protocol === 'https:' || /^(127\.|localhost$|\[::1\]$)/.test(hostname)

function virshSettings(e: z.infer<typeof environment>): VirshSettings {
  const [kind, name = ''] = e.NETWORK.split(':')
  const storageDir = resolve(e.STORAGE)
  return {
    uri: e.LIBVIRT_URI,
    domainType: e.DOMAIN_TYPE ?? null,
    cpuModel: e.CPU_MODEL ?? null,
    machine: e.MACHINE,
    cdromBus: e.CDROM_BUS,
    network: { kind: kind === 'network' ? 'network' : 'bridge', name },
    storageDir,
    imagesDir: e.IMAGES ? resolve(e.IMAGES) : resolve(storageDir, 'images'),
    disks: e.DISKS,
    wipe: e.WIPE,
    virshTimeoutMs: 30_000,
    bandwidth: e.BANDWIDTH === 'auto' ? null : e.BANDWIDTH === 'on',
    cpuShares: e.CPU_SHARES === 'auto' ? null : e.CPU_SHARES === 'on',
    guard: e.ADDRESS_GUARD === 'auto' ? null : e.ADDRESS_GUARD,
  }
}
