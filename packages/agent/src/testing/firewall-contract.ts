import { type Firewall, noFirewall } from '@vps/shared/firewall'
import { expect, test } from 'vitest'
import type { Installed } from './installed.js'

export const nothingPasses: Firewall = { enabled: true, inbound: 'drop', outbound: 'drop', rules: [] }

/** The machine is gone at the end. */
export function firewallContract(installed: () => Installed): void {
  const found = () => installed().hypervisor.find(installed().serverId)
  const told = async () => {
    const { domains } = await installed().hypervisor.inventory()
    return domains.find(({ uuid }) => uuid === installed().serverId)?.firewall
  }

  test('rules hold once they were applied, are told, and the host itself passes them', async () => {
    const { hypervisor, serverId, access, password, hostKey } = installed()
    expect([(await found()).firewall, await told()]).toEqual([null, undefined])
    await hypervisor.applyFirewall(serverId, 2, nothingPasses)
    await hypervisor.applyFirewall(serverId, 2, nothingPasses)
    expect([(await found()).firewall, await told()]).toEqual([2, 2])
    await hypervisor.tryLogin(serverId, access, password, hostKey)
  })

  test('an older revision changes nothing', async () => {
    const { hypervisor, serverId } = installed()
    await hypervisor.applyFirewall(serverId, 1, noFirewall)
    expect([(await found()).firewall, await told()]).toEqual([2, 2])
  })

  test('they stay with a machine that is off, may be changed then, and may be switched off', async () => {
    const { hypervisor, serverId } = installed()
    await hypervisor.cutPower(serverId)
    expect(await told()).toBe(2)
    await hypervisor.applyFirewall(serverId, 3, noFirewall)
    expect([(await found()).firewall, await told()]).toEqual([3, 3])
  })

  test('they outlive the machine until they are removed, and one that is gone gets none', async () => {
    const { hypervisor, serverId } = installed()
    await hypervisor.remove(serverId)
    expect((await found()).firewall).toBe(3)
    await hypervisor.removeFirewall(serverId)
    await hypervisor.removeFirewall(serverId)
    expect((await found()).firewall).toBeNull()
    await expect(hypervisor.applyFirewall(serverId, 4, nothingPasses)).rejects.toThrow('no such')
  })
}
