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
  /**
   * Over its disk, or over that of its rescue, with its disc in the drive; the ports of shared addresses lead to it from
   * then on, until it is removed.
   */
  define(serverId: string, machine: MachineDescription, generation: Generation, held?: Held): Promise<void>
  /** Keeps machines that were made without a guard to their addresses, from their next start on. */
  guard(networks: readonly HostNetwork[]): Promise<void>
  /**
   * All rules for its machine's port, at once and for each start; never over a newer revision. Found by `find` and
   * told, and mended, by `inventory`.
   */
  applyFirewall(serverId: string, revision: number, firewall: Firewall): Promise<void>
  /** All that its machine may send from, no more and no less: at once where it runs, and for each start. */
  admitAddresses(serverId: string, addresses: readonly string[]): Promise<void>
  /**
   * A guest that runs takes those that were added, now and at each boot of its own, and lets go of what it was told
   * before. False where no guest agent answers, or it may not, or they are not there afterwards.
   */
  takeAddresses(serverId: string, network: GrownNetwork, limitMs: number, signal: AbortSignal): Promise<boolean>
  /** For good; nothing where there is none. */
  removeFirewall(serverId: string): Promise<void>
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
  /** Disk and seed of a rescue system; `machine` is described as that. Made anew where it is there. */
  createRescue(serverId: string, rescueId: string, machine: MachineDescription, secrets: SeedSecrets): Promise<void>
  /** Of a machine that is off: the rescue system takes the place of its disk, which becomes the second one. */
  enterRescue(serverId: string, rescueId: string): Promise<void>
  /** Of a machine that is off: its own disk alone, as before. What was made of rescue systems is gone. */
  leaveRescue(serverId: string): Promise<void>
  /**
   * A file of the image folder, read-only and never touched, into the drive: at once where the machine runs, and for
   * each start. One that boots does so from the next start on. Another disc goes.
   */
  insertIso(serverId: string, iso: InsertedIso): Promise<void>
  /**
   * Whatever disc is in the drive, locked or not, of a machine that runs or is off; its disk boots from the next start
   * on.
   */
  ejectIso(serverId: string): Promise<void>
  /** The whole disk as it was at the snapshot of this name, kept elsewhere. Nothing where it is there. */
  backUp(serverId: string, backup: BackupPlace, copying: Copying): Promise<Pick<BackupMade, 'diskBytes' | 'addedBytes'>>
  /** A disk of this generation from it; what is there stays, and runs on. Final where it is not there. */
  restoreDisk(
    serverId: string,
    machine: MachineDescription,
    generation: Generation,
    backup: BackupPlace,
    copying: Copying,
  ): Promise<void>
  /** Whether its guest could do the next: it has an agent that may run commands. Null where the machine is off. */
  canMove(serverId: string): Promise<boolean | null>
  /**
   * A guest that was set up as another machine is set up anew from this generation's seed: cloud-init forgets, and it
   * starts once more. Nothing where it has been. Final where its guest agent does not do that.
   */
  takeIdentity(serverId: string, generation: Generation, limitMs: number, signal: AbortSignal): Promise<void>
  /** Also what was broken off of others. */
  deleteBackup(serverId: string, backup: BackupPlace, signal: AbortSignal): Promise<void>
  /** Whether all that should be there is, with one part of `parts` read. Changes nothing there. */
  checkBackups(serverId: string, check: BackupsToCheck, signal: AbortSignal): Promise<BackupsChecked>
  /**
   * Opened, made where there is none, written, read and cleared again, in a folder of its own. Throws restic's words.
   */
  testRepository(repository: BackupRepository, signal: AbortSignal): Promise<void>
  /** Disks and seeds but those of this generation. */
  removeOthers(serverId: string, generation: Generation): Promise<void>
  /**
   * Definition (power must be off), disks and seeds of every generation; not its firewall, which a reinstall keeps.
   * What is wiped later is told by `inventory` until it is gone.
   */
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

/** What of a machine outlives a new definition. */
export type Held = { rescueId?: string | undefined; iso?: InsertedIso | undefined }

/** By its row's id; `from`: the server that it is of, where that is another. */
export type BackupPlace = { backupId: string; repository: BackupRepository; from?: string | undefined }

export type BackupsToCheck = { repository: BackupRepository; backupIds: string[]; part: number; parts: number }

/** For what takes long by the bytes that it moves: ended by the signal, told as a share of the whole. */
export type Copying = { signal: AbortSignal; tell: (share: number) => Promise<void> }

/** What only the seed tells the guest, made for this generation, or for one rescue. */
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
  /** All that it may send from, as it is defined. */
  addresses: string[]
  /** A domain that is not ours has its name. */
  nameTaken: boolean
  disks: Generation[]
  seeds: Generation[]
  /** Of the disk that it is defined with. */
  snapshots: string[]
  /** The job whose snapshot the disk was taken back to last. */
  revertedBy: string | null
  /** That it is defined for; null: its own disk. */
  rescueId: string | null
  /** Of which there is a disk. */
  rescues: string[]
  /** The disc that its definition has in the drive, by its row's id, and whether it boots from it; null: none. */
  iso: { id: string; boots: boolean } | null
  /** The revision of its rules; null where it never had any. */
  firewall: number | null
  /** Of shared addresses, those that lead to it: `203.0.113.7:20000-20019`. */
  outsidePorts: string[]
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
  addresses: [],
  nameTaken: false,
  disks: [],
  seeds: [],
  snapshots: [],
  revertedBy: null,
  rescueId: null,
  rescues: [],
  iso: null,
  firewall: null,
  outsidePorts: [],
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

/** The ports of shared addresses that lead to a machine, as its description says. */
export const outsidePortsOf = ({ network }: MachineDescription): string[] =>
  network.addresses.flatMap(({ nat }) =>
    nat ? [`${nat.outside}:${nat.firstPort}-${nat.firstPort + nat.ports - 1}`] : [],
  )
