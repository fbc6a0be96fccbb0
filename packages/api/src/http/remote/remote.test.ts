import { remoteEnds, type RemoteEnd } from '@vps/shared/remote'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { build } from '../../build.js'
import { closeDeps, openDeps } from '../../deps.js'
import { bring, openWatched, view, type End } from '../../testing/remote.js'

type Watched = Awaited<ReturnType<typeof openWatched>>
let sale: Watched['sale']
let app: FastifyInstance
let orderId: string
let serverId: string
let ticket: Watched['ticket']
let asked: Watched['asked']
let watching: Watched['watching']
let row: Watched['row']
beforeEach(async () => void ({ sale, app, orderId, serverId, ticket, asked, watching, row } = await openWatched()))
afterEach(() => sale.app.close())

const codeOf = (why: RemoteEnd) => remoteEnds[why].code

test('bytes go both ways as they are, and who saw it when is written down without them', async () => {
  const { viewer, machine } = await watching()
  expect(viewer.socket.protocol).toBe('vps.remote')
  viewer.say('typed-word')
  await expect.poll(machine.heard).toBe('typed-word')
  const large = Buffer.alloc(3_000_000, 'x')
  for (let at = 0; at < large.length; at += 60_000) machine.say(large.subarray(at, at + 60_000))
  await expect.poll(viewer.heardBytes).toBe(large.length + 'machine'.length)
  viewer.socket.close()
  await expect.poll(machine.closed).not.toBeNull()
  await expect.poll(async () => (await row()).ended_why).toBe('left')
  const entries = await sale.app.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'address', 'details'])
    .where('action', 'like', 'server.%-remote')
    .orderBy('at')
    .execute()
  expect(entries).toMatchObject([
    { action: 'server.open-remote', actor_id: sale.lin.user.id, address: '127.0.0.1', details: { kind: 'screen' } },
    {
      action: 'server.end-remote',
      actor_id: sale.lin.user.id,
      details: { kind: 'screen', why: 'left', seconds: expect.any(Number) },
    },
  ])
  expect(sale.app.logged() + JSON.stringify(await row())).not.toContain('typed-word')
})

test('a ticket opens one console, once, within a minute', async () => {
  const once = await ticket()
  const first = view(app, once)
  await asked()
  await expect.poll(view(app, once).closed).toBe(codeOf('expired'))
  expect(first.closed()).toBeNull()
  const late = await ticket()
  sale.app.advance(61_000)
  await expect.poll(view(app, late).closed).toBe(codeOf('expired'))
  for (const wrong of ['x', 'x'.repeat(43), `${once}-`, 'a'.repeat(4000)])
    await expect.poll(view(app, wrong).closed).toBe(codeOf('expired'))
})

test('a ticket that comes twice at once opens one console, which stays', async () => {
  for (let n = 0; n < 10; n++) {
    const once = await ticket()
    const both = [view(app, once), view(app, once)]
    await expect.poll(() => both.map((viewer) => viewer.closed()).toSorted()).toEqual([codeOf('expired'), null])
    await asked()
    expect(both.map((viewer) => viewer.closed()).toSorted()).toEqual([codeOf('expired'), null])
  }
})

test('a ticket of a session that has ended since opens nothing', async () => {
  const mine = await ticket()
  await sale.lin.post('/auth/logout')
  await expect.poll(view(app, mine).closed).toBe(codeOf('revoked'))
})

test('a foreign page’s socket is refused', async () => {
  const foreign = view(app, await ticket(), { origin: 'https://elsewhere.example' })
  expect(await foreign.opened).toBe(false)
})

test('what one browser opens anew, the other no longer sees: screen and serial line apart', async () => {
  const { viewer, machine } = await watching()
  const serial = view(app, await ticket(sale.lin, 'serial'))
  bring(app, sale.host.token, await asked())
  const admins = view(app, await ticket(sale.admin))
  await expect.poll(viewer.closed).toBe(codeOf('replaced'))
  await expect.poll(machine.closed).not.toBeNull()
  await asked()
  expect([serial.closed(), admins.closed()]).toEqual([null, null])
})

test('twenty reloads in a row leave one console, and one machine brought', async () => {
  const ends: { viewer: End; machine: End }[] = []
  for (let n = 0; n < 20; n++) ends.push(await watching())
  const last = ends.pop()!
  for (const { viewer, machine } of ends) {
    await expect.poll(viewer.closed).toBe(codeOf('replaced'))
    await expect.poll(machine.closed).not.toBeNull()
  }
  expect([last.viewer.closed(), last.machine.closed()]).toEqual([null, null])
  const open = await sale.app.db.selectFrom('remote_consoles').select('id').where('ended_at', 'is', null).execute()
  expect(open).toHaveLength(1)
})

test('twenty that come at once leave one viewer', async () => {
  const viewers: End[] = []
  for (const one of await Promise.all(Array.from({ length: 20 }, () => ticket()))) viewers.push(view(app, one))
  const replaced = () => viewers.filter((viewer) => viewer.closed() === codeOf('replaced')).length
  await expect.poll(replaced).toBe(19)
})

test('a host that comes back to more viewers than it takes at once is told of all, and its other work is not lost', async () => {
  const { host, agent, lin } = sale
  await ticket()
  await sql`
    with more as (
      insert into servers (id, driver, group_id, name, cpu_cores, memory_gb, storage_gb, bandwidth_mbps, created_at, updated_at)
      select gen_random_uuid(), 'kvm', group_id, 'more', 1, 1, 20, 1, now(), now() from servers, generate_series(1, 70)
      where id = ${serverId} returning id)
    insert into remote_consoles (id, server_id, host_id, kind, user_id, session_id, ticket_hash, created_at, opened_at, relay_address)
    select gen_random_uuid(), more.id, ${host.id}, 'screen', user_id, session_id, sha256(more.id::text::bytea), now(), now(), '127.0.0.1:1'
    from more, remote_consoles`.execute(sale.app.db)
  const { body } = await lin.post('/server-management/action', { serverId, action: 'restart' })
  const claim = () => agent.caller.claim({ ...agent.me, freeLanes: 1, waitSeconds: 0, running: [] })
  const [first, second] = [await claim(), await claim()]
  expect([first.consoles.length, second.consoles.length]).toEqual([64, 6])
  expect(first.job?.id).toBe(body.data.jobId)
})

test('after an hour it is over, though bytes go on', async () => {
  const { viewer, machine } = await watching()
  sale.app.advance(3_590_000)
  viewer.say('still')
  await expect.poll(machine.heard).toBe('still')
  sale.app.advance(11_000)
  await expect.poll(viewer.closed).toBe(codeOf('over'))
  await expect.poll(machine.closed).not.toBeNull()
  // Written after the viewer was told.
  await expect.poll(async () => (await row()).ended_why).toBe('over')
})

test('an agent that does not come within 15 seconds is told of, and comes too late then', async () => {
  const viewer = view(app, await ticket())
  const console = await asked()
  sale.app.advance(16_000)
  await expect.poll(viewer.closed).toBe(codeOf('unreachable'))
  const machine = bring(app, sale.host.token, console)
  await expect.poll(machine.closed).toBe(codeOf('expired'))
})

describe('what an agent says of the end is what the viewer reads', () => {
  test.each(['off', 'machine', 'unreachable'] as const)('%s', async (why) => {
    const { viewer, machine } = await watching()
    machine.say(' last')
    machine.socket.close(codeOf(why))
    await expect.poll(viewer.closed).toBe(codeOf(why))
    expect(viewer.heard()).toBe('machine last')
    await expect.poll(async () => (await row()).ended_why).toBe(why)
  })

  test('one that was killed says nothing: unreachable, at once', async () => {
    const { viewer, machine } = await watching()
    machine.socket.terminate()
    await expect.poll(viewer.closed).toBe(codeOf('unreachable'))
  })
})

describe('seen by nobody who may not any more', () => {
  const causes: Record<string, () => Promise<unknown>> = {
    'signed out': () => sale.lin.post('/auth/logout'),
    'the account suspended': () =>
      sale.admin.put(`/users/${sale.lin.user.id}/status`, { status: 'suspended', reason: '测试' }),
    'the order suspended': () => sale.admin.put(`/orders/${orderId}/status`, { status: 'SUSPENDED', reason: '测试' }),
  }
  test.each(Object.keys(causes))('%s', async (name) => {
    const { viewer, machine } = await watching()
    await causes[name]!()
    await expect.poll(viewer.closed).toBe(codeOf('revoked'))
    await expect.poll(machine.closed).not.toBeNull()
    await expect.poll(async () => (await row()).ended_why).toBe('revoked')
  })

  test('an administrator who is one no longer', async () => {
    const { viewer } = await watching(sale.admin)
    await sale.app.owner.updateTable('users').set({ role: 'USER' }).where('id', '=', sale.admin.user.id).execute()
    sale.app.deps.notifications.send([{ sessionsOf: sale.admin.user.id }])
    await expect.poll(viewer.closed).toBe(codeOf('revoked'))
  })

  test('a change that nobody told of is seen within a minute, and the others see on', async () => {
    const { viewer } = await watching()
    await sale.app.owner.updateTable('placements').set({ state: 'releasing' }).execute()
    sale.app.advance(61_000)
    await expect.poll(viewer.closed).toBe(codeOf('revoked'))
  })

  test('an administrator sees the machine of a suspended order', async () => {
    const { viewer } = await watching(sale.admin)
    await causes['the order suspended']!()
    sale.app.advance(61_000)
    viewer.say('x')
    await expect.poll(async () => (await row()).ended_at).toBeNull()
    expect(viewer.closed()).toBeNull()
  })
})

test('nobody brings a console but its host, once, with the secret', async () => {
  const viewer = view(app, await ticket())
  const console = await asked()
  expect(await bring(app, 'no-such-token', console).opened).toBe(false)
  for (const wrong of [
    { ...console, secret: 'x'.repeat(43) },
    { ...console, secret: '' },
    { ...console, id: 'nonsense' },
    { ...console, id: serverId },
  ])
    await expect.poll(bring(app, sale.host.token, wrong).closed).toBe(codeOf('expired'))
  const machine = bring(app, sale.host.token, console)
  await machine.opened
  machine.say('right')
  await expect.poll(viewer.heard).toBe('right')
  await expect.poll(bring(app, sale.host.token, console).closed).toBe(codeOf('expired'))
  expect([viewer.closed(), machine.closed()]).toEqual([null, null])
})

test('a browser that types without end is cut off, and one that pastes a long text is not', async () => {
  const { viewer, machine } = await watching()
  for (let n = 0; n < 4_000; n++) for (const key of ['a', 'b', 'c', 'd']) viewer.say(key)
  await expect.poll(machine.heardBytes).toBe(16_000)
  expect(viewer.closed()).toBeNull()
  for (let n = 0; n < 100_000; n++) viewer.say('e')
  await expect.poll(viewer.closed).not.toBeNull()
  await expect.poll(machine.closed).not.toBeNull()
  expect(machine.heardBytes()).toBeLessThan(50_000)
})

test('a reader that takes nothing holds the machine up, and nothing is kept for it', async () => {
  const { viewer, machine } = await watching()
  viewer.socket.pause()
  const piece = Buffer.alloc(60_000)
  let taken = 0
  // Until no more is taken: sockets on the way hold some.
  for (let waiting = 0; waiting < 40; waiting += 1) {
    while (machine.socket.bufferedAmount < 1_000_000 && taken < 400) {
      machine.say(piece)
      taken += 1
      waiting = 0
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  expect(taken).toBeLessThan(400)
  viewer.socket.resume()
  await expect.poll(viewer.heardBytes).toBe(taken * piece.length + 'machine'.length)
})

test('a process that stops says so to its viewers, and their machines go', async () => {
  const { viewer, machine } = await watching()
  sale.app.deps.stopping.abort()
  await expect.poll(viewer.closed).toBe(codeOf('restarted'))
  await expect.poll(machine.closed).not.toBeNull()
  await expect.poll(async () => (await row()).ended_why).toBe('restarted')
})

describe('with two processes', () => {
  let other: FastifyInstance
  let end: () => Promise<void>
  let otherDeps: Awaited<ReturnType<typeof openDeps>>
  beforeEach(async () => {
    const { config, log, now } = sale.app.deps
    otherDeps = await openDeps(config, { log, now })
    other = await build(otherDeps)
    await other.listen({ port: 0, host: '127.0.0.1' })
    let ended = false
    end = async () => {
      if (ended) return
      ended = true
      await other.close()
      await closeDeps(otherDeps)
    }
  })
  afterEach(() => end())

  test('the browser at one and the agent at the other see each other', async () => {
    const { viewer, machine } = await watching(sale.lin, app, other)
    viewer.say('typed')
    await expect.poll(machine.heard).toBe('typed')
    const large = Buffer.alloc(60_000, 'y')
    for (let n = 0; n < 50; n++) machine.say(large)
    await expect.poll(viewer.heardBytes).toBe(3_000_007)
    viewer.socket.close()
    await expect.poll(machine.closed).not.toBeNull()
  })

  test.each(['off', 'machine'] as const)('and %s is told across', async (why) => {
    const { viewer, machine } = await watching(sale.lin, app, other)
    machine.socket.close(codeOf(why))
    await expect.poll(viewer.closed).toBe(codeOf(why))
  })

  test('what is opened anew at one ends at the other', async () => {
    const { viewer, machine } = await watching(sale.lin, app, other)
    await watching(sale.lin, other, app)
    await expect.poll(viewer.closed).toBe(codeOf('replaced'))
    await expect.poll(machine.closed).not.toBeNull()
  })

  test('a revocation at one is obeyed at the other', async () => {
    const { viewer } = await watching(sale.lin, other, app)
    await sale.lin.post('/auth/logout')
    await expect.poll(viewer.closed).toBe(codeOf('revoked'))
  })

  test('the agent’s process stops: the viewer at the other is told so', async () => {
    const { viewer, machine } = await watching(sale.lin, app, other)
    await end()
    await expect.poll(viewer.closed).toBe(codeOf('restarted'))
    await expect.poll(machine.closed).not.toBeNull()
  })
})
