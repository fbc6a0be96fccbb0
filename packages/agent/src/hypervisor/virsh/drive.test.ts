import { expect, test } from 'vitest'
import { ScriptedVirsh, virshSays } from '../../testing/scripted-virsh.js'
import { changeMedium } from './drive.js'

const closed = virshSays(
  "error: unable to execute QEMU command 'blockdev-remove-medium': Tray of device 'scsi0-0-0-0' is not open",
)
const dumpxml = `<domain><devices><disk device='disk'><alias name='virtio-disk0'/></disk>
  <disk device='cdrom'><target dev='sda'/><alias name='scsi0-0-0-0'/></disk></devices></domain>`
const change = 'change-media one sda --eject --force --live'
const open = 'qemu-monitor-command one {"execute":"blockdev-open-tray","arguments":{"id":"scsi0-0-0-0","force":true}}'
const changed = async (answers: (string | Error)[]) => {
  const scripted = new ScriptedVirsh({ 'change-media': answers, 'qemu-monitor-command': '', dumpxml })
  const failure: unknown = await changeMedium(scripted.virsh, 'one', 'sda', ['--eject']).then(
    () => null,
    (error: unknown) => error,
  )
  return { failure, asked: scripted.commands().filter((one) => !one.startsWith('dumpxml')) }
}

test('a tray that the guest closed unheard of by libvirt is opened, however often, and the medium changed', async () => {
  expect(await changed([closed, closed, ''])).toEqual({ failure: null, asked: [change, open, change, open, change] })
})

test('one that never stays open, and any other failure, is told', async () => {
  const never = await changed([closed])
  expect(never.failure).toBe(closed)
  expect(never.asked).toHaveLength(9)
  const other = virshSays('error: no such file')
  expect(await changed([other])).toEqual({ failure: other, asked: [change] })
})
