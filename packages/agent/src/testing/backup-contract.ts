import { randomUUID } from 'node:crypto'
import type { BackupRepository } from '@vps/shared/agent.contract'
import { expect, test } from 'vitest'
import { LoginRefused } from '../hypervisor/hypervisor.js'
import { machine } from './machines.js'
import type { Installed } from './installed.js'

type Backed = Installed & { repository: BackupRepository }

const copying = (signal = new AbortController().signal) => ({ signal, tell: async () => {} })

/** On a machine of generation 1; the accepted password tells what is on the disk. */
export function backupContract(backed: () => Backed): void {
  const [first, second] = [randomUUID(), randomUUID()]
  const next = { epoch: 1, number: 2 }
  const changed = 'Changed-Afterwards-5'
  const place = (backupId: string) => ({ backupId, repository: backed().repository })
  const found = () => backed().hypervisor.find(backed().serverId)
  const logIn = (password: string) => {
    const { hypervisor, serverId, access, hostKey } = backed()
    return hypervisor.tryLogin(serverId, access, password, hostKey)
  }
  const backUp = async (backupId: string, how = copying()) => {
    const { hypervisor, serverId } = backed()
    await hypervisor.takeSnapshot(serverId, backupId)
    const made = await hypervisor.backUp(serverId, place(backupId), how)
    await hypervisor.deleteSnapshot(serverId, backupId)
    return made
  }
  const restore = async (backupId: string) => {
    const { hypervisor, serverId } = backed()
    return hypervisor.restoreDisk(serverId, machine({ diskGb: 1 }), next, place(backupId), copying())
  }

  test('a backup of a running machine leaves it running, and is made once', async () => {
    const { password } = backed()
    const made = await backUp(first)
    expect(made.addedBytes).toBeGreaterThan(0)
    const again = await backUp(first)
    expect(again).toEqual({ diskBytes: made.diskBytes, addedBytes: null })
    expect(await found()).toMatchObject({ power: 'on', disks: [{ epoch: 1, number: 1 }] })
    const { hypervisor, serverId } = backed()
    expect(await hypervisor.canMove(serverId)).toBe(true)
    await logIn(password)
  })

  test('one that was told to end has ended, and left nothing that counts', async () => {
    const { hypervisor, serverId } = backed()
    const reason = new Error('told to end')
    await hypervisor.takeSnapshot(serverId, second)
    const over = copying(AbortSignal.abort(reason))
    await expect(hypervisor.backUp(serverId, place(second), over)).rejects.toBe(reason)
    await hypervisor.deleteSnapshot(serverId, second)
    await expect(hypervisor.backUp(serverId, place(second), copying())).rejects.toThrow('there is no snapshot')
    await expect(restore(second)).rejects.toThrow('there is no such backup')
  })

  test('snapshots stay beside it, and one of a machine that is off leaves it off', async () => {
    const { hypervisor, serverId, access } = backed()
    await hypervisor.setPassword(serverId, access.username, changed)
    await hypervisor.takeSnapshot(serverId, randomUUID())
    await logIn(changed)
    await hypervisor.cutPower(serverId)
    expect(await hypervisor.canMove(serverId)).toBeNull()
    await backUp(second)
    expect(await found()).toMatchObject({ power: 'off' })
  })

  test('its disk comes beside the one that is there, which goes only when it is told to', async () => {
    const { hypervisor, serverId, password, access } = backed()
    await restore(first)
    await restore(first)
    expect((await found()).disks).toHaveLength(2)
    await hypervisor.define(serverId, machine({ diskGb: 1 }), next)
    await hypervisor.removeOthers(serverId, next)
    expect(await found()).toMatchObject({ power: 'off', definedBy: next, disks: [next], snapshots: [] })
    await hypervisor.start(serverId)
    await hypervisor.awaitBoot(serverId, access, AbortSignal.timeout(240_000))
    await logIn(password)
    await expect(logIn(changed)).rejects.toBeInstanceOf(LoginRefused)
  })

  test('what should be there is found, whole; what is not there is told, and checking changes nothing', async () => {
    const { hypervisor, serverId, repository } = backed()
    const lost = randomUUID()
    const check = (backupIds: string[], signal = new AbortController().signal) =>
      hypervisor.checkBackups(serverId, { repository, backupIds, part: 1, parts: 1 }, signal)
    expect(await check([first, second])).toEqual({ isWhole: true, detail: '' })
    expect(await check([first, lost])).toMatchObject({ isWhole: false, detail: expect.stringContaining(lost) })
    const reason = new Error('told to end')
    await expect(check([first], AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  test('a repository that can be used is told so by silence', async () => {
    const { hypervisor, repository } = backed()
    await expect(hypervisor.testRepository(repository, new AbortController().signal)).resolves.toBeUndefined()
  })

  test('one that was deleted is gone, for good and once; the others stay', async () => {
    const { hypervisor, serverId, repository } = backed()
    const forget = (signal = new AbortController().signal) => hypervisor.deleteBackup(serverId, place(first), signal)
    const reason = new Error('told to end')
    await expect(forget(AbortSignal.abort(reason))).rejects.toBe(reason)
    const toCheck = { repository, backupIds: [first], part: 1, parts: 1 }
    expect(await hypervisor.checkBackups(serverId, toCheck, new AbortController().signal)).toMatchObject({
      isWhole: true,
    })
    await forget()
    await forget()
    await hypervisor.cutPower(serverId)
    await hypervisor.remove(serverId)
    await expect(restore(first)).rejects.toThrow('there is no such backup')
    await restore(second)
    expect((await found()).disks).toEqual([next])
  })
}
