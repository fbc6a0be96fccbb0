import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync, type Dirent } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openImageFolder } from '../../images/folder.js'
import { temporaryFolder } from '../../testing/agent.js'
import { machine } from '../../testing/machines.js'
import { createSeedImage, seedFiles } from './seed-image.js'
import { openStorage } from './storage.js'

const id = '0198c0de-0000-7000-8000-000000000001'
const hostKey = { privateKey: 'PRIVATE', publicKey: 'ssh-ed25519 PUBLIC', fingerprint: 'PRINT' }
const hash = '$2y$10$abcdefghijklmnopqrstuuKQ2M1l8hZ8yCqSg1vXk3n1rX9m7hQ2e'

test('a seed for root: hash, port, keys and static addresses', async () => {
  const network = {
    ...machine().network,
    addresses: [
      { address: '203.0.113.5', prefix: 24, gateway: '203.0.113.1' },
      { address: '203.0.113.6', prefix: 24, gateway: '203.0.113.1' },
    ],
    gateway: '203.0.113.1',
    dns: ['203.0.113.53'],
  }
  const described = machine({ hostname: 'shop-1', network, sshKeys: ['ssh-ed25519 AAAA customer: "quoted" #1'] })
  const files = seedFiles(`${id}-1.2`, described, { passwordHash: hash, hostKey })
  const text = Object.entries(files)
    .map(([name, content]) => `== ${name}\n${content}`)
    .join('\n')
  await expect(text).toMatchFileSnapshot('golden/seed.txt')
})

test('a key whose comment has signs that YAML refuses leaves the seed readable, and is the key that was given', () => {
  const key = 'ssh-ed25519 AAAA \u007f\u0080å¼\u0085\u009f ä\u{1F600}\uFFFE\uFFFF'
  const seed = seedFiles(`${id}-1.1`, machine({ sshKeys: [key] }), { passwordHash: hash, hostKey })['user-data'] ?? ''
  // YAML 1.2, 5.1: what a stream may hold, less the line break that is folded.
  expect(seed).toMatch(/^[\n\x20-\x7E\u00A0-\uFFFD\u{10000}-\u{10FFFF}]*$/u)
  expect(JSON.parse(seed.replace('#cloud-config\n', ''))).toMatchObject({ ssh_authorized_keys: [key] })
})

const networkOf = (network: object) => {
  const files = seedFiles(`${id}-1.1`, machine({ network: { ...machine().network, ...network } }), {
    passwordHash: hash,
    hostKey,
  })
  return (JSON.parse(files['network-config']!) as { ethernets: { eth0: object } }).ethernets.eth0
}

test('both families are static with a way out each, also past a gateway outside of the prefix; nothing is asked of routers', () => {
  const both = {
    addresses: [
      { address: '203.0.113.5', prefix: 24, gateway: '203.0.113.1' },
      { address: '203.0.113.6', prefix: 24, gateway: '203.0.113.1' },
      { address: '2001:db8:0:7::1', prefix: 64, gateway: '2001:db8::1' },
    ],
    prefixes: ['2001:db8:0:7::/64'],
    gateway: '203.0.113.1',
    dns: ['203.0.113.53', '2001:db8::53'],
  }
  expect(networkOf(both)).toMatchObject({
    'accept-ra': false,
    addresses: ['203.0.113.5/24', '203.0.113.6/24', '2001:db8:0:7::1/64'],
    routes: [
      { to: '0.0.0.0/0', via: '203.0.113.1', 'on-link': true },
      { to: '::/0', via: '2001:db8::1', 'on-link': true },
    ],
    nameservers: { addresses: ['203.0.113.53', '2001:db8::53'] },
  })
})

test('a description of the version before has one gateway for all its addresses, of whichever family; one without has none', () => {
  const six = [{ address: '2001:db8::5', prefix: 64, gateway: null }]
  expect(networkOf({ addresses: six, gateway: 'fe80::1' })).toMatchObject({
    routes: [{ to: '::/0', via: 'fe80::1', 'on-link': true }],
  })
  expect(networkOf({ addresses: six, gateway: null })).not.toHaveProperty('routes')
})

test('another user than root gets an account and root stays closed', () => {
  const files = seedFiles(`${id}-1.1`, machine({ username: 'ubuntu' }), { passwordHash: hash, hostKey })
  const data = JSON.parse((files['user-data'] as string).replace('#cloud-config\n', '')) as Record<string, unknown>
  expect(data).toMatchObject({
    disable_root: true,
    users: [{ name: 'ubuntu', lock_passwd: false }],
    chpasswd: { users: [{ name: 'ubuntu', password: hash, type: 'hash' }] },
  })
  expect(JSON.stringify(data)).not.toContain('PermitRootLogin')
})

const isoProgram = 'genisoimage'
describe.skipIf(spawnSync(isoProgram, ['--version']).error !== undefined)('while the image is made', () => {
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    folder = temporaryFolder()
  })
  afterEach(() => folder.remove())
  const files = { 'user-data': hash.repeat(100_000) }
  /** A folder may go while it is read. */
  const all = (dir = folder.path): string[] =>
    entriesOf(dir).flatMap((entry) => (entry.isDirectory() ? all(join(dir, entry.name)) : [join(dir, entry.name)]))
  function entriesOf(dir: string): Dirent[] {
    try {
      return readdirSync(dir, { withFileTypes: true })
    } catch (error) {
      if (existsSync(dir)) throw error
      return []
    }
  }

  test('nobody but its owner can read what is in it, at no time', async () => {
    const open = new Set<string>()
    const isOpen = (path: string): boolean => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0
    let isMade = false
    const path = join(folder.path, 'seed.iso')
    const making = createSeedImage(path, 'cidata', isoProgram, files).finally(() => (isMade = true))
    for (; !isMade; await setImmediate())
      for (const one of all()) if (isOpen(one) && (dirname(one) === folder.path || isOpen(dirname(one)))) open.add(one)
    await making
    expect([...open]).toEqual([])
    expect(all()).toEqual([path])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('an agent that is killed leaves no password’s hash and no host key past the next start', async () => {
    const script = `
      import { readdirSync } from 'node:fs'
      import { createSeedImage } from ${JSON.stringify(fileURLToPath(new URL('seed-image.ts', import.meta.url)))}
      const files = { 'user-data': ${JSON.stringify(hash)}.repeat(100_000) }
      void createSeedImage(process.env.TMPDIR + '/seed.iso', 'cidata', '${isoProgram}', files)
      const look = () => {
        const names = readdirSync(process.env.TMPDIR, { recursive: true })
        if (names.some((name) => name.endsWith('user-data'))) process.kill(process.pid, 'SIGKILL')
        setImmediate(look)
      }
      look()`
    const node = ['--import', 'tsx', '--conditions=@vps/source', '--input-type=module', '--eval', script]
    const { signal, stderr } = spawnSync(process.execPath, node, {
      encoding: 'utf8',
      env: { ...process.env, TMPDIR: folder.path, TSX_DISABLE_CACHE: '1' },
    })
    expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' })
    const images = openImageFolder(join(folder.path, 'images'))
    await openStorage(folder.path, images, { disks: 'overlay', thinPool: null, wipe: 'discard' }, () => {}).prepare()
    expect(all()).toEqual([])
  })
})
