import type { MachineDescription } from '@vps/shared/jobs.contract'
import { expect, test } from 'vitest'
import { outsidePortsOf } from '../hypervisor/hypervisor.js'
import type { Installed } from './installed.js'

/** On a machine made as described, gone at the end. */
export function natContract(installed: () => Installed, described: MachineDescription): void {
  const found = async () => (await installed().hypervisor.find(installed().serverId)).outsidePorts
  const { network } = described
  const bare = {
    ...described,
    network: {
      ...network,
      addresses: network.addresses.map(({ address, prefix, gateway }) => ({ address, prefix, gateway })),
    },
  }

  test('ports lead to a machine from its definition on, and it says that it can', async () => {
    const { hypervisor, serverId, access, password, hostKey } = installed()
    expect((await hypervisor.capacity()).forwardsPorts).toBe(true)
    expect(outsidePortsOf(described)).toHaveLength(1)
    expect(await found()).toEqual(outsidePortsOf(described))
    await hypervisor.tryLogin(serverId, access, password, hostKey)
  })

  test('a definition without a shared address takes them away, one with it brings them back', async () => {
    const { hypervisor, serverId } = installed()
    const [generation] = (await hypervisor.find(serverId)).disks
    await hypervisor.define(serverId, bare, generation!)
    expect(await found()).toEqual([])
    await hypervisor.define(serverId, described, generation!)
    await hypervisor.define(serverId, described, generation!)
    expect(await found()).toEqual(outsidePortsOf(described))
  })

  test('they stay while it is off, and go with it', async () => {
    const { hypervisor, serverId } = installed()
    await hypervisor.cutPower(serverId)
    expect(await found()).toEqual(outsidePortsOf(described))
    await hypervisor.remove(serverId)
    expect(await found()).toEqual([])
  })
}
