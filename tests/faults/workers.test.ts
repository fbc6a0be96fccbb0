/** Several processes behind one port (WORKERS) answer as one. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../packages/api/src/testing/app.js'
import { hostAgent } from '../../packages/api/src/testing/host.js'
import { person, type Person } from '../../packages/api/src/testing/people.js'
import { bring, view } from '../../packages/api/src/testing/remote.js'
import { addHost, openShop, type Shop } from '../../packages/api/src/testing/shop.js'
import { apiReady, endApi, launchApi, type ApiProcess } from '../setup/api-process.js'
import { waitFor } from '../setup/customer.js'
import { freePort } from '../setup/free-port.js'

let floor: TestApp
let shop: Shop
let lin: Person
let hostTokens: string[]
const opened: ApiProcess[] = []
beforeEach(async () => {
  floor = await startApp()
  shop = await openShop(floor)
  hostTokens = [(await addHost(floor, shop)).token, (await addHost(floor, shop, { network: '10.9.1' })).token]
  lin = await person(floor, 'lin', { yuan: 100 })
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map(endApi))
  await floor.close()
})

async function begin(port: number): Promise<ApiProcess> {
  const { databaseUrl, appSecrets } = floor.deps.config
  const env = { DATABASE_URL: databaseUrl, APP_SECRET: appSecrets.join(','), WORKERS: '2' }
  const api = await launchApi(env, port)
  opened.push(api)
  return api
}

async function open(port?: number): Promise<ApiProcess> {
  const api = await begin(port ?? (await freePort()))
  await apiReady(api)
  const areThere = () => Promise.resolve(workersOf(api).length === 2)
  await waitFor(areThere, 'both workers to be there').catch((cause: unknown) => {
    throw new Error(`${workersOf(api).length} workers; the API said: ${api.output()}`, { cause })
  })
  return api
}

function workersOf({ pid }: ApiProcess): number[] {
  const isWorker = (id: string) => {
    try {
      const parent = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]
      return Number(parent) === pid && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('main.js')
    } catch {
      return false // it ended meanwhile
    }
  }
  return readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id) && isWorker(id))
    .map(Number)
}

type Reply = { status: number; text: string }

/** Over a connection of its own, which the workers take in turn. */
function ask({ port }: ApiProcess, method: string, path: string, body?: object, token = lin.token): Promise<Reply> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const request = http.request({ port, method, path, headers, agent: false }, (reply) => {
      let text = ''
      reply.on('data', (chunk: Buffer) => (text += chunk.toString()))
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }))
      reply.on('error', reject)
    })
    request.on('error', reject)
    request.end(body && JSON.stringify(body))
  })
}

const hold = (api: ApiProcess, hostToken: string) => {
  const claim = { ...hostAgent(floor, hostToken).me, freeLanes: 4, waitSeconds: 25, running: [] }
  const answered = ask(api, 'POST', '/agent/claim', claim, hostToken)
  const isHeld = async () => {
    const rows = await floor.db.selectFrom('hosts').select('instance_id').execute()
    return rows.some((row) => row.instance_id === claim.instanceId)
  }
  // Answered at once it was refused, and would never be held.
  const refused = answered.then(async ({ status, text }) => {
    if (!(await isHeld())) throw new Error(`the poll was answered with ${status}: ${text}`)
  })
  return { answered, begun: Promise.race([waitFor(isHeld, 'the poll to be held'), refused]) }
}

test('whichever worker is asked, it tells what all of them measured, and limits count the calls to all of them', async () => {
  const api = await open()
  const wrong = { username: 'nobody', password: 'not the right one' }
  const statuses: number[] = []
  for (let n = 0; n < 12; n++) statuses.push((await ask(api, 'POST', '/api/auth/login', wrong)).status)
  // The minute may end meanwhile: of each minute the first ten, over both workers, are answered.
  const minutes = await floor.db
    .selectFrom('rate_limits')
    .select('calls')
    .where('key', 'like', 'signInPerAccount:nobody@%')
    .orderBy('window_start')
    .execute()
  expect(minutes.reduce((sum, { calls }) => sum + calls, 0)).toBe(12)
  const answers = minutes.flatMap(({ calls }) => Array.from({ length: calls }, (_, n) => (n < 10 ? 401 : 429)))
  expect(statuses).toEqual(answers)
  const perStatus = [401, 429].map((status) => answers.filter((answer) => answer === status).length)
  for (let n = 0; n < 4; n++) {
    const { text } = await ask(api, 'GET', '/metrics')
    const counts = text.match(/^http_request_seconds_count\{.*route="\/api\/auth\/login".*\} \d+$/gm) ?? []
    expect(counts.map((line) => Number(line.split(' ').at(-1))).toSorted((a, b) => a - b)).toEqual(
      perStatus.filter((count) => count > 0).toSorted((a, b) => a - b),
    )
    expect(text).toMatch(/^database_answers 1$/m)
  }
})

test('what is paid at one worker wakes the poll that another holds', async () => {
  const api = await open()
  const polls = hostTokens.map((token) => hold(api, token))
  for (const { begun } of polls) await begun
  const { data } = (await lin.post('/orders', shop.order)).body as { data: { id: string } }
  expect((await ask(api, 'POST', `/api/orders/${data.id}/pay`, {})).status).toBe(200)
  const { text } = await Promise.race(polls.map(({ answered }) => answered))
  expect(JSON.parse(text)).toMatchObject({
    result: { data: { job: { payload: { kind: 'install' } } } },
  })
})

test('a browser and an agent that came to different workers see each other, and a worker’s death is told', async () => {
  const api = await open()
  const door = { origin: `http://127.0.0.1:${api.port}` }
  const { data } = (await lin.post('/orders', shop.order)).body as { data: { id: string } }
  await lin.post(`/orders/${data.id}/pay`)
  const agents = hostTokens.map((token) => ({ token, agent: hostAgent(floor, token) }))
  for (const { agent } of agents) while (await agent.serve());
  const { serverId } = (await lin.get(`/orders/${data.id}`)).body.data
  const { host_id: hostId } = await floor.db.selectFrom('placements').select('host_id').executeTakeFirstOrThrow()
  const { token, agent } = agents.find(({ token: one }) => one.endsWith(hostId))!
  const relays = new Set<string | null>()
  // Which worker gets a connection, the kernel says: now and then each of twelve the same.
  for (let n = 0, isLast = false; !isLast; n++) {
    const { body } = await lin.post('/server-management/remote', { serverId, kind: 'screen' })
    const viewer = view(door, body.data.ticket)
    const { consoles } = await agent.caller.claim({ ...agent.me, freeLanes: 0, waitSeconds: 25, running: [] })
    const machine = bring(door, token, consoles[0]!)
    await machine.opened
    machine.say(`screen ${n}`)
    await expect.poll(viewer.heard).toBe(`screen ${n}`)
    const row = await floor.db
      .selectFrom('remote_consoles')
      .select('relay_address')
      .where('ended_at', 'is', null)
      .executeTakeFirstOrThrow()
    relays.add(row.relay_address)
    isLast = n >= 11 && relays.size === 2
    if (!isLast) continue
    for (const worker of workersOf(api)) process.kill(worker, 'SIGKILL')
    await expect.poll(machine.closed).not.toBeNull()
    await expect.poll(viewer.closed).not.toBeNull()
  }
})

test('a worker that is killed is replaced, and the port is served all the while', async () => {
  const api = await open()
  const [first, second] = workersOf(api)
  process.kill(first!, 'SIGKILL')
  await waitFor(async () => {
    expect((await ask(api, 'GET', '/api/wallet')).status).toBe(200)
    return workersOf(api).length === 2 && !workersOf(api).includes(first!)
  }, 'another worker')
  expect(workersOf(api)).toContain(second)
  expect(api.output()).toContain('a worker ended; another takes its place')
})

test('a worker that cannot be replaced just now, as too many files are open, ends no other, and is replaced once it can be', async () => {
  const api = await open()
  const limitFiles = (most: string) => execFileSync('prlimit', ['--pid', String(api.pid), `--nofile=${most}:`])
  const [first, second] = workersOf(api)
  limitFiles(String(readdirSync(`/proc/${api.pid}/fd`).length - 4))
  process.kill(first!, 'SIGKILL')
  await waitFor(() => Promise.resolve(/EMFILE/.test(api.output())), 'a failed start of a worker')
  expect((await ask(api, 'GET', '/api/wallet')).status).toBe(200)
  expect(workersOf(api)).toEqual([second])
  limitFiles('1024')
  await waitFor(() => Promise.resolve(workersOf(api).length === 2), 'another worker')
  process.kill(api.pid, 'SIGTERM')
  expect(await api.ended).toBe(0)
  expect(workersOf(api)).toEqual([])
})

test('a worker whose files are of a version that nobody has migrated to yet does not serve, and says so; the others do', async () => {
  const api = await open()
  const { rows } = await floor.ownerPool.query<{ name: string; sha256: string }>(
    'delete from migration_checksums where name = (select max(name) from migration_checksums) returning name, sha256',
  )
  const { name, sha256 } = rows[0]!
  const [first, second] = workersOf(api)
  process.kill(first!, 'SIGKILL')
  await waitFor(() => Promise.resolve(api.output().includes(`lacks ${name}.sql`)), 'a worker to be refused')
  expect(workersOf(api)).toContain(second)
  expect((await ask(api, 'GET', '/api/wallet')).status).toBe(200)
  await floor.ownerPool.query('insert into migration_checksums values ($1, $2)', [name, sha256])
  await waitFor(() => Promise.resolve(workersOf(api).length === 2), 'both workers')
  expect((await ask(api, 'GET', '/api/wallet')).status).toBe(200)
})

test('asked to stop, alone or with the whole group, all is answered and nothing is left', async () => {
  for (const group of [false, true]) {
    const api = await open()
    const workers = workersOf(api)
    const { answered, begun } = hold(api, hostTokens.pop()!)
    await begun
    for (const pid of group ? [api.pid, ...workers] : [api.pid]) process.kill(pid, 'SIGTERM')
    expect(JSON.parse((await answered).text)).toMatchObject({ result: { data: { job: null } } })
    expect(await api.ended).toBe(0)
    expect(workersOf(api)).toEqual([])
  }
})

test('asked to stop while workers begin, they end as soon as they have', async () => {
  const bothThere = (api: ApiProcess) =>
    waitFor(() => Promise.resolve(workersOf(api).length === 2), 'both workers to be there')
  // When neither listens, and when one does.
  for (const moment of [bothThere, apiReady]) {
    const api = await begin(await freePort())
    await moment(api)
    process.kill(api.pid, 'SIGTERM')
    expect(await api.ended, moment.name).toBe(0)
    expect(workersOf(api)).toEqual([])
  }
})

test('what no worker can begin with is one sentence and exit code 1', async () => {
  const other = net.createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as net.AddressInfo
  await expect(open(port)).rejects.toThrow(/the API ended: (The port is taken by another program[^\n]*\n)+$/)
  other.close()
})
