import { graceHours } from '@vps/shared/deadlines'
import { remindedPeriods, reminderDays } from '@vps/shared/orders'
import * as text from '@vps/shared/text'
import { sql } from 'kysely'
import type { World } from './world.js'

type Event = { id: string; order: string; action: string; at: Date; kind: string; details: { reason?: string } }
type Period = { starts_at: Date; ends_at: Date; paid_fen: number }
type Stay = { end: Date; from: Date; to: Date }

const hour = 3600_000
const day = 24 * hour

/**
 * Holds the audit log against the rules, written a second time: each event in a state that allows it, not before it is
 * due, at the timers' first look after. Gives faults as sentences, and counts.
 */
export async function judge(world: World): Promise<{ faults: string[]; counts: Record<string, number> }> {
  const faults: string[] = []
  const counts: Record<string, number> = {}
  const count = (what: string) => (counts[what] = (counts[what] ?? 0) + 1)
  const { rounds } = world
  const orders = await world.db.selectFrom('orders').selectAll().execute()
  const events = await readEvents(world)
  const periods = await readPeriods(world)
  const entries = await readRenewalEntries(world)
  const mails = await readMails(world)
  const reminders = await readReminders(world)
  const upgrades = await readUpgrades(world)

  for (const order of orders) {
    const wrong = (what: string) => void faults.push(`${order.number} (${order.status}): ${what}`)
    const paid = periods.get(order.id) ?? []
    const stays: Stay[] = []
    let state = 'BEFORE'
    let end = new Date(0)
    let since = new Date(0)
    let sinceMs = 0
    let reason: string | undefined
    let renewals = 0
    let suspensions = 0
    let refundWaits = false

    const onTime = (event: Event, ends: Date) => {
      // A renewal waits for an upgrade that is under way.
      const grown = (upgrades.get(order.id) ?? []).filter(({ from, to }) => from <= event.at && to > ends)
      const due = new Date(Math.max(+ends, ...grown.map(({ to }) => +to)))
      if (event.at < ends) wrong(`${event.action} at ${event.at.toISOString()}, due only at ${ends.toISOString()}`)
      // The injected clock is set back at times: "first" is by the real one.
      const look = rounds.find((round) => round.endedMs > sinceMs && round.at >= due)
      if (!look || realMs(event) > look.endedMs)
        wrong(`${event.action} at ${event.at.toISOString()}, although it was due at ${due.toISOString()}`)
    }
    const enter = (next: string, event: Event) => {
      if (state === 'ACTIVE') stays.push({ end, from: since, to: event.at })
      state = next
      since = event.at
      sinceMs = realMs(event)
    }

    for (const event of events.get(order.id) ?? []) {
      if (event.kind === 'timer' || event.action === 'order.active') count(`${event.kind}: ${event.action}`)
      switch (event.action) {
        case 'order.active':
          if (state !== 'BEFORE') wrong('became active twice')
          enter('ACTIVE', event)
          end = paid[0]!.ends_at
          break
        case 'order.renew': {
          renewals++
          const period = paid[renewals]
          if (!period) wrong('was renewed without a period')
          else if (
            period.starts_at.getTime() !== end.getTime() &&
            !(period.starts_at >= end && +period.starts_at === +event.at)
          )
            wrong('a renewal begins neither at the old end nor now')
          if (state !== 'ACTIVE' && state !== 'SUSPENDED') wrong(`was renewed while ${state}`)
          if (event.kind === 'timer' && state === 'ACTIVE') onTime(event, end)
          if (event.kind === 'timer' && refundWaits) wrong('was renewed by itself while its money was asked back')
          if (event.kind === 'timer' && state === 'SUSPENDED' && reason !== 'unpaid')
            wrong('money alone brought it back')
          if (state === 'SUSPENDED' && +event.at >= +end + graceHours * hour) wrong('was renewed after its grace time')
          enter('ACTIVE', event)
          end = period?.ends_at ?? end
          break
        }
        case 'order.suspend':
          suspensions++
          if (state !== 'ACTIVE') wrong(`was suspended while ${state}`)
          reason = event.details.reason
          if (event.kind === 'timer') onTime(event, end)
          enter('SUSPENDED', event)
          break
        case 'order.resume':
          if (state !== 'SUSPENDED' || event.at >= end) wrong('was resumed although it is over')
          enter('ACTIVE', event)
          break
        case 'order.expire':
          if (state !== 'SUSPENDED') wrong(`expired while ${state}`)
          onTime(event, new Date(+end + graceHours * hour))
          enter('EXPIRED', event)
          break
        case 'order.cancel':
          enter('CANCELLED', event)
          break
        case 'refund.request':
          refundWaits = true
          break
        case 'refund.reject':
          refundWaits = false
          break
        case 'refund.approve':
          if (!refundWaits && event.details.reason !== text.hostBroke) wrong('was refunded unasked')
          refundWaits = false
          // What expired while it waited is paid back as it is.
          if (state !== 'EXPIRED') enter('CANCELLED', event)
          break
      }
    }
    if (state === 'ACTIVE') stays.push({ end, from: since, to: world.now() })
    if (state !== 'BEFORE' && state !== order.status) wrong(`its history says ${state}`)
    if (state !== 'BEFORE' && paid.length > 0 && paid.length !== renewals + 1)
      wrong(`${renewals} renewals, ${paid.length} periods`)
    const charged = paid.slice(1).filter((period) => period.paid_fen > 0).length
    if ((entries.get(order.id) ?? 0) !== charged)
      wrong(`${charged} renewals cost something, ${entries.get(order.id) ?? 0} were charged`)
    if (state === 'ACTIVE' && end <= world.now()) wrong('is over and still active')
    if (state === 'SUSPENDED' && +end + graceHours * hour <= +world.now())
      wrong('is past its grace time and still there')

    const told = mails.get(order.id) ?? []
    const ofKind = (...templates: string[]) => told.filter((mail) => templates.includes(mail.template)).length
    if (ofKind('renewalFailed', 'orderSuspended') < suspensions) wrong('was suspended without a word')
    if (ofKind('orderExpired') !== (state === 'EXPIRED' ? 1 : 0)) wrong('its expiry was not told exactly once')

    const reminded = told
      .filter((mail) => mail.template === 'orderExpiring')
      .map((mail) => `${mail.expiresAt} ${mail.days}`)
    if (new Set(reminded).size !== reminded.length) wrong('was reminded twice of the same')
    const written = reminders.get(order.id) ?? new Map<string, boolean>()
    for (const [key, sent] of written) {
      count('reminder')
      if (sent !== reminded.includes(key)) wrong(`reminder ${key} is written as ${sent ? 'sent' : 'overtaken'}`)
    }
    if (reminded.some((key) => !written.has(key))) wrong('a reminder was sent that is not written down')
    if (!(remindedPeriods as string[]).includes(order.period)) {
      if (reminded.length > 0) wrong('was reminded although its period is short')
      continue
    }
    for (const stay of stays) {
      for (const days of reminderDays) {
        const looked = rounds.some(
          ({ at }) => at > stay.from && at < stay.to && +at >= +stay.end - days * day && at < stay.end,
        )
        if (looked && !written.has(`${stay.end.toISOString()} ${days}`))
          wrong(`no reminder ${days} days before ${stay.end.toISOString()}`)
      }
    }
  }
  return { faults, counts }
}

/** Version 7 ids begin with the real time in milliseconds. */
const realMs = (event: Event) => Number.parseInt(event.id.replace('-', '').slice(0, 12), 16)

function group<Row, Value>(
  rows: readonly Row[],
  key: (row: Row) => string,
  value: (row: Row) => Value,
): Map<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), value(row)])
  return groups
}

async function readEvents(world: World): Promise<Map<string, Event[]>> {
  // Ids grow with real time; the injected clock also jumps back.
  const { rows } =
    await sql<Event>`select id, subject_id as "order", action, at, actor_kind as kind, details from audit_log
    where subject_kind = 'order' order by id`.execute(world.db)
  return group(
    rows,
    (row) => row.order,
    (row) => row,
  )
}

async function readPeriods(world: World): Promise<Map<string, Period[]>> {
  const rows = await world.db.selectFrom('order_periods').selectAll().orderBy('order_id').orderBy('seq').execute()
  return group(
    rows,
    (row) => row.order_id,
    (row) => row,
  )
}

async function readRenewalEntries(world: World): Promise<Map<string, number>> {
  const { rows } = await sql<{ order_id: string; n: number }>`select order_id, count(*)::int as n from ledger_entries
    where type = 'ORDER_PAYMENT' and reference like 'order:%:renew:%' group by order_id`.execute(world.db)
  return new Map(rows.map((row) => [row.order_id, row.n]))
}

async function readUpgrades(world: World): Promise<Map<string, { from: Date; to: Date }[]>> {
  const rows = await world.db.selectFrom('order_upgrades').select(['order_id', 'created_at', 'finished_at']).execute()
  return group(
    rows,
    (row) => row.order_id,
    (row) => ({ from: row.created_at, to: row.finished_at ?? world.now() }),
  )
}

type Told = { template: string; orderId: string; days?: number; expiresAt?: string }

async function readMails(world: World): Promise<Map<string, Told[]>> {
  const { rows } = await sql<{
    payload: Told
  }>`select payload from graphile_worker._private_jobs where payload->>'template' is not null`.execute(world.db)
  return group(
    rows,
    (row) => row.payload.orderId,
    (row) => row.payload,
  )
}

async function readReminders(world: World): Promise<Map<string, Map<string, boolean>>> {
  const rows = await world.db.selectFrom('order_reminders').selectAll().execute()
  const keys = group(
    rows,
    (row) => row.order_id,
    (row) => [`${row.expires_at.toISOString()} ${row.days}`, row.sent] as const,
  )
  return new Map([...keys].map(([order, list]) => [order, new Map(list)]))
}
