import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deleteBackup } from './backups.js'
import { openRestic, tryOut } from './restic.js'

const lacks = spawnSync('restic', ['version']).error !== undefined
if (lacks && process.env['CI']) throw new Error('restic is not installed')

const never = new AbortController().signal
const serverId = randomUUID()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vps-restic-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Its mount point is there, and empty. */
function unmount(at: string): void {
  renameSync(at, `${at}.store`)
  mkdirSync(at)
}
function mount(at: string): void {
  rmSync(at, { recursive: true })
  renameSync(`${at}.store`, at)
}

test.skipIf(lacks)(
  'a folder that is not mounted is not taken for a new one: backups would lie on the host’s own disk, and be told as kept',
  async () => {
    const url = join(folder, 'store')
    const at = { url, password: 'Of-The-Repository-1', environment: {}, uploadLimitKib: 0 }
    await openRestic(at, serverId).openOrMake()
    const used = { ...at, holdsBackups: true }
    await openRestic(used, serverId).openOrMake()
    unmount(url)
    await expect(openRestic(used, serverId).openOrMake()).rejects.toThrow('is not there any more')
    await expect(deleteBackup(serverId, { backupId: randomUUID(), repository: used }, never)).rejects.toThrow(
      'is not there any more',
    )
    expect(readdirSync(url)).toEqual([])
    // The first of a server begins one, wherever it is.
    await openRestic(at, randomUUID()).openOrMake()
    mount(url)
    await openRestic(used, serverId).openOrMake()
    // What an operator tried out is the place: what was there is lost, and begins anew.
    unmount(url)
    await tryOut(at, never)
    await openRestic(used, serverId).openOrMake()
    expect(readdirSync(url).toSorted()).toEqual([serverId, 'portal-test'].toSorted())
  },
)
