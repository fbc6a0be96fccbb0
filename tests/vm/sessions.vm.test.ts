import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { type Virsh, VirshError } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { virshSessions } from '../../packages/agent/src/hypervisor/virsh/sessions.js'
import { libvirtd, makeHostFolder, putFaultyVirsh, virsh as program } from './host.js'

const uri = 'qemu:///system'
const failing = (asked: Promise<string>) =>
  asked.then(
    () => 'no failure',
    (error: VirshError) => error.said,
  )
let virsh: Virsh

beforeAll(() => {
  virsh = virshSessions(uri)
})
const standing = () => execFileSync('pgrep', ['-fc', `virsh -q -c ${uri}$`], { encoding: 'utf8' }).trim()

test.each([
  ['a list', ['list', '--all', '--uuid', '--name']],
  ['figures', ['nodememstats']],
  ['a document', ['capabilities']],
  ['signs that virsh reads', ['echo', '--xml', 'a <b> "c"; # 漢字 \\ é']],
  ['a line longer than a terminal', ['echo', 'x'.repeat(3000)]],
  ['nothing', ['net-list', '--name']],
])('is given as it is: %s', async (_what, args) => {
  const [kept, started] = [await virsh(args), await program(args)]
  // Free memory moves between two looks.
  const still = (text: string) => text.replaceAll(/\d+ KiB/g, 'n KiB')
  expect(still(kept)).toBe(still(started))
})

test('what virsh refuses is told in its words, and what is asked next is answered', async () => {
  expect(await failing(virsh(['dumpxml', 'nobody']))).toBe(await failing(program(['dumpxml', 'nobody'])))
  expect(await failing(virsh(['no-such-verb']))).toContain('unknown command')
  expect(await virsh(['echo', 'next'])).toBe('next')
})

test('what virsh says at its start, as of a library, is nobody’s answer, and what it refuses is still told', async () => {
  const bin = path.join(makeHostFolder(null).folder, 'bin')
  mkdirSync(bin)
  const warning = 'virsh: /usr/local/lib/libssl.so.3: no version information available (required by virsh)'
  writeFileSync(path.join(bin, 'virsh'), `#!/bin/sh\necho '${warning}' >&2\nexec /usr/bin/virsh "$@"\n`, {
    mode: 0o755,
  })
  execFileSync('mount', ['--bind', bin, '/usr/local/sbin'])
  const warned = virshSessions(uri)
  try {
    expect(await warned(['echo', 'first'])).toBe('first')
    expect(await failing(warned(['dumpxml', 'nobody']))).toContain('failed to get domain')
  } finally {
    execFileSync('umount', ['--lazy', '/usr/local/sbin'])
  }
})

test('what is asked at once is answered apart, and few of them wait for the next', async () => {
  const words = Array.from({ length: 12 }, (_, n) => `word ${n}`)
  expect(await Promise.all(words.map((word) => virsh(['echo', word])))).toEqual(words)
  await vi.waitFor(() => expect(Number(standing())).toBeLessThanOrEqual(4), { timeout: 60_000 })
})

test('a second question needs no second program', async () => {
  const before = standing()
  for (let n = 0; n < 5; n++) await virsh(['version'])
  expect(standing()).toBe(before)
})

test('what could not be one word of a line is refused, and a secret stands in no message', async () => {
  await expect(virsh(['dumpxml', "it's"])).rejects.toThrow('cannot hold a quote')
  await expect(virsh(['dumpxml', 'two\nlines'])).rejects.toThrow('cannot hold a quote')
  const secret = virsh([], { input: `qemu-agent-command nobody '{"password":"geheim"}'\n` })
  await expect(secret).rejects.toThrow('failed to get domain')
  await expect(secret).rejects.not.toThrow('geheim')
})

test('after libvirt was killed and is back, the second question at the latest is answered', async () => {
  await virsh(['version'])
  libvirtd.kill()
  await libvirtd.start()
  await vi.waitFor(() => program(['version']), { timeout: 60_000 })
  await virsh(['version']).catch((error: unknown) => expect(error).toBeInstanceOf(VirshError))
  expect(await virsh(['version'])).toContain('libvirt')
})

test('a libvirt that is not there is told in virsh’s words', async () => {
  const nobody = virshSessions('qemu+unix:///system?socket=/nowhere')
  expect(await failing(nobody(['version']))).toContain("Failed to connect socket to '/nowhere'")
})

test('one that hangs is ended in time, and another answers what is asked next', async () => {
  const takeAway = await putFaultyVirsh(makeHostFolder(null))
  const faulty = virshSessions(uri)
  writeFileSync('/run/virsh-fault', 'version hangs\n')
  await expect(faulty(['version'], { timeoutMs: 5000 })).rejects.toMatchObject({
    timedOut: true,
    said: 'did not end in time',
  })
  expect(await faulty(['version'])).toContain('libvirt')
  writeFileSync('/run/virsh-fault', 'version floods\n')
  await expect(faulty(['version'])).rejects.toMatchObject({ timedOut: false, said: 'printed without end' })
  expect(await faulty(['version'])).toContain('libvirt')
  await takeAway()
})
