import type { Duplex } from 'node:stream'
import { remoteLimits, type RemoteEnd, type RemoteEnding } from '@vps/shared/remote'
import type { WebSocket } from 'ws'
import type { Deps } from '../../deps.js'
import { endRemote, type RemoteConsole } from '../../remote/remote-consoles.js'
import { closeWith } from './sockets.js'
import type { Machine } from './meeting.js'

/** A browser that sees a machine, or waits for it. */
export class Viewer {
  private machine: Machine | null = null
  private ended: Promise<void> | null = null
  private checkedAt: number

  constructor(
    private readonly deps: Deps,
    readonly row: RemoteConsole,
    private readonly client: WebSocket,
    private readonly bytes: Duplex,
    private readonly onEnd: () => void,
  ) {
    this.checkedAt = row.openedAt.getTime()
  }

  /** Bytes go on as fast as the slower side takes them. */
  show(machine: Machine): void {
    if (this.ended) return void machine.bytes.destroy()
    this.machine = machine
    this.bytes.pipe(machine.bytes)
    machine.bytes.pipe(this.bytes, { end: false })
    void machine.ended.then((end) => this.lost(end))
  }

  overdue(): RemoteEnd | null {
    const seconds = (this.deps.now().getTime() - this.row.openedAt.getTime()) / 1000
    if (seconds >= remoteLimits.openSeconds) return 'over'
    return !this.machine && seconds >= remoteLimits.agentSeconds ? 'unreachable' : null
  }

  isDue(): boolean {
    return this.deps.now().getTime() - this.checkedAt >= remoteLimits.lookAgainSeconds * 1000
  }

  checked(): void {
    this.checkedAt = this.deps.now().getTime()
  }

  /** At once; its row is written after. */
  end(why: RemoteEnding): Promise<void> {
    return (this.ended ??= this.stop(async () => {
      if (why !== 'left') closeWith(this.client, why)
      await this.keep(why)
    }))
  }

  /** Another process may have written a better reason. */
  private lost(why: RemoteEnd): void {
    this.ended ??= this.stop(async () => {
      const known = await this.keep(why)
      if (known === 'left') this.client.close()
      else closeWith(this.client, known)
    })
  }

  private stop(tell: () => Promise<void>): Promise<void> {
    this.onEnd()
    this.machine?.bytes.unpipe(this.bytes)
    this.machine?.bytes.destroy()
    return tell()
  }

  private async keep(why: RemoteEnding): Promise<RemoteEnding> {
    try {
      return await endRemote(this.deps.db, this.row.id, why, this.deps.now())
    } catch (error) {
      this.deps.log.error({ err: error, remote: this.row.id }, 'remote console: its end could not be written')
      return why
    }
  }
}
