import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readSettings } from '../../scripts/start/settings.js'
import { signIn, waitFor } from '../setup/customer.js'
import {
  launchProduct,
  makeDataDir,
  processesOf,
  readQuietly,
  startProduct,
  wholeDemo,
  type Product,
} from '../setup/product.js'

const started: Product[] = []
const folders: string[] = []
/** A start waits for processor and disk, as long as others have them. */
const patient = { timeout: 120_000 }

afterEach(async () => {
  await Promise.all(started.splice(0).map((product) => product.stop()))
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true })
})

async function start(dataDir: string, env = {}): Promise<Product> {
  const product = await startProduct({ dataDir, env })
  started.push(product)
  return product
}

function folder(): string {
  const dir = makeDataDir()
  folders.push(dir)
  return dir
}

test('a start ends cleanly and carries on with its data', async () => {
  const dataDir = folder()
  const first = await start(dataDir, wholeDemo)
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
  const secret = fs.readFileSync(path.join(dataDir, 'app-secret'), 'utf8')
  expect(await first.stop()).toBe(0)
  expect(processesOf(dataDir)).toEqual([])

  const second = await start(dataDir, wholeDemo)
  expect((await fetch(`${second.url}/readyz`)).status).toBe(200)
  expect(fs.readFileSync(path.join(dataDir, 'app-secret'), 'utf8')).toBe(secret)
  expect(second.printed()).not.toContain('making the database')
  const admin = await signIn(second, 'admin', 'Admin-demo-1')
  type Hosts = { content: { name: string; alive: boolean; servers: number; findings: number }[] }
  await waitFor(async () => {
    const { content } = (await admin.call<Hosts>('GET', '/hosts?page=0&size=10')).body.data
    return (
      content.length === 3 && content.every(({ alive, servers, findings }) => alive && servers > 0 && findings === 0)
    )
  }, 'three hosts with servers, heard and in order')
})

test('a demo tells no latency from before its own start', async () => {
  const before = Date.now()
  const product = await start(folder())
  const admin = await signIn(product, 'admin', 'Admin-demo-1')
  type Latency = { stepSeconds: number; points: { at: string; requests: number }[] }
  const { stepSeconds, points } = (await admin.call<Latency>('GET', '/latency?range=day')).body.data
  const earlier = points.filter(({ at }) => Date.parse(at) + stepSeconds * 1000 < before)
  expect(earlier.length).toBeGreaterThan(100)
  expect(earlier.filter(({ requests }) => requests > 0)).toEqual([])
})

test('secrets are made for their owner alone, and stand in no log', async () => {
  const dataDir = folder()
  const product = await start(dataDir)
  await product.stop()
  const logs = fs
    .readdirSync(path.join(dataDir, 'logs'))
    .map((name) => fs.readFileSync(path.join(dataDir, 'logs', name), 'utf8'))
  for (const name of ['app-secret', 'enrolment-token', 'epay-key']) {
    expect(fs.statSync(path.join(dataDir, name)).mode & 0o777).toBe(0o600)
    const secret = fs.readFileSync(path.join(dataDir, name), 'utf8').trim()
    expect([...logs, product.printed()].join('\n')).not.toContain(secret)
  }
})

test('an agent gets none of the shop’s secrets, with which its host could do more than its machines', async () => {
  const given = { SMTP_URL: 'smtp://user:word@127.0.0.1:9', METRICS_TOKEN: 'a-token-of-32-letters-of-the-shop' }
  const former = { EPAY_FORMER_URL: 'https://before.example', EPAY_FORMER_PID: '1', EPAY_FORMER_KEY: 'the key before' }
  const product = await start(folder(), { ...given, ...former })
  const [agent] = processesOf(product.dataDir).filter((pid) =>
    readQuietly(`/proc/${pid}/cmdline`).includes('agent/dist/bundle/main.js'),
  )
  const names = readQuietly(`/proc/${agent}/environ`)
    .split('\0')
    .map((line) => line.split('=')[0])
  expect(names).toContain('ENROLMENT_TOKEN')
  expect(names.filter((name) => /^(DATABASE|APP_SECRET|EPAY|SMTP|METRICS)/.test(name ?? ''))).toEqual([])
})

test('a second start on the same folder is one sentence, and the first runs on', async () => {
  const dataDir = folder()
  const first = await start(dataDir)
  const second = await launchProduct({ dataDir })
  expect(await second.ended).toBe(1)
  expect(second.printed().trim()).toMatch(/^It is already running on .+; stop that one or set another DATA_DIR\.$/)
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
})

test('a starter that was killed leaves nothing that the next one cannot take over', async () => {
  const dataDir = folder()
  const first = await startProduct({ dataDir })
  await first.kill()
  const orphans = processesOf(dataDir)
  expect(orphans.length).toBeGreaterThan(1)

  const second = await start(dataDir)
  expect((await fetch(`${second.url}/readyz`)).status).toBe(200)
  await expect(fetch(`${first.url}/readyz`)).rejects.toThrow('fetch failed')
  await second.stop()
  expect(processesOf(dataDir)).toEqual([])
})

test('a start that is stopped while the database is still being made leaves nothing running', async () => {
  const product = await launchProduct({ dataDir: folder() })
  await expect.poll(() => product.printed(), patient).toContain('making the database cluster')
  await product.stop()
  expect(processesOf(product.dataDir)).toEqual([])
})

test('an API that dies is started again', async () => {
  const product = await start(folder())
  const api = processesOf(product.dataDir).find((pid) =>
    readQuietly(`/proc/${pid}/cmdline`).includes('demo/dist/bundle/main.js'),
  )
  process.kill(api!, 'SIGKILL')
  await expect.poll(() => product.printed(), patient).toContain('api ended (SIGKILL)')
  await expect
    .poll(
      () =>
        fetch(`${product.url}/readyz`).then(
          (reply) => reply.status,
          () => 0,
        ),
      patient,
    )
    .toBe(200)
})

test.each<[string, Record<string, string>, RegExp]>([
  [
    'a database that is not there',
    { DATABASE_URL: 'postgres://app:geheim@127.0.0.1:1/x' },
    /^The database of DATABASE_URL cannot be reached: .+\.$/m,
  ],
  ['an address that is none', { DATABASE_URL: 'mysql://x' }, /^DATABASE_URL is not a valid address/m],
  ['an owner beside nobody', { DATABASE_OWNER_URL: 'postgres://x' }, /^DATABASE_OWNER_URL is the owner beside/m],
  ['a public address that is none', { PUBLIC_URL: 'shop.example' }, /^PUBLIC_URL is not a valid address/m],
  ['half a gateway', { EPAY_URL: 'https://pay.example' }, /^EPAY_URL, EPAY_PID and EPAY_KEY belong together/m],
  ['a port that is none', { PORT: 'abc' }, /^PORT must be a whole number/m],
  ['a demo that is neither on nor off', { DEMO: 'yes' }, /^DEMO must be 1 or 0, not yes\.$/m],
  ['a hypervisor that is none', { HYPERVISOR: 'vmware' }, /^HYPERVISOR must be simulated or virsh, not vmware\.$/m],
  ['production', { NODE_ENV: 'production' }, /^npm start is for trying it out/m],
  ['a secret that is too short', { APP_SECRET: 'kurz' }, /^APP_SECRET must have at least 16 characters\.$/m],
  ['a setting that is none', { CONSOLE_ACCESS: 'everybody' }, /^CONSOLE_ACCESS must be one of owners, admins\.$/m],
])('%s is one sentence and exit code 1', async (_, env, sentence) => {
  const dataDir = folder()
  const product = await launchProduct({ dataDir, env })
  expect(await product.ended).toBe(1)
  expect(product.printed()).toMatch(sentence)
  expect(product.printed()).not.toMatch(/^\s+at |geheim/m)
  expect(processesOf(dataDir)).toEqual([])
})

test('where it listens is where it says that it is, by IPv6, too', () => {
  const addressAt = (HOST: string) => readSettings({ HOST }).publicUrl
  expect(['::1', '::', '0.0.0.0', 'localhost'].map(addressAt)).toEqual([
    'http://[::1]:3000',
    'http://127.0.0.1:3000',
    'http://127.0.0.1:3000',
    'http://localhost:3000',
  ])
})

test('a taken port is one sentence and exit code 1', async () => {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  const product = await launchProduct({ dataDir: folder(), port })
  expect(await product.ended).toBe(1)
  expect(product.printed().trim()).toBe(`Port ${port} on 127.0.0.1 is taken; stop what uses it or set another PORT.`)
  server.close()
})
