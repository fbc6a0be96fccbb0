import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { run } from './run.js'
import { installGuestAgent } from './guest-scripts.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vps-scripts-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A system that has these programs and no others; each writes down how it was called. */
async function inSystem(programs: string[], script: string): Promise<string[]> {
  const log = join(folder, 'called')
  for (const name of programs) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $*" >> ${log}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  const here = script.replace('/var/log/', `${folder}/`)
  await run('/bin/sh', ['-c', `PATH=${folder}\n${here}\nwait`])
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
}

test.each([
  ['apt-get', ['apt-get -q update', 'apt-get -q -y --no-install-recommends install qemu-guest-agent']],
  ['dnf', ['dnf -q -y install qemu-guest-agent']],
  ['yum', ['yum -q -y install qemu-guest-agent']],
  ['zypper', ['zypper -n -q install qemu-guest-agent']],
])('a guest without an agent gets one by %s, and it is started', async (manager, calls) => {
  expect(await inSystem([manager, 'systemctl'], installGuestAgent)).toEqual([
    ...calls,
    'systemctl enable --now qemu-guest-agent',
  ])
})

test('a guest that has the agent, or no package manager that we know, is left as it is', async () => {
  expect(await inSystem(['qemu-ga', 'apt-get', 'systemctl'], installGuestAgent)).toEqual([])
  rmSync(join(folder, 'qemu-ga'))
  rmSync(join(folder, 'apt-get'))
  rmSync(join(folder, 'systemctl'))
  expect(await inSystem([], installGuestAgent)).toEqual([])
})
