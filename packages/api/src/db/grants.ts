import { sql, type QueryExecutorProvider } from 'kysely'
import { must } from '../must.js'

/**
 * The application's role owns nothing and reads and writes rows, in some tables less: it changes neither schema nor
 * what was done and paid (migrations/0020_kept_records.sql).
 */

type Right = 'select' | 'insert' | 'update' | 'delete'
type Relation = { schema: string; name: string; kind: string }

const all: readonly Right[] = ['select', 'insert', 'update', 'delete']
const writtenOnce: readonly Right[] = ['select', 'insert']
const neverRemoved: readonly Right[] = ['select', 'insert', 'update']
const exceptions: Record<string, readonly Right[]> = {
  audit_log: writtenOnce,
  evacuations: writtenOnce,
  ledger_entries: writtenOnce,
  order_periods: writtenOnce,
  past_addresses: writtenOnce,
  payment_trades: writtenOnce,
  site_settings: writtenOnce,
  user_notes: writtenOnce,
  incident_updates: writtenOnce,
  incidents: neverRemoved,
  orders: neverRemoved,
  order_upgrades: neverRemoved,
  payments: neverRemoved,
  refund_requests: neverRemoved,
  tenancies: neverRemoved,
  wallets: neverRemoved,
  migration_checksums: ['select'],
  kysely_migration: [],
  kysely_migration_lock: [],
  'graphile_worker.migrations': ['select'],
}

/** What the application may do with a table, view or sequence. */
export function rightsOn({ schema, name, kind }: Relation): readonly (Right | 'usage')[] {
  if (kind === 'S') return ['usage', 'select']
  if (kind === 'v') return ['select']
  return exceptions[schema === 'public' ? name : `${schema}.${name}`] ?? all
}

/** The job library's too. After every migration, in a transaction, one process at a time; repeatable. */
export async function grantRows(tx: QueryExecutorProvider, role: string): Promise<void> {
  await sql`grant usage on schema public, graphile_worker to ${sql.id(role)}`.execute(tx)
  await grantTables(tx, role)
  // The job library hides its rows from all but their owner.
  for (const { schema, name } of await hiddenFrom(tx, role))
    await sql`create policy ${sql.id(role)} on ${sql.id(schema, name)} to ${sql.id(role)} using (true)`.execute(tx)
}

/** Exactly these rights on what the caller's role owns; touches no others. */
export async function grantTables(tx: QueryExecutorProvider, role: string): Promise<void> {
  for (const relation of await ownRelations(tx, role)) {
    const rights = rightsOn(relation)
    if (rights.toSorted().join() === relation.granted.toSorted().join()) continue
    const what = sql`${sql.raw(relation.kind === 'S' ? 'sequence' : 'table')} ${sql.id(relation.schema, relation.name)}`
    await sql`revoke all on ${what} from ${sql.id(role)}`.execute(tx)
    if (rights.length > 0) await sql`grant ${sql.raw(rights.join(', '))} on ${what} to ${sql.id(role)}`.execute(tx)
  }
}

type Owned = Relation & { granted: string[] }

async function ownRelations(db: QueryExecutorProvider, role: string): Promise<Owned[]> {
  const { rows } = await sql<Owned>`
    select n.nspname as schema, c.relname as name, c.relkind as kind,
      array(select lower(a.privilege_type) from aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee where r.rolname = ${role}) as granted
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'graphile_worker') and c.relkind in ('r', 'p', 'v', 'S') and not c.relispartition and pg_has_role(c.relowner, 'usage')
    order by 1, 2`.execute(db)
  return rows
}

async function hiddenFrom(db: QueryExecutorProvider, role: string): Promise<{ schema: string; name: string }[]> {
  const { rows } = await sql<{ schema: string; name: string }>`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relrowsecurity and n.nspname = 'graphile_worker'
      and not exists (select 1 from pg_policy p where p.polrelid = c.oid and p.polname = ${role})`.execute(db)
  return rows
}

/** Such a role migrates; what it lacks is for it to decide. */
export async function mayChangeSchema(db: QueryExecutorProvider): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select coalesce((select pg_has_role(relowner, 'member') from pg_class where oid = to_regclass('public.migration_checksums')),
      has_schema_privilege('public', 'create')) as may`.execute(db)
  return must(rows[0]).may
}
