import type { GrownNetwork } from '@vps/shared/jobs.contract'
import { expect, test } from 'vitest'
import type { Installed } from './installed.js'
import { machine } from './machines.js'

const { mac, addresses } = machine().network
const [first, second] = ['10.77.0.2', '10.77.0.3']
const agentMs = 60_000

/** With or without the second address. */
export const grown = (added: string[]): GrownNetwork => ({
  mac,
  addresses: [...addresses, ...added.map((address) => ({ address, prefix: 24 }))],
  prefixes: [],
  added,
})

/** The machine is gone at the end. */
export function addressesContract(installed: () => Installed): void {
  const { signal } = new AbortController()
  const admitted = async () => (await installed().hypervisor.find(installed().serverId)).addresses
  const admit = (...all: string[]) => installed().hypervisor.admitAddresses(installed().serverId, all)
  const take = (added: string[]) =>
    installed().hypervisor.takeAddresses(installed().serverId, grown(added), agentMs, signal)
  const answers = async () =>
    (await installed().hypervisor.testConnection(second, installed().access.port, 15_000)) !== null
  const restart = async () => {
    const { hypervisor, serverId, access } = installed()
    await hypervisor.cutPower(serverId)
    await hypervisor.start(serverId)
    await hypervisor.awaitBoot(serverId, access, signal)
  }

  test('a machine begins with the addresses that it was made with', async () => {
    expect(await admitted()).toEqual([first])
    expect(await answers()).toBe(false)
  })

  test('one that its guest takes answers once it is let through, without a restart', async () => {
    expect(await take([second])).toBe(true)
    await admit(first, second)
    await admit(first, second)
    expect(await take([second])).toBe(true)
    expect([await admitted(), await answers()]).toEqual([[first, second], true])
  })

  test('it is still there after a restart', async () => {
    await restart()
    expect(await admitted()).toEqual([first, second])
    // The kernel may still be giving up a search for its MAC address that began before the guest was up.
    await expect.poll(answers).toBe(true)
  })

  test('it goes again, out of the guest too', async () => {
    await admit(first)
    expect(await take([])).toBe(true)
    expect([await admitted(), await answers()]).toEqual([[first], false])
    await admit(first, second)
    expect(await answers()).toBe(false)
  })

  test('a guest that is off takes none, but they are let through from its next start on', async () => {
    const { hypervisor, serverId } = installed()
    await hypervisor.cutPower(serverId)
    await admit(first, second)
    expect([await take([second]), await admitted()]).toEqual([false, [first, second]])
  })

  test('a machine that is gone gets none', async () => {
    const { hypervisor, serverId } = installed()
    await hypervisor.remove(serverId)
    await expect(admit(first, second)).rejects.toThrow('no such')
  })
}
