import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verifyBooks } from '../../packages/api/src/audit/verify.js'
import { openShop } from '../../packages/api/src/testing/shop.js'
import { openPeople } from './customers.js'
import { openHosts } from './hosts.js'
import { judge } from './judge.js'
import { seeded } from './random.js'
import { judgeViews } from './views.js'
import { openWorld, type World } from './world.js'

const minute = 60_000
const hour = 60 * minute

/** `npm test` lives a quarter; `npm run soak` a year of 200 customers and 2,000 orders. */
const whole = process.env['SIMULATION'] === 'year'
const size = whole ? { customers: 200, orders: 2000, days: 365 } : { customers: 30, orders: 150, days: 100 }
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)

async function booksAreClean(world: World): Promise<void> {
  const faults = (await verifyBooks(world.db, world.now(), 'moved')).flatMap(({ name, faults: found }) =>
    found.map((fault) => `${name}: ${fault}`),
  )
  expect(faults, `at ${world.now().toISOString()}`).toEqual([])
}

test(
  `${size.days} days of a shop, ${size.customers} customers, ${size.orders} orders, two processes (SEED=${seed})`,
  { timeout: whole ? 3 * 3_600_000 : 900_000 },
  async () => {
    const random = seeded(seed)
    const world = await openWorld()
    const shop = await openShop(world.floor)
    const hosts = await openHosts(world, shop, random, whole ? 6 : 3, whole ? 200 : 60)
    try {
      const people = openPeople(world, shop, random)
      await people.moveIn(size.customers)
      const { acts } = people
      const ends = world.now().getTime() + size.days * 24 * hour
      const perHour = size.orders / (size.days * 24)
      let ordered = 0
      let owed = 0

      /** Everybody acts at once. */
      const minutes = async () => {
        await hosts.elapse()
        await world.sweepTogether()
        await hosts.work()
        world.advance(random.between(1, 4) * minute)
      }

      for (let step = 0; world.now().getTime() < ends; step++) {
        const hours = random.chance(0.01) ? random.between(24, 120) : random.between(1, 16)
        // Set back a little at times, as time servers do.
        world.advance(random.chance(0.03) ? -10 * minute : hours * hour + random.between(0, 59) * minute)
        if (random.chance(0.05)) hosts.misfortune()
        await minutes()
        for (owed += perHour * hours; owed >= 1 && ordered < size.orders; owed--) if (await acts.order()) ordered++
        if (random.chance(0.5)) await acts.recharge()
        if (random.chance(0.2)) await acts.recharge()
        for (const act of ['cancel', 'renew', 'leave', 'upgrade', 'askForRefund', 'administer'] as const)
          if (random.chance(0.15)) await acts[act]()
        for (let used = random.between(0, 6); used > 0; used--) await acts.use()
        if (random.chance(0.15)) await acts.decideRefunds()
        if (random.chance(0.2)) await acts.migrate()
        if (random.chance(0.02)) await acts.changePrices()
        if (random.chance(0.02)) {
          const lost = await hosts.burn(people.administrator())
          if (lost) await acts.clearLost(lost)
        }
        if (random.chance(0.1)) await hosts.replace(people.administrator())
        await acts.retry()
        for (let again = 0; again < 3; again++) await minutes()
        if (step % 25 === 0) await booksAreClean(world)
      }

      // The dust settles: hosts are there, every try is over, nothing is open.
      hosts.recover()
      await hosts.replace(people.administrator())
      for (let again = 0; again < 8; again++) {
        await minutes()
        await acts.retry()
        world.advance(11 * minute)
      }
      await hosts.elapse()
      await world.sweepTogether()
      // What the last look ended is cleaned up, too, though a host fails at it.
      for (let again = 0; again < 3; again++) {
        await hosts.work()
        await hosts.elapse()
      }
      await booksAreClean(world)

      const { faults, counts } = await judge(world)
      const troubles = world.troubles().filter((line) => !line.includes('"level":30'))
      console.log(
        JSON.stringify({
          seed,
          ordered,
          ...counts,
          ...hosts.happened,
          ...people.settledLost,
          ...(await countMigrations(world)),
          refused: Object.fromEntries(people.refused),
        }),
      )
      expect(troubles, troubles.slice(0, 3).join('\n')).toEqual([])
      expect(faults, faults.slice(0, 3).join('\n')).toEqual([])
      await expectMachinesToFitOrders(world, await hosts.machines())
      await expectMoneyToAddUp(world, people.credited())
      expect(await judgeViews(world)).toEqual([])
      const open = await unexplained(world)
      expect(open, open.join('\n')).toEqual([])
      for (const event of ['order.renew', 'order.suspend', 'order.expire', 'order.cancel'])
        expect(counts[`timer: ${event}`], event).toBeGreaterThan(0)
      expect(counts['reminder']).toBeGreaterThan(0)
      const { arrived, open: unended } = await countMigrations(world)
      expect(arrived, 'migrations that came about').toBeGreaterThan(0)
      expect(unended, 'migrations without an end').toBe(0)
      const unusable = await people.tryEverything(async () => {
        for (let again = 0; again < 2; again++) {
          await hosts.elapse()
          await hosts.work()
        }
      })
      expect(unusable, unusable.join('\n')).toEqual([])
      await booksAreClean(world)
    } finally {
      hosts.close()
      await world.close()
    }
  },
)

async function countMigrations(world: World) {
  const rows = await world.db.selectFrom('cold_migrations').select('stage').execute()
  const count = (...stages: string[]) => rows.filter(({ stage }) => stages.includes(stage)).length
  return { arrived: count('DONE'), stayed: count('FAILED'), open: rows.length - count('DONE', 'FAILED') }
}

/**
 * Each living order has one machine, off where it is suspended, else on unless its owner's stop was the last that
 * concerned its power; and no other is left.
 */
async function expectMachinesToFitOrders(world: World, machines: { uuid: string; power: string }[]) {
  const living = await world.db
    .selectFrom('orders as o')
    .select(['o.server_id as serverId', 'o.status'])
    .select(({ selectFrom }) =>
      selectFrom('jobs as j')
        .select(
          sql<string>`case when j.kind = 'stop' and not j.payload @> '{"staysOff": true}' then 'off' else 'on' end`.as(
            'power',
          ),
        )
        .whereRef('j.server_id', '=', 'o.server_id')
        .where('j.status', '=', 'SUCCEEDED')
        .where((eb) =>
          eb.or([
            eb('j.kind', 'in', ['install', 'reinstall', 'start', 'stop', 'restart', 'restore']),
            eb('j.kind', 'in', ['enterRescue', 'leaveRescue']),
            sql<boolean>`j.payload->>'boots' = 'true' or j.payload->>'byRestart' = 'true'`,
          ]),
        )
        // By the real clock; the shop's is set back at times.
        .orderBy('j.id', 'desc')
        .limit(1)
        .as('power'),
    )
    .where('o.status', 'in', ['ACTIVE', 'SUSPENDED'])
    .execute()
  const there = new Map(machines.map(({ uuid, power }) => [uuid, power]))
  expect(there.size).toBe(machines.length)
  const wrong: string[] = []
  for (const { serverId, status, power } of living) {
    const [is, should] = [there.get(serverId!) ?? 'absent', status === 'ACTIVE' ? power : 'off']
    there.delete(serverId!)
    if (is !== should) wrong.push(`${is} instead of ${should} (${status}): ${await lastJobs(world, serverId!)}`)
  }
  expect(wrong, wrong.join('\n')).toEqual([])
  expect([...there.keys()]).toEqual([])
}

async function lastJobs({ db }: World, serverId: string): Promise<string> {
  const jobs = await db
    .selectFrom('jobs')
    .selectAll()
    .where('server_id', '=', serverId)
    .orderBy('id', 'desc')
    .limit(12)
    .execute()
  const words = jobs.map(
    (job) => `${job.kind} ${job.status}${job.asked_by ? ' by hand' : ''} (${job.attempt}) ${job.error ?? ''}`,
  )
  return [serverId, ...words].join(' < ')
}

/**
 * What no job explains and an operator would have to look after. (An agent that speaks although it was taken over is
 * one; here that is done on purpose. Whoever asked for a migration that failed may ask again, or not.)
 */
async function unexplained(world: World): Promise<string[]> {
  const open = await world.db
    .selectFrom('findings')
    .select(['kind', 'subject', 'details'])
    .where('resolved_at', 'is', null)
    .where('kind', 'not in', ['second-agent', 'failed-migration'])
    // What was asked last is told by the shop's clock, which the simulation sets back.
    .where(
      sql<boolean>`not (kind = 'changed-autostart' and exists (select from jobs j join jobs later on later.server_id = j.server_id
        where j.server_id::text = subject and later.id > j.id and later.created_at < j.created_at))`,
    )
    .execute()
  return Promise.all(
    open.map(async ({ kind, subject, details }) => {
      const isServer = /^[\da-f-]{36}$/.test(subject)
      return `${kind} ${JSON.stringify(details)} of ${isServer ? await lastJobs(world, subject) : subject}`
    }),
  )
}

/** What was paid in is what the wallets hold and the orders took. */
async function expectMoneyToAddUp(world: World, creditedFen: number) {
  const sum = (query: { total: number | string | null } | undefined) => Number(query?.total ?? 0)
  const wallets = await world.db
    .selectFrom('wallets')
    .select((eb) => eb.fn.sum<number>('balance_fen').as('total'))
    .executeTakeFirst()
  const spent = await world.db
    .selectFrom('ledger_entries')
    .select((eb) => eb.fn.sum<number>('amount_fen').as('total'))
    .where('type', 'in', ['ORDER_PAYMENT', 'REFUND'])
    .executeTakeFirst()
  expect(sum(wallets)).toBe(creditedFen + sum(spent))
}
