import type { ConnectionTest } from '@vps/shared/console.contract'
import type { JobResult } from '@vps/shared/jobs.contract'
import type { Selectable } from 'kysely'
import type { Tx } from '../../db/client.js'
import type { Images } from '../../db/schema.generated.js'
import type { Deps } from '../../deps.js'
import type { JobRow } from '../../jobs/claim.js'
import type { Tenant, ServerRequest } from './server-request.js'

/** What may be asked of a server: by whoever uses it, and (`suspend`, `resume`) by the life of its order. */
export type Act =
  | { kind: 'start' }
  | { kind: 'restart' }
  | { kind: 'stop'; force: boolean }
  /** By a restart where the guest has no agent. */
  | { kind: 'resetPassword'; byRestart: boolean }
  | { kind: 'reinstall'; image: Selectable<Images>; sshPort: number | null; sshKeys: string[] }
  /** Nobody uses it any more; its data stay. Never refused: it replaces what is queued. */
  | { kind: 'suspend' }
  /** It is used again. Never refused: it replaces what is queued. */
  | { kind: 'resume' }

export type Ask = {
  act: Act
  orderId: string | null
  /** The password that the act brings. */
  secretId?: string | null
  askedBy?: string | null
}

/**
 * A way to come by a server, to act on it and to be rid of it. There are two: a virtual machine on a host, driven by
 * that host's agent (`kvm/`), and a dedicated server, driven by our own worker over SSH (`ssh/`). Nobody else asks
 * which it is.
 */
export type Driver = {
  /**
   * Finds an order a server in the paying transaction and asks for its set-up; gives its id, or null where there is
   * none.
   */
  place(tx: Tx, tenant: Tenant, request: ServerRequest, now: Date): Promise<string | null>
  /** Gives up where a server is set up and tries elsewhere. False, and nothing changed, where there is nowhere else. */
  placeElsewhere(tx: Tx, serverId: string, orderId: string, now: Date): Promise<boolean>
  /**
   * Asks for an act; gives the job's id, or null where there is no machine to act on. LOCKED while another is open,
   * unless the act replaces it; NOT_SUPPORTED.
   */
  ask(tx: Tx, serverId: string, ask: Ask, now: Date): Promise<string | null>
  /** What a try of a job says of its machine becomes what we know of it. `result` is null where nobody knows. */
  outcome(tx: Tx, job: JobRow, result: JobResult | null, now: Date): Promise<void>
  /** The server's order has ended. Gives the name that its owner gave it where the machine is somebody else's soon. */
  release(tx: Tx, serverId: string, now: Date): Promise<string | null>
  /** Tries the server's SSH port now, in at most about 8 s. */
  test(deps: Deps, serverId: string): Promise<ConnectionTest>
}
