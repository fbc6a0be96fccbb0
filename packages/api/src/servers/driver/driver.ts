import type { BackupOrigin } from '@vps/shared/backups'
import type { ConnectionTest } from '@vps/shared/console.contract'
import type { Firewall } from '@vps/shared/firewall'
import type { JobResult } from '@vps/shared/jobs.contract'
import type { Selectable } from 'kysely'
import type { Tx } from '../../db/client.js'
import type { Images } from '../../db/schema.generated.js'
import type { Deps } from '../../deps.js'
import type { JobRow } from '../../jobs/claim.js'
import type { Reservation, Tenant, ServerRequest } from './server-request.js'

export type Act =
  | { kind: 'start' }
  | { kind: 'restart' }
  | { kind: 'stop'; force: boolean }
  /** By a restart where the guest has no agent. */
  | { kind: 'resetPassword'; byRestart: boolean }
  | { kind: 'reinstall'; image: Selectable<Images>; sshPort: number | null; sshKeys: string[] }
  | { kind: 'snapshot'; name: string }
  | { kind: 'revert' | 'deleteSnapshot'; snapshotId: string }
  /** By hand, or by the schedule, which may ask for its failed one (`again`). */
  | { kind: 'backup'; origin: BackupOrigin; again: string | null }
  | { kind: 'restore'; backupId: string }
  | { kind: 'enterRescue' }
  | { kind: 'leaveRescue' }
  /** `boots`: restarts, before the machine's disk. */
  | { kind: 'insertIso'; imageId: string; boots: boolean }
  | { kind: 'ejectIso' }
  /** Made from the revision seen. */
  | { kind: 'applyFirewall'; seen: number; firewall: Firewall }
  /** Keeps data. Never refused: replaces what is queued. */
  | { kind: 'suspend' }
  /** Never refused: replaces what is queued. */
  | { kind: 'resume' }

export type Ask = {
  act: Act
  orderId: string | null
  secretId?: string | null
  askedBy?: string | null
}

/** `hostId` null: the best that has room. */
export type Migrate = { hostId: string | null; askedBy: string }
/** `refusal`: it stays after all. `staysOff`: its owner turned it off. */
export type BeginMigration = { refusal: string | null; staysOff: boolean }

/** `keepsAddresses`: those that it had. */
export type Evacuated = { jobId: string; keepsAddresses: boolean }

/**
 * A virtual machine by its host's agent (`kvm/`), or a dedicated server by our SSH worker (`ssh/`). Nobody else asks
 * which.
 */
export type Driver = {
  /** In the paying transaction, with set-up: for the first tenants, as many as there are servers. */
  place(tx: Tx, tenants: readonly Tenant[], request: ServerRequest, now: Date): Promise<Reservation[]>
  /** False, and nothing changed, without another place. */
  placeElsewhere(tx: Tx, serverId: string, now: Date): Promise<boolean>
  /** From a host that is lost: made anew, its data gone. NO_STOCK without another place, NOT_SUPPORTED. */
  evacuate(tx: Tx, serverId: string, askedBy: string, now: Date): Promise<Evacuated>
  /** To another living host, with its data (decision 0131): once its turn has come. Gives its id. NO_STOCK, NOT_SUPPORTED. */
  migrate(tx: Tx, serverId: string, migrate: Migrate, now: Date): Promise<string>
  /** Its turn has come, its order is locked. LOCKED. */
  beginMigration(tx: Tx, serverId: string, begin: BeginMigration, now: Date): Promise<void>
  /** Where what its stage waited for ended without a word, its order locked. */
  settleMigration(tx: Tx, serverId: string, now: Date): Promise<void>
  /** Gives the job's id; null without a machine. LOCKED while another is open, unless replaced; NOT_SUPPORTED. */
  ask(tx: Tx, serverId: string, ask: Ask, now: Date): Promise<string | null>
  /** Keeps what a try says; `result` null: nobody knows. */
  outcome(tx: Tx, job: JobRow, result: JobResult | null, now: Date): Promise<void>
  /** The same of a job that was called off or replaced between two tries. */
  untold(tx: Tx, job: JobRow, now: Date): Promise<void>
  /** Gives the owner's name for a machine that is resold. */
  release(tx: Tx, serverId: string, now: Date): Promise<string | null>
  /** About 8 s at most. */
  test(deps: Deps, serverId: string): Promise<ConnectionTest>
}
