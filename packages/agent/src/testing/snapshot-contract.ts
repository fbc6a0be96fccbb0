import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { LoginRefused } from '../hypervisor/hypervisor.js'
import type { Installed } from './installed.js'

/** The accepted password tells what is on the disk. */
export function snapshotContract(installed: () => Installed): void {
  const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()]
  const [job, laterJob] = [randomUUID(), randomUUID()]
  const changed = 'Changed-Afterwards-5'
  const found = () => installed().hypervisor.find(installed().serverId)
  const logIn = (password: string) => {
    const { hypervisor, serverId, access, hostKey } = installed()
    return hypervisor.tryLogin(serverId, access, password, hostKey)
  }
  const boot = async () => {
    const { hypervisor, serverId, access } = installed()
    await hypervisor.start(serverId)
    await hypervisor.awaitBoot(serverId, access, AbortSignal.timeout(240_000))
  }

  test('a snapshot of a running machine is there once it was taken, and taking it again changes nothing', async () => {
    const { hypervisor, serverId, password } = installed()
    await hypervisor.takeSnapshot(serverId, first)
    await hypervisor.takeSnapshot(serverId, first)
    await hypervisor.thaw(serverId, new AbortController().signal)
    expect(await found()).toMatchObject({ power: 'on', snapshots: [first], revertedBy: null })
    await logIn(password)
  })

  test('an inventory tells what a disk holds', async () => {
    const { hypervisor, serverId } = installed()
    const { domains } = await hypervisor.inventory()
    expect(domains.find(({ uuid }) => uuid === serverId)).toMatchObject({ snapshots: [first] })
  })

  test('a machine that runs is not taken back', async () => {
    const { hypervisor, serverId } = installed()
    await expect(hypervisor.revertTo(serverId, first, job)).rejects.toThrow('the machine is')
    expect(await found()).toMatchObject({ power: 'on', revertedBy: null })
  })

  test('a disk that was taken back is as it was then, and as large as it is now', async () => {
    const { hypervisor, serverId, access, password } = installed()
    await hypervisor.setPassword(serverId, access.username, changed)
    await hypervisor.takeSnapshot(serverId, second)
    await logIn(changed)
    await hypervisor.cutPower(serverId)
    const { size } = await found()
    await hypervisor.resize(serverId, { ...size!, diskGb: 3, bandwidthMbps: null })
    await hypervisor.revertTo(serverId, first, job)
    expect(await found()).toMatchObject({ power: 'off', revertedBy: job, size: { diskGb: 3 } })
    const { domains } = await hypervisor.inventory()
    expect(domains.find(({ uuid }) => uuid === serverId)).toMatchObject({ diskGb: 3 })
    await boot()
    await logIn(password)
    await expect(logIn(changed)).rejects.toBeInstanceOf(LoginRefused)
  })

  test('the older of two is deleted while the machine runs, once; the younger is whole', async () => {
    const { hypervisor, serverId } = installed()
    await hypervisor.deleteSnapshot(serverId, first)
    await hypervisor.deleteSnapshot(serverId, first)
    expect((await found()).snapshots).toEqual([second])
    await hypervisor.cutPower(serverId)
    await hypervisor.revertTo(serverId, second, laterJob)
    expect(await found()).toMatchObject({ revertedBy: laterJob, size: { diskGb: 3 } })
    await boot()
    await logIn(changed)
  })

  test('they are taken and deleted while the machine is off, too', async () => {
    const { hypervisor, serverId } = installed()
    await hypervisor.cutPower(serverId)
    await hypervisor.takeSnapshot(serverId, third)
    await hypervisor.thaw(serverId, new AbortController().signal)
    await hypervisor.deleteSnapshot(serverId, second)
    expect(await found()).toMatchObject({ power: 'off', snapshots: [third] })
  })

  test('a disk is not taken back to one that is gone', async () => {
    const { hypervisor, serverId } = installed()
    await expect(hypervisor.revertTo(serverId, first, job)).rejects.toThrow('there is no such snapshot')
    expect(await found()).toMatchObject({ power: 'off', snapshots: [third], revertedBy: laterJob })
  })

  test('they go with the machine, and one of a machine that is gone is deleted already', async () => {
    const { hypervisor, serverId } = installed()
    await hypervisor.remove(serverId)
    expect(await found()).toMatchObject({ power: 'absent', disks: [], snapshots: [] })
    await hypervisor.deleteSnapshot(serverId, third)
  })
}
