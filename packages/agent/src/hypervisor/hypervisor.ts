import type { Duplex } from 'node:stream'
import type { RemoteKind } from '@vps/shared/remote'
import type { Away, BackupRepository, HostCapacity, HostNetwork, Inventory, Report } from '@vps/shared/agent.contract'
import type { Generation, Readiness } from '@vps/shared/jobs'
import type { Firewall } from '@vps/shared/firewall'
import type {
  BackupMade,
  BackupsChecked,
  GrownNetwork,
  InsertedIso,
  MachineDescription,
  UnbootableImage,
} from '@vps/shared/jobs.contract'
import type { createHostKey } from '../host-key.js'
import type { ImageFolder } from '../images/folder.js'

/**
 * What runs the machines: `virsh` (libvirt) or `simulated`. Machines have the server's id. Every verb is bounded in
 * time, harmless to repeat and does one thing; `plan.ts` decides which, from what `find` reads.
 */
export interface Hypervisor {
  readonly kind: HostCapacity['hypervisor']
  /** Also images that the agent brings. */
  readonly images: ImageFolder

  /** Waiting does not mend it: throws a sentence for the operator. Once, first. */
  open(): Promise<void>
  /** Waiting mends it; null while it can work. Until then any verb may throw HypervisorAway. */
  checkPresence(): Promise<Away | null>
  capacity(): Promise<HostCapacity>
  inventory(): Promise<Pick<Inventory, 'images' | 'changedBases' | 'domains' | 'volumes'>>
  /** Also while the hypervisor is away. */
  measureHost(): Promise<Report['host']>
  measure(): Promise<Report['domains']>

  /** Final where none would start here, as without KVM: before anything is stopped or deleted. */
  requireStart(): Promise<void>
  find(serverId: string): Promise<Found>
  verifyImage(image: MachineDescription['image']): Promise<void>
  createDisk(serverId: string, machine: MachineDescription, generation: Generation): Promise<void>
  hashPassword(password: string): Promise<string>
  /** NoCloud: hostname, network, keys and a crypt(3) hash, never the password. */
  createSeed(serverId: string, machine: MachineDescription, generation: Generation, secrets: SeedSecrets): Promise<void>
  /**
   * Over its disk or its rescue's, with its disc in the drive. Shared addresses' ports lead to it until it is removed.
   */
  define(serverId: string, machine: MachineDescription, generation: Generation, held?: Held): Promise<void>
  /** Keeps machines made without a guard to their addresses, from their next start on; all from speaking as `routers`. */
  guard(networks: readonly HostNetwork[], routers: readonly string[]): Promise<void>
  /**
   * All rules for its port, at once and for each start; never over a newer revision. `inventory` tells and mends them.
   */
  applyFirewall(serverId: string, revision: number, firewall: Firewall): Promise<void>
  /** All that it may send from: at once where it runs, and for each start. */
  admitAddresses(serverId: string, addresses: readonly string[]): Promise<void>
  /**
   * A running guest takes those added, now and at each boot, and drops earlier ones. False where no guest agent
   * answers, it may not, or they are not there afterwards.
   */
  takeAddresses(serverId: string, network: GrownNetwork, limitMs: number, signal: AbortSignal): Promise<boolean>
  /** For good; nothing where there is none. */
  removeFirewall(serverId: string): Promise<void>
  start(serverId: string): Promise<void>
  /** After the host's reboot. */
  setAutostart(serverId: string, on: boolean): Promise<void>
  askShutdown(serverId: string): Promise<void>
  cutPower(serverId: string): Promise<void>
  /** By the guest agent; final where none answers. */
  setPassword(serverId: string, username: string, password: string): Promise<void>
  /** In a one-time image in a stopped machine's drive, for its next start. */
  insertPassword(serverId: string, username: string, passwordHash: string): Promise<void>
  removeSeed(serverId: string): Promise<void>
  /** Of a stopped machine, in one step. A disk only grows. */
  resize(serverId: string, size: NewSize): Promise<void>
  /** Of the disk alone, frozen where the guest agent answers. Nothing where it is there. */
  takeSnapshot(serverId: string, snapshotId: string): Promise<void>
  /** After a broken-off snapshot. Nothing where nothing is frozen or nobody answers. */
  thaw(serverId: string, signal: AbortSignal): Promise<void>
  /** Of a stopped machine: its disk as it was, but as large as now; the definition tells which job did it. */
  revertTo(serverId: string, snapshotId: string, jobId: string): Promise<void>
  deleteSnapshot(serverId: string, snapshotId: string): Promise<void>
  /** Disk and seed of a rescue system, by `machine`; anew where it is there. */
  createRescue(serverId: string, rescueId: string, machine: MachineDescription, secrets: SeedSecrets): Promise<void>
  /** Of a stopped machine: the rescue system takes its disk's place, which becomes the second. */
  enterRescue(serverId: string, rescueId: string): Promise<void>
  /** Of a stopped machine: its own disk alone, as before. Removes all rescue systems. */
  leaveRescue(serverId: string): Promise<void>
  /**
   * A file of the image folder, read-only, into the drive: at once where it runs, and for each start. May boot from the
   * next start. Replaces another.
   */
  insertIso(serverId: string, iso: InsertedIso): Promise<void>
  /** Whatever disc is in, locked or not; its disk boots from the next start. */
  ejectIso(serverId: string): Promise<void>
  /** The whole disk as at this snapshot, kept elsewhere. Nothing where it is there. */
  backUp(serverId: string, backup: BackupPlace, copying: Copying): Promise<Pick<BackupMade, 'diskBytes' | 'addedBytes'>>
  /** A disk of this generation from it, beside what is there, which runs on. Final without a backup. */
  restoreDisk(
    serverId: string,
    machine: MachineDescription,
    generation: Generation,
    backup: BackupPlace,
    copying: Copying,
  ): Promise<void>
  /** Whether its guest could do the next: its agent runs commands. Null: off. */
  canMove(serverId: string): Promise<boolean | null>
  /**
   * A guest set up as another machine is set up anew from this generation's seed: cloud-init forgets, and it starts
   * again. Nothing where done. Final where its guest agent does not.
   */
  takeIdentity(serverId: string, generation: Generation, limitMs: number, signal: AbortSignal): Promise<void>
  /** Also what was broken off of others. */
  deleteBackup(serverId: string, backup: BackupPlace, signal: AbortSignal): Promise<void>
  /** Whether all is there, reading one of `parts`. Changes nothing. */
  checkBackups(serverId: string, check: BackupsToCheck, signal: AbortSignal): Promise<BackupsChecked>
  /** Opened or made, written, read and cleared, in its own folder. Throws restic's words. */
  testRepository(repository: BackupRepository, signal: AbortSignal): Promise<void>
  /** Disks and seeds of other generations. */
  removeOthers(serverId: string, generation: Generation): Promise<void>
  /**
   * Definition (power must be off), disks and seeds of all generations; not its firewall, for a reinstall. `inventory`
   * tells what is wiped later.
   */
  remove(serverId: string): Promise<void>

  /** Until the guest is up, by its readiness. GuestStill where nothing moved for `stillMs`; final where it hangs. */
  awaitBoot(serverId: string, access: Access, signal: AbortSignal, stillMs?: number): Promise<void>
  /** One login with the delivered password, only to this host key. Throws LoginRefused or another error. */
  tryLogin(serverId: string, access: Access, password: string, hostKey: string): Promise<void>
  /** Milliseconds until the guest's SSH banner, or null. */
  testConnection(address: string, port: number, limitMs: number): Promise<number | null>

  /**
   * Raw bytes of a running machine's screen (RFB without a password) or serial line, from its last words on. Ends with
   * the machine. NothingToShow.
   */
  openConsole(serverId: string, kind: RemoteKind): Promise<Duplex>
}

/** What outlives a new definition. */
export type Held = { rescueId?: string | undefined; iso?: InsertedIso | undefined }

/** By its row's id; `from`: the server it is of, where another. */
export type BackupPlace = { backupId: string; repository: BackupRepository; from?: string | undefined }

export type BackupsToCheck = { repository: BackupRepository; backupIds: string[]; part: number; parts: number }

/** For many bytes: ended by the signal, told as a share of the whole. */
export type Copying = { signal: AbortSignal; tell: (share: number) => Promise<void> }

/** Only in the seed of this generation or rescue. */
export type SeedSecrets = { passwordHash: string; hostKey: ReturnType<typeof createHostKey> }

export type FoundPower = 'on' | 'off' | 'unknown' | 'absent'

/** One server's, each with the generation that made it. */
export type Found = {
  power: FoundPower
  autostart: boolean
  /** By the domain's metadata; null: not made by us. */
  definedBy: Generation | null
  access: Access | null
  size: MachineSize | null
  /** As defined, 0: without limit; null: the host cannot limit it. */
  bandwidthMbps: { inbound: number; outbound: number } | null
  /** All that it may send from, as defined. */
  addresses: string[]
  /** By a domain that is not ours. */
  nameTaken: boolean
  disks: Generation[]
  /** A disk begun and never whole. */
  hasHalf: boolean
  seeds: Generation[]
  /** Of its defined disk. */
  snapshots: string[]
  revertedBy: string | null
  /** Defined for it; null: its own disk. */
  rescueId: string | null
  rescues: string[]
  /** In its defined drive, by its row's id; null: none. */
  iso: { id: string; boots: boolean } | null
  /** The rules' revision; null: never any. */
  firewall: number | null
  /** Shared addresses' ports that lead to it: `203.0.113.7:20000-20019`. */
  outsidePorts: string[]
}

/** `diskGb` as last ordered; null: not written down. */
export type MachineSize = { cpuCores: number; memoryMb: number; diskGb: number | null }

export type NewSize = MachineSize & { bandwidthMbps: number | null }

/** Kept in the domain's metadata. */
export type Access = { address: string; port: number; username: string; readiness: Readiness }

type ErrorOptions = { final?: boolean; customer?: string; cause?: unknown; unbootable?: UnbootableImage }

/** `final`: another try cannot help. `customer`: a sentence to show. */
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

/** Nothing was decided; tried again when it is back. */
export class HypervisorAway extends HypervisorError {
  constructor(readonly away: Away) {
    super(`${away.kind} is away: ${away.detail}`, { customer: '宿主机暂时不可用' })
  }
}

/** For an act that may fail: all but this. */
export function unlessAway(error: unknown): void {
  if (error instanceof HypervisorAway) throw error
}

/** Disk and network were still for so long that waiting is useless. */
export class GuestStill extends HypervisorError {
  constructor(stillMs: number) {
    super(`nothing has moved on the guest's disk or network for ${stillMs} ms`)
  }
}

/** Off, or made without screen or serial line. */
export class NothingToShow extends HypervisorError {}

export class LoginRefused extends HypervisorError {}

export const nothingFound: Found = {
  power: 'absent',
  autostart: false,
  definedBy: null,
  access: null,
  size: null,
  bandwidthMbps: null,
  addresses: [],
  nameTaken: false,
  disks: [],
  hasHalf: false,
  seeds: [],
  snapshots: [],
  revertedBy: null,
  rescueId: null,
  rescues: [],
  iso: null,
  firewall: null,
  outsidePorts: [],
}

/** As its description says. */
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

/** As its description says. */
export const outsidePortsOf = ({ network }: MachineDescription): string[] =>
  network.addresses.flatMap(({ nat }) =>
    nat ? [`${nat.outside}:${nat.firstPort}-${nat.firstPort + nat.ports - 1}`] : [],
  )
