import type { Away, HostCapacity, HostNetwork, Inventory, Report } from '@vps/shared/agent.contract'
import type { Generation, Readiness } from '@vps/shared/jobs'
import type { MachineDescription, UnbootableImage } from '@vps/shared/jobs.contract'
import type { createHostKey } from '../host-key.js'
import type { ImageFolder } from '../images/folder.js'

/**
 * The seam to what runs the machines. Two real implementations: `virsh` (libvirt) and `simulated`. Machines are named
 * by the server's id everywhere. Every verb is bounded in time, may be repeated without harm, and does one thing; what
 * is to be done, and in which order, is decided in `plan.ts` from what `find` reads.
 */
export interface Hypervisor {
  readonly kind: HostCapacity['hypervisor']
  /** Where its images lie, and where the agent brings those that the API wants here. */
  readonly images: ImageFolder

  /** What waiting does not mend: throws a sentence for the operator. Called once, before everything else. */
  open(): Promise<void>
  /** What waiting mends: null while it can work. Until then every verb may throw HypervisorAway. */
  checkPresence(): Promise<Away | null>
  capacity(): Promise<HostCapacity>
  /** Everything that is there, ours or not. */
  inventory(): Promise<Pick<Inventory, 'images' | 'changedBases' | 'domains' | 'volumes'>>
  /** Figures of the host itself; of them all is known even while the hypervisor is away. */
  measureHost(): Promise<Report['host']>
  /** Figures of each of our machines. */
  measure(): Promise<Report['domains']>

  /** What is there of one server. */
  find(serverId: string): Promise<Found>
  /** Is the image on this host, whole and usable? */
  verifyImage(image: MachineDescription['image']): Promise<void>
  createDisk(serverId: string, machine: MachineDescription, generation: Generation): Promise<void>
  /** The NoCloud seed: hostname, network, keys and a crypt(3) hash of the password, never the password. */
  createSeed(serverId: string, machine: MachineDescription, generation: Generation, secrets: SeedSecrets): Promise<void>
  define(serverId: string, machine: MachineDescription, generation: Generation): Promise<void>
  /** Gives machines that were made without it what keeps them to their addresses, from their next start on. */
  guard(networks: readonly HostNetwork[]): Promise<void>
  start(serverId: string): Promise<void>
  /** Whether the machine comes back by itself after the host's reboot. */
  setAutostart(serverId: string, on: boolean): Promise<void>
  /** Asks the guest to shut down; returns at once. */
  askShutdown(serverId: string): Promise<void>
  cutPower(serverId: string): Promise<void>
  /** Sets a password inside the running guest through its agent; final where none answers. */
  setPassword(serverId: string, username: string, password: string): Promise<void>
  /** Puts a one-time image into the drive of a machine that is off: its guest takes the password at its next start. */
  insertPassword(serverId: string, username: string, passwordHash: string): Promise<void>
  /** Takes the seed out of the machine and deletes it. */
  removeSeed(serverId: string): Promise<void>
  /** Gives a machine that is off another size, in one step as far as its definition goes. A disk only grows. */
  resize(serverId: string, size: NewSize): Promise<void>
  /** Removes the machine's definition (power must be off), its disks and seeds of every generation. */
  remove(serverId: string): Promise<void>

  /**
   * Waits until the guest is up, as its readiness says. GuestStill where nothing of it has moved for `stillMs`; final
   * where it hangs.
   */
  awaitBoot(serverId: string, access: Access, signal: AbortSignal, stillMs?: number): Promise<void>
  /**
   * One attempt to log in over SSH with the delivered password, which is told only to a guest with this host key.
   * Throws LoginRefused or another error if it fails.
   */
  tryLogin(serverId: string, access: Access, password: string, hostKey: string): Promise<void>
  /** Banner of the guest's SSH port: milliseconds until it came, or null. */
  testConnection(address: string, port: number, limitMs: number): Promise<number | null>
}

/** What only the seed tells the guest: its login's crypt(3) hash and its SSH host key, made for this generation. */
export type SeedSecrets = { passwordHash: string; hostKey: ReturnType<typeof createHostKey> }

/** Power as read; `absent` where there is no domain. */
export type FoundPower = 'on' | 'off' | 'unknown' | 'absent'

/** What is there of one server: the domain, its disk and its seed, each with the generation that made it. */
export type Found = {
  power: FoundPower
  autostart: boolean
  /** From the domain's own metadata; null where there is none or it was not made by us. */
  definedBy: Generation | null
  access: Access | null
  /** As defined; null where there is no machine. */
  size: MachineSize | null
  /** Another domain, which is not ours, has the name that this one must have. */
  nameTaken: boolean
  disks: Generation[]
  seeds: Generation[]
}

/** `diskGb` is what was ordered last; null where nobody has written it down. */
export type MachineSize = { cpuCores: number; memoryMb: number; diskGb: number | null }

/** What is null stays as it is. */
export type NewSize = MachineSize & { bandwidthMbps: number | null }

/** How to reach the guest; kept in the domain's metadata, so that it outlives the job that made it. */
export type Access = { address: string; port: number; username: string; readiness: Readiness }

type ErrorOptions = { final?: boolean; customer?: string; cause?: unknown; unbootable?: UnbootableImage }

/** The hypervisor could not do what it was asked. `final`: trying again cannot help. `customer`: a sentence to show. */
export class HypervisorError extends Error {
  readonly final: boolean
  readonly customer: string | null
  readonly unbootable: UnbootableImage | null
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.final = options.final ?? false
    this.customer = options.customer ?? null
    this.unbootable = options.unbootable ?? null
  }
}

/**
 * The hypervisor itself was not there: nothing was decided by that, and the same act is tried again when it is back.
 */
export class HypervisorAway extends HypervisorError {
  constructor(readonly away: Away) {
    super(`${away.kind} is away: ${away.detail}`, { customer: '宿主机暂时不可用' })
  }
}

/** For an act that may fail: all but this. */
export function unlessAway(error: unknown): void {
  if (error instanceof HypervisorAway) throw error
}

/** Neither disk nor network of the guest has moved for so long that no waiting brings it up. */
export class GuestStill extends HypervisorError {
  constructor(stillMs: number) {
    super(`nothing has moved on the guest's disk or network for ${stillMs} ms`)
  }
}

/** The guest's SSH answered and refused the password. */
export class LoginRefused extends HypervisorError {}

export const nothingFound: Found = {
  power: 'absent',
  autostart: false,
  definedBy: null,
  access: null,
  size: null,
  nameTaken: false,
  disks: [],
  seeds: [],
}

/** The way into a machine as its description says. */
export function accessOf(machine: MachineDescription): Access {
  const first = machine.network.addresses[0]
  if (!first) throw new HypervisorError('the description holds no address', { final: true })
  return {
    address: first.address,
    port: machine.sshPort,
    username: machine.username,
    readiness: machine.image.readiness,
  }
}
