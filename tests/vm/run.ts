/**
 * The suite on real libvirt and QEMU: every file on its own host, three at a time. Where something it needs is missing,
 * one line says so and the suite counts as skipped. `run.ts faults` runs the files with `faults` in their name.
 * `--thin`: all of it on a host whose disks are thin volumes of LVM (thin.sh), one file at a time.
 */
import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { addResults, readTestResult, writeTestResult, type TestResult } from '../../scripts/test-result.js'
import { oneFile } from '../setup/one-file.js'

/**
 * `--debian`: the operators' image with systemd and real cloud-init, which boots for half a minute; of this machine's
 * release, or `--debian=trixie`.
 */
const debian = process.argv.find((one) => /^--debian(=|$)/.test(one))
const guest = debian ? 'debian' : 'tiny'
const suite = debian?.split('=')[1]
/** `--rescue`: the operators' rescue system; else the guest's image, which boots faster. */
const withRescue = process.argv.includes('--rescue')
const root = path.resolve(import.meta.dirname, '../..')
const enter = path.join(import.meta.dirname, 'enter.sh')
const programs = {
  'libvirt-daemon': 'libvirtd',
  'libvirt-clients': 'virsh',
  'qemu-system-x86': 'qemu-system-x86_64',
  'qemu-utils': 'qemu-img',
  genisoimage: 'genisoimage',
  openssl: 'openssl',
  iproute2: 'ip',
  nftables: 'nft',
  iptables: 'iptables',
  ebtables: 'ebtables',
  mmdebstrap: 'mmdebstrap',
  extlinux: 'extlinux',
  fdisk: 'sfdisk',
  e2fsprogs: 'mkfs.ext4',
  cpio: 'cpio',
  kmod: 'depmod',
  restic: 'restic',
  rclone: 'rclone',
  'libnbd-bin': 'nbdinfo',
  'openssh-server': 'sshd',
  dosfstools: 'mkfs.vfat',
  mtools: 'mcopy',
}

const files = {
  'python3-swift': '/usr/lib/python3/dist-packages/swift/common/middleware/s3api',
  isolinux: '/usr/lib/ISOLINUX/isolinux.bin',
  ovmf: '/usr/share/qemu/firmware/60-edk2-x86_64.json',
  'systemd-boot-efi': '/usr/lib/systemd/boot/efi/systemd-bootx64.efi',
}

const thin = path.join(import.meta.dirname, 'thin.sh')
const isThin = process.env['VM_TEST_THIN_POOL'] !== undefined
/** For a host with a thin pool. */
const thinPrograms = { 'user-mode-linux': 'linux.uml', lvm2: 'lvs', 'thin-provisioning-tools': 'thin_dump' }
const thinMissing = missingOf(thinPrograms)

const reason = process.argv.includes('--thin') ? (whyNot() ?? thinMissing) : whyNot()
if (reason) {
  console.log(`skipped: ${reason}`)
  process.exit(0)
}
if (process.argv.includes('--thin')) process.exit(runThin())
buildClient()
const image = buildImage(guest, suite)
const rescueImage = withRescue ? buildImage('rescue') : image
// From its modules each start computes for seconds.
const agent = await oneFile('agent', 'main')
const result = await runFiles(chosenFiles()).finally(agent.remove)
writeTestResult(result)
console.log(`machines: ${result.passed} passed, ${result.failures.length} failed, ${result.skipped.length} skipped`)
process.exitCode = result.failures.length === 0 && result.passed > 0 ? 0 : 1

function whyNot(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'virtual-machine tests need Linux on x86-64'
  if (process.getuid?.() !== 0)
    return 'virtual-machine tests need root: they make namespaces, a bridge and a libvirt of their own'
  const missing = missingOf(programs)
  if (missing) return missing
  for (const [debianPackage, file] of Object.entries(files))
    if (!existsSync(file)) return `virtual-machine tests need this Debian package: apt-get install ${debianPackage}`
  const spaces = run('unshare', ['--net', '--mount', '--pid', '--ipc', '--fork', '--mount-proc', 'true'])
  if (spaces.status !== 0) return `namespaces cannot be made here: ${spaces.stderr.trim()}`
  const loop = run('losetup', ['--find'])
  if (loop.status !== 0) return `no loop device for building the guest's image: ${loop.stderr.trim()}`
  return null
}

function missingOf(needed: Record<string, string>): string | null {
  const missing = Object.entries(needed).flatMap(([debianPackage, program]) =>
    isThere(program) ? [] : [debianPackage],
  )
  return missing.length === 0
    ? null
    : `virtual-machine tests need these Debian packages: apt-get install ${missing.join(' ')}`
}

/** This program once more, on that host: what it reports goes through. */
function runThin(): number {
  buildClient()
  const again = process.argv.slice(1).filter((one) => one !== '--thin')
  const done = spawnSync(thin, [process.execPath, ...process.execArgv, ...again], { cwd: root, stdio: 'inherit' })
  return done.status ?? 1
}

/** For the story in Chromium; `npm test` has built it before. */
function buildClient(): void {
  if (existsSync(path.join(root, 'packages/web/dist/index.html'))) return
  const built = run(path.join(root, 'node_modules/.bin/turbo'), ['run', 'build'], 10 * 60_000)
  if (built.status === 0) return
  console.error(built.stderr)
  process.exit(1)
}

function buildImage(which: string, release?: string): string {
  console.log(`the ${which} guest: taken from the cache, or built (about a minute)`)
  const asked = [which, ...(release ? ['--suite', release] : [])]
  const built = run(path.join(root, 'packages/agent/images/build.sh'), asked, 15 * 60_000)
  if (built.status === 0) return built.stdout.trim()
  console.error(built.stderr)
  console.error("the guest's image could not be built")
  process.exit(1)
}

/** The longest first, so that none is left alone at the end. */
function chosenFiles(): string[] {
  const parts = process.argv.slice(2).filter((one) => !one.startsWith('--'))
  const size = (file: string) => statSync(path.join(import.meta.dirname, file)).size
  return readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.vm.test.ts'))
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
    .toSorted((one, other) => size(other) - size(one))
}

/** Guests mostly wait: three hosts keep two processors busy. */
async function runFiles(files: string[]): Promise<TestResult> {
  const results: TestResult[] = []
  const left = [...files]
  const runSome = async () => {
    for (let file = left.shift(); file; file = left.shift()) results.push(await runFile(file))
  }
  // On one volume group, and the one processor of thin.sh.
  await Promise.all(isThin ? [runSome()] : [runSome(), runSome(), runSome()])
  return addResults(results)
}

/** On its own host: namespaces, libvirt, bridge and database end with it. `thin.vm` needs one with a pool. */
async function runFile(file: string): Promise<TestResult> {
  const needsPool = !isThin && file.startsWith('thin.')
  if (needsPool && thinMissing)
    return { passed: 0, failures: [], skipped: [{ name: file, reason: thinMissing }], ran: [] }
  const folder = mkdtempSync(path.join(tmpdir(), 'vps-machines-'))
  const resultFile = path.join(folder, 'result.json')
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
  const config = path.join(import.meta.dirname, 'vitest.config.ts')
  const test = [process.execPath, vitest, 'run', '--config', config, file]
  const child = spawn(needsPool ? thin : enter, needsPool ? [enter, ...test] : test, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      VM_TEST_IMAGE: image,
      VM_TEST_GUEST: guest,
      VM_TEST_RESCUE: rescueImage,
      VM_TEST_AGENT: agent.file,
      TEST_RESULT_FILE: resultFile,
    },
  })
  // Whole lines: several files print at a time.
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => console.log(line))
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const reported = readTestResult(resultFile)
  rmSync(folder, { recursive: true, force: true })
  if (reported && (status === 0 || reported.failures.length > 0)) return reported
  const failure = { name: file, error: `broke (${status ?? 'killed'})` }
  return addResults([...(reported ? [reported] : []), { passed: 0, failures: [failure], skipped: [], ran: [] }])
}

function isThere(program: string): boolean {
  return `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`.split(':').some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function run(program: string, args: string[], timeout = 20_000) {
  const done = spawnSync(program, args, { encoding: 'utf8', timeout, stdio: ['ignore', 'pipe', 'pipe'] })
  return { status: done.status, stdout: done.stdout ?? '', stderr: done.stderr ?? String(done.error ?? '') }
}
