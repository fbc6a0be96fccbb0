import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Found, unlessAway } from '../hypervisor.js'
import { figure, movementOf, parseStats, powerOf } from './parse.js'
import type { Virsh } from './run.js'

/** A guest that can be asked answers in an instant; a QEMU that hangs would hold up the asker. */
const askMs = 5000

/** The machines as libvirt has them. */
export function openDomains(virsh: Virsh) {
  const exists = async (serverId: string) => (await virsh(['list', '--all', '--uuid'])).includes(serverId)

  async function statsOf(serverId: string) {
    const [stats] = parseStats(await virsh(['domstats', '--raw', '--state', '--nowait', serverId])).values()
    return stats
  }

  /** As `movementOf` tells it; null where QEMU does not answer. */
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
    const before = await power(serverId)
    if (before === 'off' || before === 'absent') return
    try {
      await virsh(['destroy', serverId])
    } catch (error) {
      // It may have gone off in between.
      const now = await power(serverId)
      if (now !== 'off' && now !== 'absent') throw error
    }
  }

  async function defineXml(xml: string): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'vps-domain-'))
    try {
      const file = join(folder, 'domain.xml')
      await writeFile(file, xml)
      await virsh(['define', '--validate', file])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

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
      const paused = figure(stats, 'state.state') === 3
      try {
        await virsh([paused ? 'resume' : 'start', serverId])
      } catch (error) {
        if ((await power(serverId)) !== 'on') throw error
      }
    },

    async setAutostart(serverId: string, on: boolean) {
      if (await exists(serverId))
        await virsh(['autostart', serverId, ...(on ? [] : ['--disable'])], { timeoutMs: askMs })
    },

    async askShutdown(serverId: string) {
      if ((await power(serverId)) !== 'on') return
      // The caller's wait deals with a guest that cannot be asked or is off by now.
      await virsh(['shutdown', serverId], { timeoutMs: askMs }).catch(unlessAway)
    },
  }
}
export type Domains = ReturnType<typeof openDomains>
