import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../scripts/run-command.js'

/**
 * Bundled from its sources of now: `oneFile('api', 'admin')`. From modules each start takes four times the processor
 * time.
 */
export async function oneFile(packageName: string, program: string): Promise<{ file: string; remove(): void }> {
  const home = path.join(root, 'packages', packageName)
  // As deep as dist/bundle: programs find what lies beside the packages.
  const folder = path.join('dist', `test-${randomBytes(4).toString('hex')}`)
  await promisify(execFile)(process.execPath, [path.join(root, 'scripts/bundle.mjs'), `src/${program}.ts`], {
    cwd: home,
    env: { ...process.env, BUNDLE_FOLDER: folder },
  })
  return {
    file: path.join(home, folder, `${program}.js`),
    remove: () => fs.rmSync(path.join(home, folder), { recursive: true, force: true }),
  }
}
