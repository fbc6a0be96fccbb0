import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { portOf } from '../../packages/agent/src/hypervisor/virsh/guard-rules.js'
import { openGuards } from '../../packages/agent/src/hypervisor/virsh/guards.js'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { withTemporaryFolder } from '../../packages/agent/src/testing/agent.js'
import { makeHostFolder, openNamespace } from './host.js'

/** Two network namespaces on the bridge: a neighbour, and a guest that says what no kernel would. */

const folder = makeHostFolder()
const atBoot = path.join(folder.storageDir, 'neighbours.nft')
const serverId = randomUUID()
const own = 'fd00:78::3'
const ownLinkLocal = 'fe80::5054:ff:fe77:3'
const ofPrefix = 'fd00:78:0:7::abcd'
const neighboursOwn = 'fd00:78::50'
/** Nobody claims it. */
const neighboursOther = 'fd00:78::51'
const router = 'fe80::1'
const nobody = '::'

const [neighbour, guest] = await Promise.all([openNamespace(), openNamespace()])
const within = (namespace: typeof guest, ...command: string[]) =>
  run('nsenter', ['-t', String(namespace.pid), '-n', ...command])

async function plug(namespace: typeof guest, port: string, mac: string): Promise<void> {
  await run('ip', ['link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(namespace.pid)])
  await run('ip', ['link', 'set', port, 'master', 'br0', 'up'])
  await within(namespace, 'ip', 'link', 'set', 'eth0', 'address', mac)
  await within(namespace, 'ip', 'link', 'set', 'eth0', 'up')
}
const macs = { neighbour: '52:54:00:77:00:50', guest: '52:54:00:77:00:03' }

const guardsOf = () =>
  openGuards(
    async () => '',
    withTemporaryFolder,
    async () => 'nwfilter',
    folder.storageDir,
  )
const held = { mac: macs.guest, addresses: [own, 'fd00:78:0:7::1', 'fd00:78:0:7::/64'], port: null, filter: null }

beforeAll(async () => {
  await run('ip', ['address', 'add', 'fd00:78::1/64', 'dev', 'br0', 'nodad'])
  await plug(neighbour, 'outside', macs.neighbour)
  await plug(guest, portOf(serverId), macs.guest)
  for (const address of [neighboursOwn, neighboursOther])
    await within(neighbour, 'ip', 'address', 'add', `${address}/64`, 'dev', 'eth0', 'nodad')
})
afterAll(() => {
  for (const one of [neighbour, guest]) one.kill('SIGKILL')
})

type Said = { kind: 'advert' | 'solicitation' | 'redirect'; source: string; target: string; hidden?: true }

/** Raw, to all nodes. `hidden`: behind a header that few look behind. */
const say = ({ kind, source, target, hidden }: Said) =>
  within(guest, 'python3', '-ISc', speak, kind, source, target, hidden ? 'hidden' : 'plain')
const speak = `import socket, struct, sys
kind, source, target, how = sys.argv[1:]
packed = lambda one: socket.inet_pton(socket.AF_INET6, one)
raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
raw.bind(('eth0', 0))
mac = raw.getsockname()[4]
number, flags, rest = {
  'advert': (136, 0x20000000, b'\\x02\\x01' + mac),
  'solicitation': (135, 0, b'' if source == '::' else b'\\x01\\x01' + mac),
  'redirect': (137, 0, packed('2001:db8::1')),
}[kind]
message = lambda sum: struct.pack('!BBHI', number, 0, sum, flags) + packed(target) + rest
ends = packed(source) + packed('ff02::1')
counted = ends + struct.pack('!II', len(message(0)), 58) + message(0)
sum = sum(struct.unpack('!%dH' % (len(counted) // 2), counted))
while sum >> 16: sum = (sum & 0xffff) + (sum >> 16)
body = message(~sum & 0xffff)
first = 58
if how == 'hidden': first, body = 0, struct.pack('!BBBBI', 58, 0, 1, 4, 0) + body
packet = struct.pack('!IHBB', 6 << 28, len(body), first, 255) + ends + body
raw.send(b'\\x33\\x33\\x00\\x00\\x00\\x01' + mac + b'\\x86\\xdd' + packet)`

/** There and back: nobody listens. */
async function reach(address: string): Promise<void> {
  const socket = connect({ host: address, port: 9, timeout: 5000 })
  const [error] = await once(socket, 'error').finally(() => socket.destroy())
  expect(error).toMatchObject({ code: 'ECONNREFUSED' })
}

/** How often the neighbour heard it: what was let through is there before what is said last. */
async function heard(said: Said): Promise<number> {
  const counted = `icmpv6 type nd-${words[said.kind]} ip6 saddr ${said.source} counter`
  await within(
    neighbour,
    'nft',
    `add table ip6 heard { chain input { type filter hook input priority 0; ${counted}; }; }`,
  )
  await say(said)
  await reach(neighboursOther)
  const listed = await within(neighbour, 'nft', 'list', 'table', 'ip6', 'heard')
  await within(neighbour, 'nft', 'delete table ip6 heard')
  return Number(/packets (\d+)/.exec(listed)?.[1])
}
const words = { advert: 'neighbor-advert', solicitation: 'neighbor-solicit', redirect: 'redirect' }

/** Which MAC the host believes to be there, after it was reached once and somebody claimed it. */
async function macAfter(claim: Said): Promise<string | undefined> {
  await run('ip', ['-6', 'neigh', 'flush', 'dev', 'br0'])
  await reach(claim.target)
  await say(claim)
  return /lladdr (\S+)/.exec(await run('ip', ['-6', 'neigh', 'show', claim.target]))?.[1]
}
const claim: Said = { kind: 'advert', source: ownLinkLocal, target: neighboursOwn }

test('a guest that says a neighbour’s address is its own draws what is sent there, until it is held to its own', async () => {
  expect(await macAfter(claim)).toBe(macs.guest)
  await guardsOf().admit(serverId, held)
  expect(await macAfter(claim)).toBe(macs.neighbour)
})

test.each<Said & { what: string }>([
  { what: 'an advertisement of its own address', kind: 'advert', source: own, target: own },
  { what: 'one of its link-local address', kind: 'advert', source: ownLinkLocal, target: ownLinkLocal },
  { what: 'one of any address of its prefix', kind: 'advert', source: ownLinkLocal, target: ofPrefix },
  { what: 'a question after a neighbour', kind: 'solicitation', source: own, target: neighboursOwn },
  { what: 'a look whether its own address is free', kind: 'solicitation', source: nobody, target: own },
])('heard: $what', async (said) => {
  const guards = guardsOf()
  await guards.admit(serverId, held)
  await guards.mend([], [router], async () => {})
  expect(await heard(said)).toBe(1)
})

test.each<Said & { what: string }>([
  { what: 'an advertisement of a neighbour’s address', ...claim },
  { what: 'one that hides behind another header', ...claim, hidden: true },
  { what: 'one of an address of another prefix', kind: 'advert', source: own, target: 'fd00:78:0:8::1' },
  { what: 'one of the router’s link-local address', kind: 'advert', source: ownLinkLocal, target: router },
  { what: 'its own address, told by the router', kind: 'advert', source: router, target: own },
  { what: 'a question by the router', kind: 'solicitation', source: router, target: neighboursOwn },
  { what: 'a look whether a neighbour’s address is free', kind: 'solicitation', source: nobody, target: neighboursOwn },
  { what: 'another way than through the router', kind: 'redirect', source: ownLinkLocal, target: ownLinkLocal },
])('not heard: $what', async (said) => {
  // An agent that was started anew knows the router before it is told again.
  await guardsOf().admit(serverId, held)
  expect(await heard(said)).toBe(0)
  await run('nft', ['delete', 'table', 'bridge', 'vps_neighbours'])
  expect(await heard(said)).toBe(1)
})

test('the host’s own unit finds the table to load at boot, and a host without IPv6 keeps none', async () => {
  const guards = guardsOf()
  await guards.admit(serverId, held)
  const rules = () => run('nft', ['list', 'table', 'bridge', 'vps_neighbours'])
  const before = await rules()
  await run('nft', ['flush', 'ruleset'])
  await run('nft', ['-f', atBoot])
  expect(await rules()).toBe(before)
  await guards.admit(serverId, { ...held, addresses: ['10.77.0.3'] })
  await expect(rules(), 'the table is still there').rejects.toThrow('No such file')
  expect(existsSync(atBoot)).toBe(false)
})
