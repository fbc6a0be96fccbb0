import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { shopKinds } from '@vps/shared/notifications'
import { expect, test, vi } from 'vitest'

const features = path.resolve(import.meta.dirname, '../features/admin')
const sources = readdirSync(features, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.tsx') || name.endsWith('.ts'))
  .map((name) => readFileSync(path.join(features, name), 'utf8'))

const asked = ['catalogue.priceGroupName']

async function readTable() {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })
  vi.stubGlobal('window', new EventTarget())
  const { operatorsReads } = await import('./operators-reads')
  vi.unstubAllGlobals()
  return operatorsReads
}

test('every read of the administration is asked again when something that touches it changed', async () => {
  const operatorsReads = await readTable()
  const shown = sources.flatMap((source) =>
    [...source.matchAll(/\btrpc\.([\w.]+)\.useQuery\(/g)].map(([, read]) => read!),
  )
  expect(shown.length).toBeGreaterThan(15)
  const paced = operatorsReads.map(({ queryKey }) => (queryKey[0] as string[]).join('.'))
  expect([...new Set(shown)].filter((read) => !paced.includes(read) && !asked.includes(read))).toEqual([])
  expect(
    operatorsReads.filter(({ kinds }) => kinds.length === 0 || !kinds.every((kind) => shopKinds.includes(kind))),
  ).toEqual([])
})

test('nothing of the administration is asked again by the clock, but for what falls silent', () => {
  const polls = sources.flatMap((source) =>
    [...source.matchAll(/refetchInterval: ([^ ,}]+)/g)].map(([, pause]) => pause),
  )
  expect(new Set(polls)).toEqual(new Set(['silenceLookMs']))
})

test.each([
  [
    'operations.overview',
    ['category', 'price-group', 'image', 'ip-pool', 'site'],
    'what is left to do before the first order',
  ],
  ['operations.overview', ['address', 'server'], 'how many places are left'],
  ['hosts.list', ['group', 'ip-pool', 'address'], 'its groups, pools and addresses'],
  ['hosts.get', ['group', 'ip-pool', 'address'], 'its groups, pools and addresses'],
  ['catalogue.categories', ['group'], 'how many groups it has'],
  ['catalogue.groups', ['price-group'], 'how many price groups it has'],
  ['catalogue.groups', ['finding'], 'hosts without a limit of bandwidth'],
  ['migrations.list', ['host', 'job', 'order', 'address', 'site'], 'how far each is, and why one stays'],
  ['migrations.hosts', ['host', 'group', 'ip-pool', 'address'], 'where there is room, and which pools lead there'],
  ['alerts.get', ['user', 'mail'], 'where the mails go, and whether they arrive'],
  ...['console.details', 'console.install', 'console.logs', 'snapshots', 'backups', 'firewall', 'reverseNames'].map(
    (read) => [read, ['server', 'job'], 'what its owner or another does to the machine'] as const,
  ),
  ['orders.all', ['user', 'group'], 'names of owners and groups'],
  ['payments.all', ['user'], 'names of owners'],
  ['refunds.list', ['user'], 'names of owners'],
  ['lostOrders.list', ['user', 'server'], 'names of owners and servers'],
  ['migrations.list', ['user'], 'names of owners'],
  ['hosts.addresses', ['server'], 'names of servers'],
  ['pools.addresses', ['server'], 'names of servers'],
  ['pools.history', ['server', 'user'], 'names of servers and owners'],
  ['jobs.list', ['server', 'host', 'user'], 'names of servers, hosts and owners'],
  ['findings.list', ['server', 'host', 'user'], 'names of servers, hosts and owners'],
  ['findings.get', ['server', 'host', 'user'], 'names of servers, hosts and owners'],
  ['servers.list', ['group', 'host', 'user'], 'names of groups, hosts and owners'],
  ['announcements.list', ['group', 'host'], 'names of groups and hosts'],
  ['images.list', ['host'], 'names of hosts'],
  ['backupRepository.get', ['host'], 'names of hosts'],
  ['orders.get', ['order', 'server'], 'what became of the order whose console is open'],
  ['jobs.get', ['job'], 'how far it is'],
] as const)('%s is asked again for %j: it shows %s', async (name, kinds, _what) => {
  const [read] = (await readTable()).filter(({ queryKey: [key] }) => Array.isArray(key) && key.join('.') === name)
  expect(kinds.filter((kind) => !read?.kinds.includes(kind))).toEqual([])
})
