/** Two agents with one token on one machine. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { heldSeconds } from '@vps/shared/agent'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../packages/agent/src/testing/agent.js'
import { inTx } from '../../packages/api/src/db/tx.js'
import { prepareHost } from '../../packages/api/src/fleet/hosts.js'
import { startApp, type TestApp } from '../../packages/api/src/testing/app.js'
import { root } from '../../scripts/run-command.js'
import { waitFor } from '../setup/customer.js'

const enrolmentToken = 'enrolment-token-of-two-agents'
const [firstFolder, secondFolder] = [temporaryFolder(), temporaryFolder()]
type Agent = { printed: () => string; isGone: () => boolean; kill: () => Promise<void> }
const agents: Agent[] = []
let api: TestApp

beforeAll(async () => {
  api = await startApp()
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  await inTx(api.db, (tx) => prepareHost(tx, { name: 'kvm-1', enrolmentToken, validSeconds: 600 }, api.deps.now()))
})
afterAll(async () => {
  for (const agent of agents) await agent.kill()
  await api.close()
  for (const folder of [firstFolder, secondFolder]) folder.remove()
})

function startAgent(folder: string, env: Record<string, string>): Agent {
  const main = path.join(root, 'packages/agent/src/main.ts')
  const { port } = api.app.server.address() as AddressInfo
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=@vps/source', main], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      API_URL: `http://127.0.0.1:${port}`,
      HYPERVISOR: 'simulated',
      STATE_DIR: folder,
      ...env,
    },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (printed += data.toString()))
  const ended = once(child, 'exit')
  const agent = {
    printed: () => printed,
    isGone: () => child.exitCode !== null || child.signalCode !== null,
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
  agents.push(agent)
  return agent
}

const refused = (agent: Agent) => agent.printed().split('another agent works for this host').length - 1
/** Whose start speaks for the host now. */
async function holder(): Promise<string> {
  const { instance_id } = await api.db.selectFrom('hosts').select('instance_id').executeTakeFirstOrThrow()
  const startsIn = (folder: string) =>
    fs.readFileSync(path.join(folder, 'starts.json'), { encoding: 'utf8', flag: 'a+' })
  if (instance_id === null) return 'nobody'
  if (startsIn(firstFolder.path).includes(instance_id)) return 'first'
  return startsIn(secondFolder.path).includes(instance_id) ? 'second' : 'somebody'
}
const reported = async () => {
  const heartbeat = await api.db.selectFrom('host_heartbeats').select(['inventory_at', 'cpu_usage']).executeTakeFirst()
  return (heartbeat?.inventory_at ?? null) !== null && heartbeat?.cpu_usage !== null
}

test('the first keeps the host and the second waits without ending, until the first is gone for good', async () => {
  let first = startAgent(firstFolder.path, { ENROLMENT_TOKEN: enrolmentToken })
  await waitFor(reported, 'the first agent to report')
  const { hostToken } = JSON.parse(fs.readFileSync(path.join(firstFolder.path, 'host.json'), 'utf8')) as {
    hostToken: string
  }
  fs.copyFileSync(path.join(firstFolder.path, 'machine-id'), path.join(secondFolder.path, 'machine-id'))
  const second = startAgent(secondFolder.path, { AGENT_TOKEN: hostToken })
  await waitFor(async () => refused(second) > 4, 'the second to be refused again and again')
  expect([await holder(), first.isGone(), second.isGone()]).toEqual(['first', false, false])
  expect(refused(first)).toBe(0)

  // Started again, the first goes on, though nobody has missed it yet.
  await first.kill()
  // However long its start takes.
  const soon = sql<Date>`clock_timestamp() + interval '1 hour'`
  await api.db.updateTable('host_heartbeats').set({ last_seen_at: soon }).execute()
  first = startAgent(firstFolder.path, {})
  await waitFor(async () => first.printed().includes('agent ready'), 'the first to be back')
  const before = refused(second)
  await waitFor(async () => refused(second) > before + 2, 'the second to ask again')
  expect([await holder(), refused(first)]).toEqual(['first', 0])
  expect(await api.db.selectFrom('findings').select('kind').where('kind', '=', 'second-agent').execute()).toHaveLength(
    1,
  )

  // As if the seconds had passed in which nobody hears of it.
  await first.kill()
  const long = sql<Date>`clock_timestamp() - make_interval(secs => ${heldSeconds + 1})`
  await api.db.updateTable('host_heartbeats').set({ last_seen_at: long }).execute()
  await waitFor(async () => (await holder()) === 'second', 'the second to take over')
  first = startAgent(firstFolder.path, {})
  await waitFor(async () => refused(first) > 2, 'the first to be the second now')
  expect([await holder(), first.isGone(), second.isGone()]).toEqual(['second', false, false])
})
