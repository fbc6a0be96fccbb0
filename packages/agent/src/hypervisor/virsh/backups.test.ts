import { spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deleteBackup } from './backups.js'

/** With a folder; what needs a machine is in tests/vm/backups.vm.test.ts. */

const lacksRestic = spawnSync('restic', ['version']).status === 0 ? null : 'there is no restic'
if (lacksRestic && process.env['CI']) throw new Error(lacksRestic)

const patient = 60_000
const never = new AbortController().signal
let folder: string
let serverId: string
beforeEach(({ skip }) => {
  if (lacksRestic) skip(lacksRestic)
  folder = mkdtempSync(join(tmpdir(), 'vps-backups-'))
  serverId = randomUUID()
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = () => ({ url: folder, password: 'Keeps-them-1', environment: {}, uploadLimitKib: 0 })
const remove = (backupId: string) => deleteBackup(serverId, { backupId, repository: at() }, never)
function byHand(args: string[], input?: Buffer): string {
  const env = { ...process.env, RESTIC_REPOSITORY: join(folder, serverId), RESTIC_PASSWORD: at().password }
  const { status, stdout, stderr } = spawnSync('restic', ['--no-cache', ...args], { env, input, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

test(
  'a backup that never came about is deleted where its machine has nothing in the store yet',
  async () => {
    await expect(remove(randomUUID())).resolves.toBeUndefined()
  },
  patient,
)

test(
  'the room of a backup is given back by the next deletion where that of its own was broken off',
  async () => {
    const backupId = randomUUID()
    byHand(['init'])
    byHand(['backup', '--stdin', '--tag', backupId], randomBytes(100_000))
    byHand(['forget', '--tag', backupId, '--keep-tag', 'none'])
    expect(byHand(['list', 'packs'])).not.toBe('')
    await remove(backupId)
    expect(byHand(['list', 'packs'])).toBe('')
  },
  patient,
)
