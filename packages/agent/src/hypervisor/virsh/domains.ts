import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { WithTemporaryFolder } from '../../temporary.js'
import { pause } from '../../wait.js'
import { type Found, unlessAway } from '../hypervisor.js'
import { figure, movementOf, parseStats, powerOf } from './parse.js'
import { type Virsh, VirshError } from './run.js'

/** An answer takes an instant; a hung QEMU would hold up the asker. */
const askMs = 5000
const lookEveryMs = 100
/** virDomainState. */
const shutDown = 4

/** Machines as libvirt has them. What virsh took too long for, and a QEMU that ends, has another `goesOnMs`. */
export function openDomains(virsh: Virsh, withTemporaryFolder: WithTemporaryFolder, goesOnMs = 15_000) {
  const exists = async (serverId: string) => (await virsh(['list', '--all', '--uuid'])).includes(serverId)

  /** A QEMU whose guest has shut down ends once it has written what it holds: looked at then. */
  async function statsOf(serverId: string) {
    for (const end = performance.now() + goesOnMs; ; await pause(lookEveryMs)) {
      const [stats] = parseStats(await virsh(['domstats', '--raw', '--state', '--nowait', serverId])).values()
      if (figure(stats, 'state.state') !== shutDown || performance.now() >= end) return stats
    }
  }

  async function askMovement(serverId: string): Promise<string | null> {
    const figures = ['--block', '--interface', '--nowait']
    const told = await virsh(['domstats', '--raw', ...figures, serverId], { timeoutMs: askMs }).catch((error) => {
      unlessAway(error)
      return ''
    })
    const [stats] = parseStats(told).values()
    return movementOf(stats)
  }

  async function power(serverId: string): Promise<Found['power']> {
    return (await exists(serverId)) ? powerOf(await statsOf(serverId)) : 'absent'
  }

  async function cutPower(serverId: string): Promise<void> {
    const isCut = (now: Found['power']) => now === 'off' || now === 'absent'
    if (isCut(await power(serverId))) return
    await carryThrough(virsh(['destroy', serverId]), async () => isCut(await power(serverId)), goesOnMs)
  }

  const defineXml = (xml: string): Promise<void> =>
    withTemporaryFolder(async (folder) => {
      const file = join(folder, 'domain.xml')
      await writeFile(file, xml)
      await virsh(['define', '--validate', file])
    })

  return {
    exists,
    statsOf,
    askMovement,
    power,
    cutPower,
    defineXml,

    async start(serverId: string) {
      const stats = await statsOf(serverId)
      if (powerOf(stats) === 'on') return
      // virDomainState: paused, or asleep as its guest wished.
      const acts = new Map([
        [3, 'resume'],
        [7, 'dompmwakeup'],
      ])
      const act = acts.get(figure(stats, 'state.state') ?? 0) ?? 'start'
      await carryThrough(virsh([act, serverId]), async () => (await power(serverId)) === 'on', goesOnMs)
    },

    async setAutostart(serverId: string, on: boolean) {
      if (await exists(serverId))
        await virsh(['autostart', serverId, ...(on ? [] : ['--disable'])], { timeoutMs: askMs })
    },

    async askShutdown(serverId: string) {
      if ((await power(serverId)) !== 'on') return
      // The caller's wait deals with one that cannot be asked or is off.
      await virsh(['shutdown', serverId], { timeoutMs: askMs }).catch(unlessAway)
    },
  }
}
export type Domains = ReturnType<typeof openDomains>

/** Done where the machine is so afterwards, whatever virsh said: libvirt goes on after a late virsh was ended. */
async function carryThrough(act: Promise<unknown>, isDone: () => Promise<boolean>, goesOnMs: number): Promise<void> {
  try {
    await act
  } catch (error) {
    const goesOn = error instanceof VirshError && error.timedOut
    const end = performance.now() + (goesOn ? goesOnMs : 0)
    while (!(await isDone())) {
      if (performance.now() >= end) throw error
      await pause(lookEveryMs)
    }
  }
}
