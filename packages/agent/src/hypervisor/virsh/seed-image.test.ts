import { expect, test } from 'vitest'
import { machine } from '../../testing/machines.js'
import { seedFiles } from './seed-image.js'

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
