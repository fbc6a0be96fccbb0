import type { FoundPower } from '../hypervisor.js'
import { conditionOf, parseList, parseStats, powerOf } from './parse.js'
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
  return list.map(({ uuid, name }) => ({
    uuid,
    name,
    power: powerOf(states.get(name)),
    condition: conditionOf(states.get(name)),
  }))
}
