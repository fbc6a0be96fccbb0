/**
 * The suite on real libvirt and QEMU. What it cannot do without is looked for first: where it is missing, one line says so
 * and the suite counts as skipped. The guest's image is built outside, from Debian packages, and cached.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'

/** `--debian`: on the operators' image with systemd and real cloud-init, which boots for half a minute; else on the tiny one. */
const guest = process.argv.includes('--debian') ? 'debian' : 'tiny'
const root = path.resolve(import.meta.dirname, '../..')
const enter = path.join(import.meta.dirname, 'enter.sh')
const programs = {
  'libvirt-daemon': 'libvirtd',
  'libvirt-clients': 'virsh',
  'qemu-system-x86': 'qemu-system-x86_64',
  'qemu-utils': 'qemu-img',
  genisoimage: 'genisoimage',
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
}

const reason = whyNot()
if (reason) {
  console.log(`skipped: ${reason}`)
  process.exit(0)
}
const image = buildImage()
process.exitCode = runTests(image)

function whyNot(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'virtual-machine tests need Linux on x86-64'
  if (process.getuid?.() !== 0)
    return 'virtual-machine tests need root: they make namespaces, a bridge and a libvirt of their own'
  const missing = Object.entries(programs).flatMap(([debianPackage, program]) =>
    isThere(program) ? [] : [debianPackage],
  )
  if (missing.length > 0)
    return `virtual-machine tests need these Debian packages: apt-get install ${missing.join(' ')}`
  const spaces = run('unshare', ['--net', '--mount', '--pid', '--ipc', '--fork', '--mount-proc', 'true'])
  if (spaces.status !== 0) return `namespaces cannot be made here: ${spaces.stderr.trim()}`
  const loop = run('losetup', ['--find'])
  if (loop.status !== 0) return `no loop device for building the guest's image: ${loop.stderr.trim()}`
  return null
}

function buildImage(): string {
  console.log(`the ${guest} guest: taken from the cache, or built (about a minute)`)
  const built = run(path.join(root, 'packages/agent/images/build.sh'), [guest], 15 * 60_000)
  if (built.status === 0) return built.stdout.trim()
  console.error(built.stderr)
  console.error("the guest's image could not be built")
  process.exit(1)
}

function runTests(imageFile: string): number {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
  const args = [
    'run',
    '--config',
    path.join(import.meta.dirname, 'vitest.config.ts'),
    ...process.argv.slice(2).filter((one) => one !== '--debian'),
  ]
  const done = spawnSync(enter, [process.execPath, vitest, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, VM_TEST_IMAGE: imageFile, VM_TEST_GUEST: guest },
  })
  return done.status ?? 1
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
