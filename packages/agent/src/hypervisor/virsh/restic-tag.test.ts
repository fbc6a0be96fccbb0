import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startLaggingStore } from '../../testing/lagging-store.js'
import { openRestic } from './restic.js'

const lacks = spawnSync('restic', ['version']).error !== undefined
if (lacks && process.env['CI']) throw new Error('restic is not installed')

test.skipIf(lacks)(
  'a copy that restic could not mark as whole is not told as kept: the next run would clear it away',
  async () => {
    const store = await startLaggingStore()
    try {
      const restic = openRestic(store.at, randomUUID())
      await restic.openOrMake()
      async function* source() {
        yield Buffer.from('all')
      }
      const moving = {
        signal: new AbortController().signal,
        tell: async () => {},
        totalBytes: 3,
        file: join(tmpdir(), 'disk'),
      }
      await expect(restic.keep(randomUUID(), 3, source, moving)).rejects.toThrow('is not marked as whole')
    } finally {
      store.stop()
    }
  },
)
