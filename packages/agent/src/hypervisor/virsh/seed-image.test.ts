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
      { address: '203.0.113.5', prefix: 24 },
      { address: '203.0.113.6', prefix: 24 },
    ],
    gateway: '203.0.113.1',
    dns: ['203.0.113.53'],
  }
  const described = machine({ hostname: 'shop-1', network, sshKeys: ['ssh-ed25519 AAAA customer: "quoted" #1'] })
  const files = seedFiles(id, described, { epoch: 1, number: 2 }, { passwordHash: hash, hostKey })
  const text = Object.entries(files)
    .map(([name, content]) => `== ${name}\n${content}`)
    .join('\n')
  await expect(text).toMatchFileSnapshot('golden/seed.txt')
})

test('another user than root gets an account and root stays closed', () => {
  const files = seedFiles(id, machine({ username: 'ubuntu' }), { epoch: 1, number: 1 }, { passwordHash: hash, hostKey })
  const data = JSON.parse((files['user-data'] as string).replace('#cloud-config\n', '')) as Record<string, unknown>
  expect(data).toMatchObject({
    disable_root: true,
    users: [{ name: 'ubuntu', lock_passwd: false }],
    chpasswd: { users: [{ name: 'ubuntu', password: hash, type: 'hash' }] },
  })
  expect(JSON.stringify(data)).not.toContain('PermitRootLogin')
})
