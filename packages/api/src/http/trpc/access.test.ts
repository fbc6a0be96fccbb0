import { noFirewall } from '@vps/shared/firewall'
import { randomUUID } from 'node:crypto'
import { protocolVersion } from '@vps/shared/agent'
import * as text from '@vps/shared/text'
import { TRPCError } from '@trpc/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findSession } from '../../accounts/sessions.js'
import { startApp, type TestApp } from '../../testing/app.js'
import { fail } from '../../errors.js'
import { hostAgent } from '../../testing/host.js'
import { person, type Person } from '../../testing/people.js'
import { addHost, openShop } from '../../testing/shop.js'
import { agentRouter } from '../agents/router.js'
import { restTable } from '../rest/table.js'
import { appRouter } from './app-router.js'
import type { Context } from '../../trpc/context.js'
import { createCallerFactory, refusalOf } from '../../trpc/init.js'

/**
 * Every procedure, with the REST rows over it, called with a customer's things by everybody. Written out, so that a
 * changed right shows in review.
 */
const audience = ['visitor', 'suspended', 'agent', 'otherAgent', 'otherCustomer', 'customer', 'admin'] as const
type Caller = (typeof audience)[number]

let app: TestApp
let tokens: Record<Caller, string | null>
let theirs: Record<string, string>
let jobId: string
beforeAll(async () => {
  app = await startApp()
  const shop = await openShop(app)
  const [host, otherHost] = [await addHost(app, shop), await addHost(app, shop, { network: '10.9.1', servers: 1 })]
  const [lin, chen, gone] = [
    await person(app, 'lin', { yuan: 100 }),
    await person(app, 'chen'),
    await person(app, 'gone'),
  ]
  const admin = await person(app, 'boss', { admin: true })
  await app.db.updateTable('users').set({ status: 'suspended' }).where('id', '=', gone.user.id).execute()
  tokens = {
    visitor: null,
    suspended: gone.token,
    agent: host.token,
    otherAgent: otherHost.token,
    otherCustomer: chen.token,
    customer: lin.token,
    admin: admin.token,
  }
  await admin.put('/backup-repository', { url: '/srv/backups', password: 'Keeps-them-1', version: 0 })
  theirs = await thingsOf(lin, shop.order, host.token)
  jobId = theirs['job']!
})
afterAll(() => app.close())

/** An active order with its server, a running job, a key, another device. */
async function thingsOf(lin: Person, wanted: object, hostToken: string): Promise<Record<string, string>> {
  const order = (await lin.post('/orders', wanted)).body.data
  await lin.post(`/orders/${order.id}/pay`)
  const agent = hostAgent(app, hostToken)
  await agent.serve()
  const { serverId } = (await lin.get(`/orders/${order.id}`)).body.data
  await lin.post(`/server-management/${serverId}/snapshots`, { name: '更新前' })
  await agent.serve()
  const [snapshot] = (await lin.get(`/server-management/${serverId}/snapshots`)).body.data
  await app.db.updateTable('orders').set({ backups: 1 }).execute()
  await lin.post(`/server-management/${serverId}/backups`, {})
  await agent.serve()
  const [backup] = (await lin.get(`/server-management/${serverId}/backups`)).body.data.backups
  const job = (await lin.post('/server-management/action', { serverId, action: 'restart' })).body.data.jobId
  const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'
  const [key] = (await lin.post('/ssh-keys', { name: '钥匙', publicKey })).body.data
  const [device] = (await lin.get('/auth/devices')).body.data
  const transaction = (await lin.get('/transactions/user')).body.data[0].transactionNumber
  return {
    order: order.id,
    orderNumber: order.orderNumber,
    server: serverId,
    snapshot: snapshot.id,
    backup: backup.id,
    job,
    key: key.id,
    device: device.id,
    transaction,
  }
}

const nobody = '01900000-0000-7000-8000-000000000000'

/** One input for all: each procedure takes what it knows. */
function inputFor(path: string): object {
  const about: [RegExp, string][] = [
    [/^orders\.|^refunds\.request$/, 'order'],
    [/^jobs\.get$/, 'job'],
    [/^console\./, 'server'],
    [/^snapshots\./, 'snapshot'],
    [/^backups\./, 'backup'],
    [/SshKey$/, 'key'],
    [/Device$/, 'device'],
  ]
  const thing = about.find(([pattern]) => pattern.test(path))?.[1] ?? 'nothing'
  const words = { name: '名称', reason: '原因', title: '标题', body: '正文', serverName: '名称', status: 'SUSPENDED' }
  const numbers = { orderNumber: theirs['orderNumber'], number: theirs['transaction'], outTradeNo: 'R123' }
  return {
    id: theirs[thing] ?? nobody,
    serverId: theirs['server'],
    ids: [theirs['server']],
    labels: ['生产'],
    ...numbers,
    ...words,
    ...(path.startsWith('reverseNames.') ? { address: '10.9.0.2', name: 'mail.example.com' } : {}),
    ...(path === 'console.reinstall' ? { osName: 'Debian', osVersion: '99', rootPassword: 'Guest-Pass-1' } : {}),
    action: 'restart',
    kind: 'screen',
    protected: false,
    autoRenewal: true,
    cpuCores: 4,
    revision: 0,
    firewall: noFirewall,
    schedule: { frequency: 'off' },
  }
}

function verdictOf(error: unknown): string {
  if (!(error instanceof TRPCError)) throw error
  // Of one that a body names, what 404 is of a path's.
  if (refusalOf(error).message === text.serverIdMissing) return '400'
  return { UNAUTHORIZED: '401', FORBIDDEN: '403', NOT_FOUND: '404' }[error.code as string] ?? 'in'
}

async function tryCall(caller: unknown, path: string, input: object): Promise<string> {
  let at = caller
  for (const part of path.split('.')) at = (at as Record<string, unknown>)[part]
  try {
    await (at as (input: unknown) => Promise<unknown>)(input)
    return 'in'
  } catch (error) {
    return verdictOf(error)
  }
}

test('everybody may call exactly what the checked-in matrix says', async () => {
  const users: [Caller, Context][] = await Promise.all(
    audience.map(async (who): Promise<[Caller, Context]> => {
      const token = tokens[who]
      const user = token === null ? null : await findSession(app.db, token)
      return [
        who,
        {
          deps: app.deps,
          db: app.db,
          now: app.deps.now,
          user: user && { ...user, address: '127.0.0.1' },
          address: '127.0.0.1',
          userAgent: null,
          setSessionCookie() {},
          renewSessionCookie() {},
          socket: {
            admit: () => (user ? Promise.resolve({ ...user, address: null }) : fail('UNAUTHENTICATED')),
            isSomebodys: () => Promise.resolve(user !== null),
          },
        },
      ]
    }),
  )
  const lines = [`procedure | REST | ${audience.join(' | ')}`]
  // What ends things comes last, so that all else finds them.
  const paths = Object.keys(appRouter._def.procedures).toSorted(
    (a, b) =>
      Number(/remove|revoke|refunds\.request|signOut/.test(a)) -
        Number(/remove|revoke|refunds\.request|signOut/.test(b)) || (a < b ? -1 : 1),
  )
  for (const path of paths) {
    const verdicts: string[] = []
    for (const [, context] of users)
      verdicts.push(await tryCall(createCallerFactory(appRouter)(context), path, inputFor(path)))
    const rest = restTable.filter((row) => row.procedure === path).map((row) => `${row.method} ${row.path}`)
    lines.push([path, rest.join(', ') || '-', ...verdicts].join(' | '))
  }
  const me = { protocol: protocolVersion, agentVersion: '1', machineId: 'machine-1', instanceId: randomUUID() }
  for (const path of Object.keys(agentRouter._def.procedures)) {
    const input = {
      ...me,
      jobId,
      attempt: 1,
      steps: [],
      percentage: 1,
      freeLanes: 0,
      waitSeconds: 0,
      running: [],
      enrolmentToken: 'not the right one',
      hostname: 'x',
    }
    const verdicts: string[] = []
    for (const who of audience) {
      const caller = agentRouter.createCaller({ deps: app.deps, db: app.db, now: app.deps.now, token: tokens[who] })
      verdicts.push(await tryCall(caller, path, input))
    }
    lines.push([`agent: ${path}`, '-', ...verdicts].join(' | '))
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('access.snapshot.txt')
})
