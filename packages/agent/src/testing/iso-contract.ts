import { randomUUID } from 'node:crypto'
import type { MachineDescription } from '@vps/shared/jobs.contract'
import { expect, test } from 'vitest'
import { LoginRefused } from '../hypervisor/hypervisor.js'
import { until } from '../wait.js'
import type { Installed } from './installed.js'

/** `disc` boots its own system, where no login of the machine's disk succeeds; `file` is in the image folder. */
export type WithDisc = Installed & { machine: MachineDescription; disc: { file: string } }

/** The disk's own password tells which system runs. */
export function isoContract(installed: () => WithDisc): void {
  const isoId = randomUUID()
  const made = { epoch: 1, number: 1 }
  const found = () => installed().hypervisor.find(installed().serverId)
  const told = async () => {
    const { hypervisor, serverId } = installed()
    return (await hypervisor.inventory()).domains.find(({ uuid }) => uuid === serverId)?.isoId
  }
  const insert = (boots: boolean) => {
    const { hypervisor, serverId, disc } = installed()
    return hypervisor.insertIso(serverId, { isoId, file: disc.file, boots })
  }
  const logIn = () => {
    const { hypervisor, serverId, access, password, hostKey } = installed()
    return hypervisor.tryLogin(serverId, access, password, hostKey)
  }
  /** A disk that is cut off may need a repair before it boots. */
  const shutDown = async () => {
    const { hypervisor, serverId } = installed()
    await hypervisor.askShutdown(serverId)
    const late = () => new Error('still on')
    const signal = AbortSignal.timeout(120_000)
    const isOff = async () => ((await found()).power === 'off' ? true : null)
    await until(isOff, { everyMs: 20, limitMs: 120_000, signal, late })
  }
  const untilUp = async () => {
    const { hypervisor, serverId, access } = installed()
    await hypervisor.awaitBoot(serverId, access, AbortSignal.timeout(240_000))
    const signal = AbortSignal.timeout(120_000)
    const late = () => new Error('no login')
    await until(
      () =>
        logIn().then(
          () => true,
          () => null,
        ),
      { everyMs: 300, limitMs: 120_000, signal, late },
    )
  }

  test('a machine that runs gets a disc at once and runs on; its definition and the inventory say which', async () => {
    expect(await told()).toBeNull()
    await insert(false)
    await insert(false)
    expect(await found()).toMatchObject({ power: 'on', iso: { id: isoId, boots: false } })
    expect(await told()).toBe(isoId)
    await logIn()
  })

  test('one that is only put in does not boot', async () => {
    await shutDown()
    await installed().hypervisor.start(installed().serverId)
    await untilUp()
    expect(await found()).toMatchObject({ power: 'on', iso: { id: isoId, boots: false } })
  })

  test('seeds come and go without it', async () => {
    const { hypervisor, serverId } = installed()
    await hypervisor.removeSeed(serverId)
    expect(await found()).toMatchObject({ iso: { id: isoId, boots: false } })
  })

  test('one that boots does so from the next start on, and outlives stops, starts, another size and a new definition', async () => {
    const { hypervisor, serverId, machine, disc } = installed()
    await insert(true)
    expect(await found()).toMatchObject({ power: 'on', iso: { id: isoId, boots: true } })
    await logIn()
    await shutDown()
    await hypervisor.resize(serverId, {
      cpuCores: 1,
      memoryMb: machine.memoryMb + 64,
      diskGb: null,
      bandwidthMbps: null,
    })
    expect((await found()).iso).toEqual({ id: isoId, boots: true })
    await hypervisor.define(serverId, machine, made, { iso: { isoId, file: disc.file, boots: true } })
    await hypervisor.start(serverId)
    expect(await found()).toMatchObject({ power: 'on', iso: { id: isoId, boots: true } })
    await expect(logIn()).rejects.not.toBeInstanceOf(LoginRefused)
  })

  test('it comes out of a machine that runs from it, twice is once, and then the disk boots', async () => {
    const { hypervisor, serverId } = installed()
    await hypervisor.ejectIso(serverId)
    await hypervisor.ejectIso(serverId)
    expect(await found()).toMatchObject({ power: 'on', iso: null })
    expect(await told()).toBeNull()
    await hypervisor.cutPower(serverId)
    await hypervisor.start(serverId)
    await untilUp()
  })

  test('a machine that is off gets it and loses it, too', async () => {
    const { hypervisor, serverId } = installed()
    await shutDown()
    await insert(true)
    expect(await found()).toMatchObject({ power: 'off', iso: { id: isoId, boots: true } })
    await hypervisor.ejectIso(serverId)
    expect(await found()).toMatchObject({ power: 'off', iso: null })
  })

  test('a new definition without it has an empty drive', async () => {
    const { hypervisor, serverId, machine } = installed()
    await insert(true)
    await hypervisor.define(serverId, machine, made)
    expect((await found()).iso).toBeNull()
  })

  test('a machine that is removed with it leaves the disc to the others', async () => {
    const { hypervisor, serverId, machine, disc } = installed()
    await insert(true)
    await hypervisor.remove(serverId)
    expect(await found()).toMatchObject({ power: 'absent', disks: [], iso: null })
    await hypervisor.verifyImage({ ...machine.image, file: disc.file })
  })
}
