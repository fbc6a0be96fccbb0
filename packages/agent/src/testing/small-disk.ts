import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Why there is none here, or null. */
export const lacksSmallDisks = process.getuid?.() === 0 ? null : 'a file system of its own needs root'

/** A file system of its own at this folder, which can be filled to its last byte. */
export function mountSmallDisk(folder: string) {
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  const filler = join(folder, 'filler')
  return {
    fill(): void {
      for (let bytes = 1024 ** 2; bytes >= 1; bytes /= 2) {
        try {
          for (;;) writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' })
        } catch (error) {
          if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
        }
      }
    },
    makeRoom: () => rmSync(filler, { force: true }),
    unmount: () => spawnSync('umount', ['-l', folder]),
  }
}
