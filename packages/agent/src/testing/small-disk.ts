import { spawnSync } from 'node:child_process'
import { isFull } from '../files.js'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Why there is none here, or null. */
export const lacksSmallDisks = process.getuid?.() === 0 ? null : 'a file system of its own needs root'

/** A file system at this folder, to fill to its last byte. ext4 then has no room for names either. */
export function mountSmallDisk(folder: string, kind: 'tmpfs' | 'ext4' = 'tmpfs') {
  const run = (program: string, ...args: string[]) => {
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
  if (kind === 'tmpfs') run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder)
  else {
    run('truncate', '--size=4M', `${folder}.img`)
    run('mkfs.ext4', '-q', '-m', '0', '-b', '1024', '-N', '512', `${folder}.img`)
    run('mount', '-o', 'loop', `${folder}.img`, folder)
    rmSync(`${folder}.img`)
  }
  const filler = join(folder, 'filler')
  return {
    fill(): void {
      for (let bytes = 1024 ** 2; bytes >= 1; bytes /= 2) {
        try {
          for (;;) writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' })
        } catch (error) {
          if (!isFull(error)) throw error
        }
      }
      if (kind === 'ext4') fillFolder(folder)
    },
    makeRoom: () => rmSync(filler, { force: true }),
    setReadOnly: (on: boolean) => run('mount', '-o', `remount,${on ? 'ro' : 'rw'}`, folder),
    unmount: () => spawnSync('umount', ['-l', folder]),
  }
}

function fillFolder(folder: string): void {
  try {
    for (let n = 0; ; n += 1) writeFileSync(join(folder, `${n}`), '')
  } catch (error) {
    if (!isFull(error)) throw error
  }
}
