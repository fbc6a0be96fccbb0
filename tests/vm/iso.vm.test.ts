import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { JobPayload, MachineDescription } from '@vps/shared/jobs.contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { accessOf, type Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { runJob } from '../../packages/agent/src/jobs/run-job.js'
import { openMemory } from '../../packages/agent/src/memory.js'
import { quietPresence } from '../../packages/agent/src/testing/agent.js'
import { freezeAt } from '../../packages/agent/src/testing/freeze.js'
import { isoContract, type WithDisc } from '../../packages/agent/src/testing/iso-contract.js'
import { until } from '../../packages/agent/src/wait.js'
import { endless, guestImage, machineAt, makeHostFolder, patient, settingsOf, sshLogin, virsh } from './host.js'

/**
 * Discs: the seam's contract, and the jobs killed at each act. The disc boots the tiny guest's kernel with its own
 * init.
 */

const folder = makeHostFolder()
const password = 'Chosen-By-Customer-7'
const made = { epoch: 1, number: 1 }
const file = 'disc.iso'
const discPath = path.join(folder.imagesDir, file)
const greeting = 'THE-DISC-HAS-BOOTED'
let hypervisor: Hypervisor

beforeAll(async () => {
  hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.open()
  await buildDisc()
})

/** isolinux, and the tiny guest's kernel and initramfs. */
async function buildDisc(): Promise<void> {
  const work = path.join(folder.folder, 'disc')
  const initramfs = path.join(work, 'initramfs')
  const tree = path.join(work, 'tree')
  mkdirSync(initramfs, { recursive: true })
  mkdirSync(path.join(tree, 'isolinux'), { recursive: true })
  const [raw, part] = [path.join(work, 'disk.raw'), path.join(work, 'part.raw')]
  await run('qemu-img', ['convert', '-q', '-O', 'raw', guestImage(), raw], { timeoutMs: 60_000 })
  await run('dd', [`if=${raw}`, `of=${part}`, 'bs=1M', 'skip=1', 'status=none', 'conv=sparse'], { timeoutMs: 60_000 })
  const names = (await run('debugfs', ['-R', 'ls -p /boot', part])).split('/').filter(Boolean)
  for (const start of ['vmlinuz-', 'initrd.img-']) {
    const name = names.find((one) => one.startsWith(start))
    await run('debugfs', ['-R', `dump /boot/${name} ${path.join(tree, start.replace('-', ''))}`, part])
  }
  const packed = path.join(tree, 'initrd.img')
  const shell = (command: string) => run('sh', ['-ec', command], { timeoutMs: 60_000 })
  await shell(`cd '${initramfs}' && gzip -dc '${packed}' | cpio --quiet -idm`)
  const init = `#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev /mnt
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sysfs /sys
/bin/busybox mount -t devtmpfs dev /dev
while read -r module; do /bin/busybox insmod /mod/$module; done < /mod/list
for try in 1 2 3 4 5 6 7 8 9 10; do /bin/busybox mount -t iso9660 -o ro /dev/sr0 /mnt && break; /bin/busybox sleep 1; done
echo "${greeting} with $(/bin/busybox cat /mnt/word.txt)" > /dev/ttyS0
/bin/busybox umount /mnt
while :; do /bin/busybox sleep 3600; done
`
  writeFileSync(path.join(initramfs, 'init'), init, { mode: 0o755 })
  await shell(`cd '${initramfs}' && find . | cpio --quiet -o -H newc | gzip -1 > '${packed}'`)
  writeFileSync(path.join(tree, 'word.txt'), 'a-word-on-the-disc\n')
  copyFileSync('/usr/lib/ISOLINUX/isolinux.bin', path.join(tree, 'isolinux/isolinux.bin'))
  copyFileSync('/usr/lib/syslinux/modules/bios/ldlinux.c32', path.join(tree, 'isolinux/ldlinux.c32'))
  const kernel = 'audit=0 lsm=capability nokaslr tsc=reliable no_timer_check cryptomgr.notests mitigations=off'
  const config = `default disc\nprompt 0\nlabel disc\n  kernel /vmlinuz\n  initrd /initrd.img\n  append console=ttyS0 quiet ${kernel}\n`
  writeFileSync(path.join(tree, 'isolinux/isolinux.cfg'), config)
  const boot = ['-b', 'isolinux/isolinux.bin', '-c', 'isolinux/boot.cat', '-no-emul-boot', '-boot-load-size', '4']
  await run('genisoimage', ['-quiet', '-r', '-J', ...boot, '-boot-info-table', '-o', discPath, tree])
}

/** Since its start. */
const serial = (serverId: string) => {
  const name = readdirSync(folder.storageDir).find((one) => one === `${serverId}.serial.log`)
  return name ? readFileSync(path.join(folder.storageDir, name), 'utf8') : ''
}
/** `failure`: said where it takes longer than a patient boot. */
const untilSeen = <T>(look: () => Promise<T | null>, failure: () => string) =>
  until(look, {
    everyMs: 300,
    limitMs: patient.bootMs,
    signal: new AbortController().signal,
    late: () => new Error(failure()),
  })
const untilDiscBoots = (serverId: string) =>
  untilSeen(
    async () => (serial(serverId).includes(`${greeting} with a-word-on-the-disc`) ? true : null),
    () => `the disc did not boot: ${serial(serverId).slice(-400)}`,
  )

async function perform(
  serverId: string,
  payload: JobPayload,
  through = hypervisor,
  id = randomUUID(),
  within = patient,
) {
  const job: ClaimedJob = {
    id,
    serverId,
    attempt: 1,
    leaseSeconds: 40,
    generation: made,
    payload,
    secrets: { password },
  }
  const memory = openMemory(folder.stateDir)
  const deps = { hypervisor: through, presence: quietPresence(through), memory, limits: within }
  return runJob(job, [], deps, new AbortController().signal, async () => {})
}

/** Until its login is proven. */
async function install(number: number): Promise<{ serverId: string; description: MachineDescription }> {
  const serverId = randomUUID()
  const description = machineAt(number)
  const result = await perform(serverId, { kind: 'install', machine: description })
  expect(result).toEqual({ ok: true, power: 'on', proven: true })
  return { serverId, description }
}

describe('the contract of the seam', () => {
  let installed: WithDisc
  beforeAll(async () => {
    const { serverId, description } = await install(2)
    const hostKey = (await openMemory(folder.stateDir).hostKeyOf(serverId, made))!
    const access = accessOf(description)
    installed = { hypervisor, serverId, password, access, hostKey, machine: description, disc: { file } }
  })
  isoContract(() => installed)
})

describe('as a customer sees it', () => {
  let serverId: string
  let image: MachineDescription['image']
  const isoId = randomUUID()
  const eject: JobPayload = { kind: 'ejectIso' }
  const insert = (boots: boolean): JobPayload => ({ kind: 'insertIso', isoId, image, boots })
  const inside = (command: string) => sshLogin('10.77.0.3', 2222, password, command)
  const untilDiskBoots = () =>
    untilSeen(
      () => inside('hostname').catch(() => null),
      () => `the disk did not boot: ${serial(serverId).slice(-400)}`,
    )
  beforeAll(async () => {
    const { serverId: id, description } = await install(3)
    serverId = id
    const sha256 = await hypervisor.images.hashOf(discPath)
    image = { ...description.image, file, sha256, readiness: 'none' }
  })

  test('a disc that is put into a running machine is read there without a restart, and is gone when it is out, though the guest holds it', async () => {
    const before = await inside('cat /proc/sys/kernel/random/boot_id')
    expect(await perform(serverId, insert(false))).toEqual({ ok: true, power: 'on', proven: false })
    const read =
      'mkdir -p /disc && for i in 1 2 3 4 5 6; do mount -o ro /dev/sr0 /disc 2>/dev/null && break; sleep 1; done'
    expect(await inside(`${read}; cat /disc/word.txt; touch /disc/x 2>&1 | grep -c Read-only`)).toBe(
      'a-word-on-the-disc\n1',
    )
    expect(await perform(serverId, eject)).toEqual({ ok: true, power: 'on', proven: false })
    expect(await virsh(['domblklist', serverId])).toMatch(/sda +-/)
    await inside('umount -l /disc')
    expect(await inside('mount -o ro /dev/sr0 /disc 2>/dev/null || echo refused')).toBe('refused')
    expect(await inside('cat /proc/sys/kernel/random/boot_id')).toBe(before)
  })

  test.each([
    ['goes into', null, () => insert(false)],
    ['comes out of', () => insert(false), () => eject],
  ])('a disc %s a drive whose tray was open until its guest, as it started, reset it', async (_name, first, act) => {
    const drive = (execute: string, more: object = {}) =>
      virsh(['qemu-monitor-command', serverId, JSON.stringify({ execute, ...more })])
    if (first) expect(await perform(serverId, first())).toMatchObject({ ok: true })
    await inside('sync')
    await virsh(['destroy', serverId])
    await virsh(['start', serverId, '--paused'])
    await drive('blockdev-open-tray', { arguments: { id: 'scsi0-0-0-0' } })
    await virsh(['resume', serverId])
    const isClosed = async () => ((await drive('query-block')).includes('"tray_open":true') ? null : true)
    await untilSeen(isClosed, () => 'nobody has closed the tray')
    // libvirt was not told.
    expect(await virsh(['dumpxml', serverId])).toContain("tray='open'")
    expect(await perform(serverId, act())).toEqual({ ok: true, power: 'on', proven: false })
    await untilDiskBoots()
  })

  test('one that boots does, by the serial line; taken out while it runs, the next restart is into the disk, with a proven login', async () => {
    const [size, bytes] = [statSync(discPath), readFileSync(discPath)]
    expect(await perform(serverId, insert(true))).toEqual({ ok: true, power: 'on', proven: false })
    await untilDiscBoots(serverId)
    expect(await perform(serverId, eject)).toEqual({ ok: true, power: 'on', proven: false })
    expect(await virsh(['domblklist', serverId])).toMatch(/sda +-/)
    expect(await virsh(['dumpxml', '--inactive', serverId])).not.toContain("<boot dev='cdrom'/>")
    // Nothing in the guest answers to a shutdown.
    await virsh(['reset', serverId])
    await untilDiskBoots()
    expect(statSync(discPath)).toMatchObject({ size: size.size, mtimeMs: size.mtimeMs })
    expect(readFileSync(discPath).equals(bytes)).toBe(true)
  })

  test('the agent killed with kill -9 at each act in turn changes nothing of the end', async () => {
    const acts: [JobPayload, (keyof Hypervisor)[]][] = [
      [insert(true), ['insertIso', 'start']],
      [eject, ['ejectIso']],
    ]
    for (const [payload, verbs] of acts) {
      const id = randomUUID()
      for (const verb of verbs) {
        const killed = freezeAt(hypervisor, verb, 'after')
        await killed.reachedIn(perform(serverId, payload, killed.hypervisor, id, endless))
      }
      const result = await perform(serverId, payload, hypervisor, id)
      expect(result, JSON.stringify(result)).toEqual({ ok: true, power: 'on', proven: false })
      expect((await hypervisor.find(serverId)).iso).toEqual(payload === eject ? null : { id: isoId, boots: true })
    }
  })

  test('a machine whose disc was deleted starts without it, from its disk', async () => {
    const other = path.join(folder.imagesDir, 'other.iso')
    copyFileSync(discPath, other)
    image = { ...image, file: 'other.iso' }
    const inserted = await perform(serverId, insert(true))
    expect(inserted, JSON.stringify(inserted)).toMatchObject({ ok: true, power: 'on' })
    await untilDiscBoots(serverId)
    await run('rm', [other])
    expect(
      await perform(serverId, { kind: 'restart' }, hypervisor, randomUUID(), { ...patient, graceMs: 1000 }),
    ).toMatchObject({ ok: true, power: 'on' })
    await untilDiskBoots()
    expect(await perform(serverId, eject)).toMatchObject({ ok: true, power: 'on' })
  })

  test('a disc that broke off is told as damaged, and none is taken for one', async () => {
    const cut = path.join(folder.imagesDir, 'cut.iso')
    await run('cp', [discPath, cut])
    await run('truncate', ['-s', '-100K', cut])
    writeFileSync(path.join(folder.imagesDir, 'none.iso'), 'no disc at all')
    const { images } = await hypervisor.inventory()
    const broken = Object.fromEntries(images.map((one) => [one.file, one.broken]))
    expect(broken[file]).toBeNull()
    expect(broken['cut.iso']).toContain('bytes are there')
    expect(broken['none.iso']).toContain('not an ISO 9660')
    const { result } = {
      result: await perform(serverId, {
        ...insert(false),
        image: { ...image, file: 'cut.iso', sha256: null },
      } as JobPayload),
    }
    expect(result).toMatchObject({ ok: false, power: 'on' })
    expect((await hypervisor.find(serverId)).iso).toBeNull()
  })
})
