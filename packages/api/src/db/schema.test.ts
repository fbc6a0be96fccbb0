import { accountStatuses, roles } from '@vps/shared/accounts'
import { hypervisors } from '@vps/shared/agent'
import { announcementLevels } from '@vps/shared/announcements'
import { actorKinds } from '@vps/shared/audit'
import { migrationStages } from '@vps/shared/cold-migrations'
import { backupFrequencies, backupOrigins, repositoryProblems } from '@vps/shared/backups'
import { placementStrategies } from '@vps/shared/catalogue'
import { testFailures } from '@vps/shared/dedicated'
import { allFindingKinds } from '@vps/shared/findings'
import { hostStatuses } from '@vps/shared/hosts'
import { firmwares, imageKinds } from '@vps/shared/images'
import { jobKinds, jobStatuses, readinessKinds } from '@vps/shared/jobs'
import { timedRoutes } from '@vps/shared/latency'
import { alertKinds } from '@vps/shared/alerts'
import { mailStatuses, mailTemplates } from '@vps/shared/mails'
import { cancelCauses, orderStatuses, refundStatuses, reminderDays, suspendReasons } from '@vps/shared/orders'
import { paymentStatuses } from '@vps/shared/payments'
import { periods } from '@vps/shared/periods'
import { installStatuses, onlineStatuses, powers, serverDrivers } from '@vps/shared/servers'
import { remoteEndings, remoteKinds } from '@vps/shared/remote'
import { incidentStates } from '@vps/shared/status'
import { entryTypes } from '@vps/shared/wallet'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../testing/app.js'
import { wordColumns } from './words.js'

let app: TestApp
beforeAll(async () => void (app = await startApp()))
afterAll(() => app.close())

const lists: Record<string, readonly (string | number)[]> = {
  'alerts.kind': alertKinds,
  'announcements.level': announcementLevels,
  'audit_log.actor_kind': actorKinds,
  'backup_repositories.test_problem': repositoryProblems,
  'backup_schedules.frequency': backupFrequencies,
  'backups.origin': backupOrigins,
  'cold_migrations.stage': migrationStages,
  'dedicated_servers.initial_status': onlineStatuses,
  'dedicated_servers.test_failure': testFailures,
  'findings.kind': allFindingKinds,
  'hosts.hypervisor': hypervisors,
  'hosts.status': hostStatuses,
  'images.firmware': firmwares,
  'images.kind': imageKinds,
  'images.readiness': readinessKinds,
  'incident_updates.state': incidentStates,
  'jobs.kind': jobKinds,
  'jobs.status': jobStatuses,
  'ledger_entries.type': entryTypes,
  'mails.status': mailStatuses,
  'mails.template': mailTemplates,
  'order_reminders.days': reminderDays,
  'orders.cancel_cause': cancelCauses,
  'orders.period': periods,
  'orders.status': orderStatuses,
  'orders.suspend_reason': suspendReasons,
  'payments.status': paymentStatuses,
  'refund_requests.status': refundStatuses,
  'remote_consoles.ended_why': remoteEndings,
  'remote_consoles.kind': remoteKinds,
  'request_minutes.door': timedRoutes,
  'server_groups.placement': placementStrategies,
  'servers.driver': serverDrivers,
  'servers.install_status': installStatuses,
  'servers.power': powers,
  'users.role': roles,
  'users.status': accountStatuses,
}

/** States that never leave the API: taken from the check itself. */
const inside = ['metric_levels.name', 'order_upgrades.status', 'payments.creation', 'placements.state']

test('what a column’s check accepts is what the contracts list, no more and no less', async () => {
  const { rows } = await sql<{ name: string; values: string[] }>`
    select c.conrelid::regclass || '.' || a.attname as name,
      array(select coalesce(m[1], m[2]) from regexp_matches(pg_get_constraintdef(c.oid), '''([^'']+)''::text|([0-9]+)', 'g') m) as values
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and c.conkey = array[a.attnum]
    where c.contype = 'c' and c.connamespace = 'public'::regnamespace
      and coalesce(col_description(a.attrelid, a.attnum), '') not like 'unused since %'
      and pg_get_constraintdef(c.oid) like 'CHECK ((' || a.attname || ' = ANY (ARRAY[%'`.execute(app.owner)
  const accepted = Object.fromEntries(rows.map(({ name, values }) => [name, values.toSorted()]))
  const listed = Object.entries(lists).map(([name, values]) => [name, values.map(String).toSorted()])
  expect(accepted).toEqual({
    ...Object.fromEntries(listed),
    ...Object.fromEntries(inside.map((name) => [name, expect.any(Array)])),
  })
})

test('every check and unique constraint has a name that a person gave', async () => {
  const { rows } = await sql<{ name: string }>`select conrelid::regclass || ': ' || conname as name from pg_constraint
    where connamespace = 'public'::regnamespace and contype in ('c', 'u') and conname ~ '_(check|key)[0-9]*$'`.execute(
    app.owner,
  )
  expect(rows.filter(({ name }) => !/^(kysely_|migration_)/.test(name))).toEqual([])
})

test('an amount beyond the safe integers is an error, and never a rounded number', async () => {
  const read = (amount: string) => sql<{ fen: number }>`select ${amount}::bigint as fen`.execute(app.db)
  expect((await read('9007199254740991')).rows).toEqual([{ fen: Number.MAX_SAFE_INTEGER }])
  await expect(read('9007199254740993')).rejects.toThrow('int8 beyond the safe range: 9007199254740993')
  await expect(read('-9007199254740993')).rejects.toThrow('int8 beyond the safe range')
})

test('the columns whose words stand in statements are those that partial indexes compare with words', async () => {
  const { rows } = await sql<{ name: string; predicate: string }>`
    select c.relname as name, pg_get_expr(i.indpred, i.indrelid) as predicate from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indpred is not null and c.relnamespace = 'public'::regnamespace`.execute(app.owner)
  const compared = rows.flatMap(({ predicate }) =>
    [...predicate.matchAll(/(\w+) (?:=|<>) (?:'|ANY|ALL)/g)].map(([, column]) => column),
  )
  expect(new Set(compared)).toEqual(wordColumns)
})

test('and only words that a check allows are kept in them, so that the statements stay few', async () => {
  const { rows } = await sql<{ column: string; allowed: boolean }>`
    select c.relname || '.' || a.attname as "column", exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c'
      and k.conkey = array[a.attnum] and pg_get_constraintdef(k.oid) like '%' || a.attname || ' = ANY (ARRAY[%') as allowed
    from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and a.attname in (${sql.join([...wordColumns])})`.execute(
    app.owner,
  )
  expect(rows.length).toBeGreaterThan(wordColumns.size)
  expect(rows.filter((row) => !row.allowed)).toEqual([])
})
