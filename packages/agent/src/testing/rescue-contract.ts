import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createHostKey } from '../host-key.js'
import { LoginRefused } from '../hypervisor/hypervisor.js'
import { until } from '../wait.js'
import type { MachineDescription } from '@vps/shared/jobs.contract'
import type { Installed } from './installed.js'

export type WithRescue = Installed & {
  machine: MachineDescription
  /** With the rescue system's image: two disks made of one image have the same names inside, so either may be booted. */
  rescueMachine: MachineDescription
}

/** Password and host key tell which system runs. */
export function rescueContract(installed: () => WithRescue): void {
  const [first, later] = [randomUUID(), randomUUID()]
  const rescue = { password: 'Rescue-Once-9', hostKey: createHostKey() }
  const found = () => installed().hypervisor.find(installed().serverId)
  const boot = async () => {
    const { hypervisor, serverId, access } = installed()
    await hypervisor.start(serverId)
    await hypervisor.awaitBoot(serverId, access, AbortSignal.timeout(240_000))
  }
  /** A disk that is cut off may need a repair before it boots. */
  const shutDown = async () => {
    const { hypervisor, serverId } = installed()
    await hypervisor.askShutdown(serverId)
    const options = {
      everyMs: 20,
      limitMs: 120_000,
      signal: AbortSignal.timeout(120_000),
      late: () => new Error('still on'),
    }
    await until(async () => ((await found()).power === 'off' ? true : null), options)
  }
  const create = async (rescueId: string) => {
    const { hypervisor, serverId, rescueMachine } = installed()
    const passwordHash = await hypervisor.hashPassword(rescue.password)
    await hypervisor.createRescue(serverId, rescueId, rescueMachine, { passwordHash, hostKey: rescue.hostKey })
  }
  const logIn = () => {
    const { hypervisor, serverId, access } = installed()
    return hypervisor.tryLogin(serverId, access, rescue.password, rescue.hostKey.fingerprint)
  }
  const logInToOwn = () => {
    const { hypervisor, serverId, access, password, hostKey } = installed()
    return hypervisor.tryLogin(serverId, access, password, hostKey)
  }

  test('a rescue system is made beside a machine that runs on, and only one is kept', async () => {
    await create(first)
    await create(later)
    expect(await found()).toMatchObject({ power: 'on', rescueId: null, rescues: [later] })
    await logInToOwn()
  })

  test('a machine that runs is neither taken into rescue nor out of it', async () => {
    const { hypervisor, serverId } = installed()
    await expect(hypervisor.enterRescue(serverId, later)).rejects.toThrow('the machine is')
    expect(await found()).toMatchObject({ power: 'on', rescueId: null })
  })

  test('in rescue, by one password and host key of its own, the disk is kept and the inventory says so', async () => {
    const { hypervisor, serverId, hostKey, access, password } = installed()
    const before = await found()
    await shutDown()
    await hypervisor.enterRescue(serverId, later)
    await hypervisor.enterRescue(serverId, later)
    await boot()
    await hypervisor.removeSeed(serverId)
    await logIn()
    await expect(hypervisor.tryLogin(serverId, access, password, hostKey)).rejects.not.toBeInstanceOf(LoginRefused)
    expect(await found()).toMatchObject({ rescueId: later, rescues: [later], disks: before.disks, size: before.size })
    const { domains } = await hypervisor.inventory()
    expect(domains.find(({ uuid }) => uuid === serverId)).toMatchObject({ rescueId: later })
    await expect(hypervisor.leaveRescue(serverId)).rejects.toThrow('the machine is')
  })

  test('it outlives a stop, a start and a new definition', async () => {
    const { hypervisor, serverId, machine } = installed()
    await shutDown()
    await hypervisor.define(serverId, machine, { epoch: 1, number: 1 }, { rescueId: later })
    expect(await found()).toMatchObject({ power: 'off', rescueId: later })
    await boot()
    await logIn()
  })

  test('left, the machine has its own disk alone again, and leaving once more changes nothing', async () => {
    const { hypervisor, serverId } = installed()
    await hypervisor.cutPower(serverId)
    await hypervisor.leaveRescue(serverId)
    expect(await found()).toMatchObject({ power: 'off', rescueId: null, rescues: [], seeds: [] })
    await boot()
    await hypervisor.leaveRescue(serverId)
    await logInToOwn()
  })

  test('a machine that is removed in rescue leaves nothing behind', async () => {
    const { hypervisor, serverId } = installed()
    await create(first)
    await hypervisor.cutPower(serverId)
    await hypervisor.enterRescue(serverId, first)
    await hypervisor.remove(serverId)
    expect(await found()).toMatchObject({ power: 'absent', disks: [], rescues: [], rescueId: null })
    expect((await hypervisor.inventory()).volumes.filter(({ name }) => name.startsWith(serverId))).toEqual([])
  })
}
