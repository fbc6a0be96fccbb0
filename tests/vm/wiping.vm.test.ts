import { randomUUID } from 'node:crypto'
import { spawn } from 'node:child_process'
import { mkdirSync, openSync, readdirSync, readSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { openWiping, zeroOut } from '../../packages/agent/src/hypervisor/virsh/wiping.js'
import { machine } from '../../packages/agent/src/testing/machines.js'
import { guestImage, makeHostFolder, patient, settingsOf } from './host.js'

/** Looked for past the file system; of thin volumes in `thin.vm`. No guest boots here. */

const folder = makeHostFolder()
const marker = 'Of-A-Customer-5f1e'
const made = { epoch: 1, number: 1 }
const mib = 1024 ** 2

/** On an ext4 of its own; `device` is what it lies on. */
async function storageOn(name: string, options: string) {
  const device = path.join(folder.folder, `${name}.ext4`)
  const storageDir = path.join(folder.folder, name)
  mkdirSync(storageDir)
  writeFileSync(device, '')
  truncateSync(device, 256 * mib + 2 * statSync(guestImage()).size) // a copy of it is kept as a base
  await run('mkfs.ext4', ['-q', device])
  await run('mount', ['-o', `loop,${options}`, device, storageDir])
  return { device, storageDir }
}

/** By a program: the file is large. */
async function markersOn(device: string): Promise<number> {
  await run('sync', [])
  const found = await run('grep', ['-a', '-o', '-c', marker, device]).catch(() => '0')
  return Number(found)
}

test.each([
  ['overwrite', 'nodiscard', false],
  ['discard', 'discard', false],
  ['discard', 'nodiscard', true],
  ['none', 'nodiscard', true],
] as const)(
  'wiped by %s on a file system with %s, what the guest wrote is still there: %s',
  async (wipe, mounted, isThere) => {
    const { device, storageDir } = await storageOn(`${wipe}-${mounted}`, mounted)
    try {
      const hypervisor = openVirsh({ ...settingsOf(folder), storageDir, wipe, thinPool: null })
      await hypervisor.open()
      const serverId = randomUUID()
      await hypervisor.createDisk(serverId, machine(), made)
      await hypervisor.define(serverId, machine(), made)
      const written = path.join(folder.folder, 'written')
      writeFileSync(written, `${marker}\n`.repeat(100_000))
      const disk = path.join(storageDir, `${serverId}.1.1.qcow2`)
      await run('qemu-io', ['-f', 'qcow2', '-c', `write -s ${written} 100M 1M`, disk])
      expect(await markersOn(device)).toBeGreaterThan(0)
      await hypervisor.remove(serverId)
      expect((await hypervisor.find(serverId)).disks).toEqual([])
      await expect
        .poll(() => readdirSync(storageDir).filter((one) => one.startsWith(serverId)), { timeout: patient.actMs })
        .toEqual([])
      expect((await markersOn(device)) > 0).toBe(isThere)
    } finally {
      await run('umount', ['--lazy', storageDir])
    }
  },
)

test('what is written of a file becomes zeroes, seen by whoever has it open, and its holes stay holes', async () => {
  const file = path.join(folder.folder, 'sparse')
  const fd = openSync(file, 'w+')
  for (const at of [0, 90 * mib, 300 * mib]) writeSync(fd, marker.repeat(5000), at)
  truncateSync(file, 400 * mib)
  const { blocks } = statSync(file)
  const handle = await open(file, 'r+')
  await zeroOut(handle, file, { from: 0, to: 400 * mib })
  await handle.close()
  const read = Buffer.alloc(5000 * marker.length, 1)
  for (const at of [0, 90 * mib, 300 * mib]) {
    readSync(fd, read, 0, read.length, at)
    expect(read.every((byte) => byte === 0)).toBe(true)
  }
  expect(statSync(file).blocks).toBe(blocks)
})

test('killed with kill -9 in the midst of overwriting, the next agent goes on where it was, to the same end', async () => {
  const dir = path.join(folder.folder, 'killed')
  mkdirSync(dir)
  const name = `${randomUUID()}.1.1.qcow2`
  const fd = openSync(path.join(dir, name), 'w')
  const windows = 120
  for (let one = 0; one < windows; one += 1) writeSync(fd, marker.repeat(50_000), one * 256 * mib)
  const wiping = path.resolve(import.meta.dirname, '../../packages/agent/src/hypervisor/virsh/wiping.ts')
  const program = `import { openWiping } from ${JSON.stringify(wiping)}
    const told = { onTrouble: (error) => { throw error }, onWiped: async () => {} }
    await openWiping(process.argv[1], 'overwrite', told).remove([process.argv[2]])`
  const started = ['--import', 'tsx', '--conditions=@vps/source', '--input-type=module', '--eval', program, dir, name]
  const child = spawn(process.execPath, started, { stdio: 'inherit' })
  const sizes = () => readdirSync(dir).map((one) => statSync(path.join(dir, one)).size)
  await expect
    .poll(() => sizes()[0] ?? 0, { timeout: patient.actMs, interval: 5 })
    .toBeLessThan((windows - 2) * 256 * mib)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
  const left = readdirSync(dir)
  expect(left).toEqual([expect.stringMatching(/^.*\.1\.1\.qcow2\.[0-9a-f]{8}\.wiping$/)])
  const [half = 0] = sizes()
  await setTimeout(50)
  expect(sizes()).toEqual([half])
  const troubles: unknown[] = []
  const told = { onTrouble: (error: unknown) => void troubles.push(error), onWiped: async () => {} }
  await openWiping(dir, 'overwrite', told).goOn()
  expect(readdirSync(dir)).toEqual([])
  expect(troubles).toEqual([])
})
