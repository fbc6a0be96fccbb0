import * as z from 'zod'
import { HypervisorError, unlessAway } from '../hypervisor.js'
import { until } from '../../wait.js'
import type { Virsh } from './run.js'

/** Talks to the guest's agent. */
export function openGuest(virsh: Virsh) {
  /** By virsh's standard input: all on the host can read arguments, and some hold a password. */
  async function ask(serverId: string, command: string, given: object = {}, seconds = 5): Promise<unknown> {
    const request = JSON.stringify({ execute: command, arguments: given })
    if (request.includes("'")) throw new HypervisorError('a guest command cannot hold a quote')
    const said = await virsh([], {
      input: `qemu-agent-command ${serverId} --timeout ${seconds} '${request}'\n`,
      timeoutMs: (seconds + 10) * 1000,
    })
    // virsh prints its prompt around it.
    const line = said
      .split('\n')
      .map((one) => one.replace(/^(virsh [#>] )+/, ''))
      .find((one) => one.startsWith('{'))
    if (line === undefined) throw new HypervisorError(`the guest did not answer ${command}`)
    return answer.parse(JSON.parse(line)).return
  }

  async function ping(serverId: string): Promise<boolean> {
    try {
      await ask(serverId, 'guest-ping', {}, 3)
      return true
    } catch (error) {
      unlessAway(error)
      return false
    }
  }

  return {
    ping,
    ...commandsOf(ask),

    async setPassword(serverId: string, username: string, password: string): Promise<void> {
      await ask(
        serverId,
        'guest-set-user-password',
        { username, password: Buffer.from(password).toString('base64'), crypted: false },
        20,
      )
    },

    /** Nothing where nothing is frozen. */
    async thaw(serverId: string): Promise<void> {
      await ask(serverId, 'guest-fsfreeze-thaw', {}, 10)
    },

    /** Percent of the root file system; null: not told. */
    async diskUsage(serverId: string): Promise<number | null> {
      try {
        const systems = fileSystems.parse(await ask(serverId, 'guest-get-fsinfo'))
        const root =
          systems.find((one) => one.mountpoint === '/') ?? systems.find((one) => /^[Cc]:/.test(one.mountpoint))
        const { 'used-bytes': used, 'total-bytes': total } = root ?? {}
        return used !== undefined && total ? Math.min(100, Math.round((1000 * used) / total) / 10) : null
      } catch {
        return null
      }
    },
  }
}

type Ask = (serverId: string, command: string, given?: object, seconds?: number) => Promise<unknown>

function commandsOf(ask: Ask) {
  return {
    /** False, too, where nobody answers. */
    async mayRun(serverId: string): Promise<boolean> {
      try {
        const { supported_commands: all } = info.parse(await ask(serverId, 'guest-info'))
        return all.some(({ name, enabled }) => name === 'guest-exec' && enabled)
      } catch (error) {
        unlessAway(error)
        return false
      }
    },

    async run(serverId: string, script: string, signal: AbortSignal): Promise<number> {
      const given = { path: '/bin/sh', arg: ['-c', script], 'capture-output': false }
      const { pid } = started.parse(await ask(serverId, 'guest-exec', given, 10))
      return until(
        async () => {
          const status = exec.parse(await ask(serverId, 'guest-exec-status', { pid }, 10))
          return status.exited ? (status.exitcode ?? 1) : null
        },
        { everyMs: 300, limitMs: 60_000, signal, late: () => new HypervisorError('a guest command did not end') },
      )
    },
  }
}

export type Guest = ReturnType<typeof openGuest>

const info = z.looseObject({
  supported_commands: z.array(z.looseObject({ name: z.string(), enabled: z.boolean() })),
})
const started = z.looseObject({ pid: z.number() })
const exec = z.looseObject({ exited: z.boolean(), exitcode: z.number().optional() })
const answer = z.looseObject({ return: z.unknown() })
/** A guest's impossible figure would have its host's whole report refused. */
const bytes = z.number().min(0).optional()
const fileSystems = z.array(z.looseObject({ mountpoint: z.string(), 'used-bytes': bytes, 'total-bytes': bytes }))
