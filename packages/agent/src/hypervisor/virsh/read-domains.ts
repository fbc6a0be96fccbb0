import type { FoundPower } from '../hypervisor.js'
import { conditionOf, failedToStart, parseList, parseStats, powerOf } from './parse.js'
import type { Virsh } from './run.js'

export type Domain = {
  uuid: string
  name: string
  power: Exclude<FoundPower, 'absent'>
  condition: ReturnType<typeof conditionOf>
}

/** From what libvirt knows by itself: no QEMU can hold this up. */
export async function readDomains(virsh: Virsh): Promise<Domain[]> {
  const list = parseList(await virsh(['list', '--all', '--uuid', '--name']))
  const states = parseStats(await virsh(['domstats', '--raw', '--state', '--nowait']))
  // Such as did not come back with their host; one that its owner has off is.
  const failed = list.filter(({ name }) => failedToStart(states.get(name)))
  const belongOn = failed.length === 0 ? '' : await virsh(['list', '--all', '--autostart', '--uuid'])
  const wasLeftOff = new Set(failed.flatMap(({ uuid }) => (belongOn.includes(uuid) ? [uuid] : [])))
  return list.map(({ uuid, name }) => ({
    uuid,
    name,
    power: powerOf(states.get(name)),
    condition: wasLeftOff.has(uuid) ? 'crashed' : conditionOf(states.get(name)),
  }))
}
