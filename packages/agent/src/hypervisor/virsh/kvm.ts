import { join } from 'node:path'
import { readIfThere, writeDurably } from '../../files.js'
import { HypervisorError, unlessAway } from '../hypervisor.js'
import { run, unlessVerdict, type Virsh } from './run.js'

/**
 * Whether machines can run by KVM: at the agent's start, which decides how they are defined, and while it works, as a
 * module may go, permissions change, or the BIOS forget its setting (decision 0142).
 */

/**
 * For a host that is not told how to run its machines. One that had KVM once has it for good: without it, its machines
 * do not start, and those sold meanwhile would be emulated for ever.
 */
export async function hasKvm(virsh: Virsh, stateDir: string): Promise<boolean> {
  const known = join(stateDir, 'kvm')
  if ((await readIfThere(known)) !== null) return true
  if (!(await kvmWorks(virsh))) return false
  // On a full disk the next start does.
  await writeDurably(known, '').catch(() => {})
  return true
}

/** `isWanted`: whether this host's machines run by it. Where nothing is told, as under load, the last answer stays. */
export function openKvm(isWanted: () => Promise<boolean>, ask: () => Promise<boolean>) {
  let isBroken = false

  async function works(): Promise<boolean | null> {
    if (!(await isWanted())) return null
    try {
      isBroken = !(await ask())
    } catch (error) {
      unlessAway(error)
    }
    return !isBroken
  }

  return {
    /** Null: not wanted. */
    works,
    /** What the last inventory found stays true or is asked again: an act costs nothing where all is well. */
    async require(): Promise<void> {
      if (isBroken && (await works()) === false) throw withoutKvm()
    },
    /** Of a start that failed. */
    async reasonOf(error: unknown): Promise<unknown> {
      return (await works()) === false ? withoutKvm(error) : error
    },
  }
}

const withoutKvm = (cause?: unknown) =>
  new HypervisorError(`KVM does not work on this host${cause instanceof Error ? `: ${cause.message}` : ''}`, {
    final: true,
    customer: '宿主机的硬件虚拟化（KVM）不可用，服务器暂时无法启动',
    cause,
  })

/** Some hosts have /dev/kvm and libvirt's word, but no working KVM: QEMU is started with it once. */
export async function kvmWorks(virsh: Virsh, timeoutMs = 10_000): Promise<boolean> {
  try {
    const capabilities = await virsh(['domcapabilities', '--virttype', 'kvm'])
    const emulator = /<path>([^<]+)<\/path>/.exec(capabilities)?.[1]
    if (!emulator) return false
    const args = [
      '-machine',
      'q35,accel=kvm',
      '-cpu',
      'host',
      '-nodefaults',
      '-display',
      'none',
      '-S',
      '-monitor',
      'stdio',
    ]
    await run(emulator, args, { input: 'quit\n', timeoutMs })
    return true
  } catch (error) {
    unlessVerdict(error)
    return false
  }
}
