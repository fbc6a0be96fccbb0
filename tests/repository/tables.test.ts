import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/run-command.js'

/** Which folder of the API writes a table; others ask it. `base` are the files beside the folders. */
const owners: Record<string, string> = {
  addresses: 'fleet',
  alert_opt_outs: 'alerts',
  alerts: 'alerts',
  announcements: 'announcements',
  audit_log: 'audit',
  backup_checks: 'backups',
  backup_repositories: 'backups',
  backup_schedules: 'backups',
  backups: 'backups',
  categories: 'catalogue',
  cold_migrations: 'servers',
  connection_tests: 'servers',
  dedicated_servers: 'servers',
  email_changes: 'accounts',
  evacuations: 'orders',
  findings: 'findings',
  firewalls: 'servers',
  host_groups: 'fleet',
  host_heartbeats: 'fleet',
  host_ip_pools: 'fleet',
  hosts: 'fleet',
  hour_means: 'metrics',
  idempotency_keys: 'base',
  images: 'catalogue',
  incident_updates: 'status',
  incidents: 'status',
  ip_pools: 'fleet',
  jobs: 'jobs',
  ledger_entries: 'wallet',
  machine_secrets: 'secrets',
  mails: 'mail',
  metric_levels: 'metrics',
  migration_checksums: 'db',
  minute_means: 'metrics',
  order_periods: 'orders',
  order_reminders: 'orders',
  order_upgrades: 'orders',
  orders: 'orders',
  password_resets: 'accounts',
  past_addresses: 'fleet',
  payment_trades: 'payments',
  payments: 'payments',
  placements: 'fleet',
  price_groups: 'catalogue',
  quarter_means: 'metrics',
  rate_limits: 'base',
  refund_requests: 'orders',
  remote_consoles: 'remote',
  request_minutes: 'operations',
  samples: 'metrics',
  second_factors: 'accounts',
  server_groups: 'catalogue',
  server_metrics: 'servers',
  servers: 'servers',
  service_days: 'status',
  reverse_dns: 'reverse-names',
  reverse_names: 'reverse-names',
  rescues: 'servers',
  inserted_isos: 'servers',
  sessions: 'accounts',
  settings: 'jobs',
  site_settings: 'site',
  snapshots: 'servers',
  ssh_keys: 'accounts',
  tenancies: 'servers',
  traffic_months: 'servers',
  user_notes: 'accounts',
  users: 'accounts',
  wallets: 'wallet',
}

const source = path.join(root, 'packages/api/src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !/\.test\.ts$|\.generated\.ts$|^testing\//.test(name),
)
const schema = readFileSync(path.join(root, 'database/schema.sql'), 'utf8')

const migrations = readdirSync(path.join(root, 'migrations'))
  .filter((name) => name.endsWith('.sql'))
  .map((name) => readFileSync(path.join(root, 'migrations', name), 'utf8'))
  .join('\n')

const byBuilder = /(?:\.(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)|\binsertRow)\(\s*['"`](\w+)/g
const bySql =
  /\b(?:insert\s+into|delete\s+from|truncate(?:\s+table)?|merge\s+into)\s+(?:only\s+)?(?:public\.)?(\w+)|\bupdate\s+(?:only\s+)?(?:public\.)?(\w+)(?:\s+(?:as\s+)?(?!set\b)\w+)?\s+set\b/gi

/** By Kysely or by SQL. */
const writtenBy = (text: string): string[] => [
  ...new Set([...text.matchAll(byBuilder), ...text.matchAll(bySql)].map((match) => match[1] ?? match[2]!)),
]

const folderOf = (file: string) => (file.includes('/') ? file.split('/')[0]! : 'base')

test('every table is written by the one folder that owns it', () => {
  const strangers = files.flatMap((file) =>
    writtenBy(readFileSync(path.join(source, file), 'utf8'))
      .filter((table) => owners[table] !== folderOf(file))
      .map((table) => `${file} writes ${table}, which is ${owners[table] ?? 'nobody'}’s`),
  )
  expect(strangers).toEqual([])
})

test('the list names every table of the database, and no other', () => {
  const tables = [...schema.matchAll(/^create table (\w+)/gm)].map((match) => match[1]!)
  expect(tables.length).toBeGreaterThan(30)
  // The migrations' own notes are not described.
  expect(Object.keys(owners).toSorted()).toEqual([...tables, 'migration_checksums'].toSorted())
})

test('a trigger writes only tables of the folder whose table it stands on', () => {
  const functions = new Map(
    [...schema.matchAll(/create or replace function public\.(\w+)\([^)]*\)[\s\S]*?as \$(\w*)\$([\s\S]*?)\$\2\$/gi)].map(
      (match) => [match[1]!, writtenBy(match[3]!)],
    ),
  )
  const triggers = [
    ...migrations.matchAll(/create (?:constraint )?trigger \w+[^;]*?\bon (\w+)[^;]*?execute function (\w+)\(/gi),
  ].map((match) => ({ table: match[1]!, writes: functions.get(match[2]!) ?? [] }))
  expect(triggers.flatMap(({ writes }) => writes)).toEqual(expect.arrayContaining(['hosts', 'wallets']))
  expect(triggers.filter(({ table, writes }) => writes.some((other) => owners[other] !== owners[table]))).toEqual([])
})

test('a door reads and writes no table', () => {
  const asking = /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(?:<[^`]*>)?`/
  expect(
    files.filter((file) => file.startsWith('http/') && asking.test(readFileSync(path.join(source, file), 'utf8'))),
  ).toEqual([])
})
