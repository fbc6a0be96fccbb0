import type { Duplex } from 'node:stream'
import type { RemoteKind } from '@vps/shared/remote'
import type { Away, HostCapacity, HostNetwork, Inventory, Report } from '@vps/shared/agent.contract'
import type { Generation, Readiness } from '@vps/shared/jobs'
import type { MachineDescription, UnbootableImage } from '@vps/shared/jobs.contract'
import type { createHostKey } from '../host-key.js'
import type { ImageFolder } from '../images/folder.js'

/**
 * The seam to what runs the machines: `virsh` (libvirt) and `simulated`. Machines are named by the server's id. Every
 * verb is bounded in time, harmless to repeat and does one thing; `plan.ts` decides which, from what `find` reads.
 */
export interface Hypervisor {
  readonly kind: HostCapacity['hypervisor']
  /** Where images lie, and where the agent brings those that the API wants. */
  readonly images: ImageFolder

  /** What waiting does not mend: throws a sentence for the operator. Called once, first. */
  open(): Promise<void>
  /** What waiting mends; null while it can work. Until then every verb may throw HypervisorAway. */
  checkPresence(): Promise<Away | null>
  capacity(): Promise<HostCapacity>
  /** Ours or not. */
  inventory(): Promise<Pick<Inventory, 'images' | 'changedBases' | 'domains' | 'volumes'>>
  /** Known even while the hypervisor is away. */
  measureHost(): Promise<Report['host']>
  /** Of each of our machines. */
  measure(): Promise<Report['domains']>

  find(serverId: string): Promise<Found>
  /** On this host, whole and usable? */
  verifyImage(image: MachineDescription['image']): Promise<void>
  createDisk(serverId: string, machine: MachineDescription, generation: Generation): Promise<void>
  /** For the guest's crypt(3). */
  hashPassword(password: string): Promise<string>
  /** NoCloud: hostname, network, keys and a crypt(3) hash, never the password. */
  createSeed(serverId: string, machine: MachineDescription, generation: Generation, secrets: SeedSecrets): Promise<void>
  define(serverId: string, machine: MachineDescription, generation: Generation): Promise<void>
  /** Keeps machines that were made without a guard to their addresses, from their next start on. */
  guard(networks: readonly HostNetwork[]): Promise<void>
  start(serverId: string): Promise<void>
  /** After the host's reboot. */
  setAutostart(serverId: string, on: boolean): Promise<void>
  /** Returns at once. */
  askShutdown(serverId: string): Promise<void>
  cutPower(serverId: string): Promise<void>
  /** Through the guest agent; final where none answers. */
  setPassword(serverId: string, username: string, password: string): Promise<void>
  /** A one-time image in the drive of a machine that is off; the guest takes the password at its next start. */
  insertPassword(serverId: string, username: string, passwordHash: string): Promise<void>
  removeSeed(serverId: string): Promise<void>
  /** Of a machine that is off; the definition changes in one step. A disk only grows. */
  resize(serverId: string, size: NewSize): Promise<void>
  /**
   * Of the disk alone, with the guest's file systems frozen meanwhile where its agent answers. Nothing where it is
   * there.
   */
  takeSnapshot(serverId: string, snapshotId: string): Promise<void>
  /** For a guest whose snapshot was broken off. Nothing where nothing is frozen, or nobody answers. */
  thaw(serverId: string): Promise<void>
  /** Of a machine that is off: its disk as it was, as large as it is now; the definition tells which job did it. */
  revertTo(serverId: string, snapshotId: string, jobId: string): Promise<void>
  deleteSnapshot(serverId: string, snapshotId: string): Promise<void>
  /** Definition (power must be off), disks and seeds of every generation. */
  remove(serverId: string): Promise<void>

  /**
   * Until the guest is up, as its readiness says. GuestStill where nothing of it moved for `stillMs`; final where it
   * hangs.
   */
  awaitBoot(serverId: string, access: Access, signal: AbortSignal, stillMs?: number): Promise<void>
  /**
   * One login with the delivered password, told only to a guest with this host key. Throws LoginRefused or another
   * error.
   */
  tryLogin(serverId: string, access: Access, password: string, hostKey: string): Promise<void>
  /** Milliseconds until the guest's SSH banner came, or null. */
  testConnection(address: string, port: number, limitMs: number): Promise<number | null>

  /**
   * The raw bytes of a running machine's screen (RFB without a password) or of its serial line, which begins with the
   * last of what it said since its start. Ends with the machine. NothingToShow.
   */
  openConsole(serverId: string, kind: RemoteKind): Promise<Duplex>
}

/** What only the seed tells the guest, made for this generation. */
export type SeedSecrets = { passwordHash: string; hostKey: ReturnType<typeof createHostKey> }

/** `absent`: no domain. */
export type FoundPower = 'on' | 'off' | 'unknown' | 'absent'

/** Domain, disk and seed of one server, each with the generation that made it. */
export type Found = {
  power: FoundPower
  autostart: boolean
  /** From the domain's metadata; null where it was not made by us. */
  definedBy: Generation | null
  access: Access | null
  size: MachineSize | null
  /** A domain that is not ours has its name. */
  nameTaken: boolean
  disks: Generation[]
  seeds: Generation[]
  /** Of the disk that it is defined with. */
  snapshots: string[]
  /** The job whose snapshot the disk was taken back to last. */
  revertedBy: string | null
}

/** `diskGb` as ordered last; null where nobody wrote it down. */
export type MachineSize = { cpuCores: number; memoryMb: number; diskGb: number | null }

/** Null stays as it is. */
export type NewSize = MachineSize & { bandwidthMbps: number | null }

/** Kept in the domain's metadata, so that it outlives the job. */
export type Access = { address: string; port: number; username: string; readiness: Readiness }

type ErrorOptions = { final?: boolean; customer?: string; cause?: unknown; unbootable?: UnbootableImage }

/** `final`: trying again cannot help. `customer`: a sentence to show. */
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

/** Nothing was decided; the act is tried again when the hypervisor is back. */
export class HypervisorAway extends HypervisorError {
  constructor(readonly away: Away) {
    super(`${away.kind} is away: ${away.detail}`, { customer: '宿主机暂时不可用' })
  }
}

/** For an act that may fail: all but this. */
export function unlessAway(error: unknown): void {
  if (error instanceof HypervisorAway) throw error
}

/** Disk and network of the guest have not moved for so long that waiting is useless. */
export class GuestStill extends HypervisorError {
  constructor(stillMs: number) {
    super(`nothing has moved on the guest's disk or network for ${stillMs} ms`)
  }
}

/** The machine is off, or was made without a screen or serial line. */
export class NothingToShow extends HypervisorError {}

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
  snapshots: [],
  revertedBy: null,
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
