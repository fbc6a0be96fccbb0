import { graceHours, setUpMinutes, unpaidHours } from '@vps/shared/deadlines'
import { openJobStatuses } from '@vps/shared/jobs'
import { endedStatuses, livingStatuses, servedStatuses, setUpStatuses } from '@vps/shared/orders'
import { words } from '../db/words.js'

const living = words(livingStatuses)

/** Waits for an operator. */
const onLostHost = `exists (select from placements p join hosts h on h.id = p.host_id
  where p.server_id = orders.server_id and p.state = 'held' and h.status = 'LOST')`

/** Of one that was lost: its grace time begins anew. */
const hostsReturn = `(select max(f.resolved_at) from placements p join findings f on f.host_id = p.host_id
  where p.server_id = orders.server_id and f.kind = 'lost-servers' and p.created_at <= f.resolved_at
    and coalesce(coalesce(p.releasing_at, p.freed_at) > f.resolved_at, true))`

/** Place `p` was to take a server, and did not in the end. */
const isBackFrom = `exists (select from cold_migrations back where back.to_id = p.id and back.stage in ('RETURNING', 'FAILED'))`

/** Must always hold. Each statement gives a row per fault, `fault` being the operator's sentence; `$1` is now. */
export const checks: readonly { name: string; sql: string; byDatabaseClock?: true }[] = [
  {
    name: 'every wallet equals its ledger',
    sql: `select format('the wallet of %s holds %s fen, its ledger adds up to %s', u.username, w.balance_fen, coalesce(sum(e.amount_fen), 0)) as fault
      from wallets w join users u on u.id = w.user_id left join ledger_entries e on e.wallet_id = w.id
      group by w.id, u.username having w.balance_fen <> coalesce(sum(e.amount_fen), 0) or w.last_seq <> count(e.seq)`,
  },
  {
    name: 'every ledger is an unbroken chain',
    sql: `select format('entry %s (%s of the wallet of %s) does not continue the one before it', e.number, e.seq, u.username) as fault
      from (select *, lag(after_fen, 1, 0::bigint) over chain as was, row_number() over chain as place
        from ledger_entries window chain as (partition by wallet_id order by seq)) e join users u on u.id = e.user_id
      where e.before_fen <> e.was or e.seq <> e.place or e.after_fen <> e.before_fen + e.amount_fen or e.after_fen < 0`,
  },
  {
    name: 'every successful payment is credited exactly once, and no other',
    sql: `select format('payment %s (%s, %s fen) was credited %s times, %s fen in all', p.out_trade_no, p.status, p.money_fen, count(e.id), coalesce(sum(e.amount_fen), 0)) as fault
      from payments p left join ledger_entries e on e.payment_id = p.id and e.type = 'RECHARGE' group by p.id
      having count(e.id) <> (p.status = 'SUCCESS')::int or coalesce(sum(e.amount_fen), 0) <> case when p.status = 'SUCCESS' then p.money_fen else 0 end`,
  },
  {
    name: 'every charge belongs to a paid period',
    sql: `select format('order %s was charged %s fen for its periods, which cost %s', o.number, charged.fen, cost.fen) as fault
      from orders o
      cross join lateral (select coalesce(-sum(e.amount_fen), 0) as fen from ledger_entries e where e.order_id = o.id
        and e.type = 'ORDER_PAYMENT' and e.reference like 'order:%') charged
      cross join lateral (select coalesce(sum(p.paid_fen), case when o.paid_at is null then 0 else o.paid_fen end, 0) as fen
        from order_periods p where p.order_id = o.id) cost
      where charged.fen <> cost.fen`,
  },
  {
    name: 'every upgrade is charged once, and given back once where it did not happen',
    sql: `select format('upgrade %s of order %s (%s) costs %s fen, but %s fen were charged and %s fen given back', up.id, o.number, up.status, up.charge_fen, charged.fen, back.fen) as fault
      from order_upgrades up join orders o on o.id = up.order_id
      cross join lateral (select coalesce(-sum(amount_fen), 0) as fen from ledger_entries where type = 'ORDER_PAYMENT' and reference = 'upgrade:' || up.id) charged
      cross join lateral (select coalesce(sum(amount_fen), 0) as fen from ledger_entries where type = 'REFUND' and reference = 'upgrade:' || up.id) back
      where charged.fen <> up.charge_fen or back.fen <> case when up.status = 'REVERSED' then up.charge_fen else 0 end`,
  },
  {
    name: 'what did not come up was refunded in full, once',
    sql: `select format('order %s was cancelled after %s fen were paid, and %s fen were given back', o.number, o.paid_fen, back.fen) as fault
      from orders o cross join lateral (select coalesce(sum(amount_fen), 0) as fen from ledger_entries e
        where e.order_id = o.id and e.type = 'REFUND' and e.reference not like 'upgrade:%') back
      where o.paid_at is not null and o.activated_at is null and o.status = 'CANCELLED' and back.fen <> o.paid_fen`,
  },
  {
    name: 'nothing else is refunded but what an administrator approved',
    sql: `select format('%s fen of order %s (%s) were given back without an approved request', e.amount_fen, o.number, o.status) as fault
      from ledger_entries e join orders o on o.id = e.order_id where e.type = 'REFUND' and e.reference not like 'upgrade:%' and e.reference not like 'evacuation:%'
      and not (o.status = 'CANCELLED' and o.activated_at is null and e.reference = 'order:' || o.id || ':1')
      and not exists (select from refund_requests r where r.order_id = o.id and r.status = 'APPROVED' and r.refunded_fen = e.amount_fen)
      union all select format('the refund of order %s was approved, but %s fen were given back instead of %s', o.number, coalesce(e.amount_fen, 0), r.refunded_fen)
      from refund_requests r join orders o on o.id = r.order_id left join ledger_entries e on e.type = 'REFUND' and e.reference = 'order:' || o.id || ':refund'
      where r.status = 'APPROVED' and (o.status not in (${words(endedStatuses)}) or coalesce(e.amount_fen, 0) <> coalesce(r.refunded_fen, 0))`,
  },
  {
    name: 'every evacuation gives back the time without a server, once',
    sql: `select format('order %s was evacuated by the job %s, and %s fen were given back for it instead of %s', o.number, z.job_id, coalesce(e.amount_fen, 0), coalesce(z.credited_fen, 0)) as fault
      from evacuations z full join (select * from ledger_entries where type = 'REFUND' and reference like 'evacuation:%') e
        on e.reference = 'evacuation:' || z.job_id and e.order_id = z.order_id
      join orders o on o.id = coalesce(z.order_id, e.order_id) where coalesce(e.amount_fen, 0) <> coalesce(z.credited_fen, 0)`,
  },
  {
    name: 'no order gives back more than it took',
    sql: `select format('order %s gave back %s fen more than was paid for it', o.number, sum(e.amount_fen)) as fault from ledger_entries e
      join orders o on o.id = e.order_id where e.type in ('ORDER_PAYMENT', 'REFUND') group by o.id having sum(e.amount_fen) > 0`,
  },
  {
    name: 'every paid order is being set up',
    sql: `select format('order %s is %s, but nothing is setting its server up', o.number, o.status) as fault from orders o
      where o.status in (${words(setUpStatuses)}) and not exists (select from jobs j join placements p on p.id = j.placement_id and p.state = 'held'
        where j.server_id = o.server_id and j.kind = 'install' and j.status in (${words(openJobStatuses)}))
      and exists (select from servers s where s.id = o.server_id and s.driver = 'kvm')`,
  },
  {
    name: 'every running order has its server in its place',
    sql: `select format('order %s is %s, but its server has no place', o.number, o.status) as fault from orders o join servers s on s.id = o.server_id
      where o.status in (${living}) and (s.released_at is not null or s.order_id is distinct from o.id
        or s.user_id is distinct from o.user_id or exists (select from dedicated_servers d where d.server_id = s.id and not d.is_sold)
        or s.driver = 'kvm' and not exists (select from placements p where p.server_id = s.id and p.state = 'held'))`,
  },
  {
    name: 'every order has its server for as long as it lives',
    sql: `select format('order %s is %s, but its time on its server is not right', o.number, o.status) as fault
      from orders o left join tenancies t on t.order_id = o.id and t.server_id = o.server_id
      where o.paid_at is not null and (t.order_id is null or (t.until_at is null) <> (o.status in (${living})))`,
  },
  {
    name: 'no ended order keeps a place',
    sql: `select format('order %s is %s, but its server still holds a place', o.number, o.status) as fault from orders o join servers s on s.id = o.server_id
      where o.status in (${words(endedStatuses)}) and s.driver = 'kvm'
      and (s.released_at is null or exists (select from placements p where p.server_id = s.id and p.state = 'held'))`,
  },
  {
    name: 'every place has the size of its order',
    sql: `select format('the place of order %s has %s cores, %s MB and %s GB, its order says %s, %s and %s', o.number, p.cpu_cores, p.memory_mb, p.disk_gb,
        o.cpu_cores, o.memory_gb * 1024, o.storage_gb) as fault
      from placements p join servers s on s.id = p.server_id join orders o on o.server_id = s.id
      where p.state = 'held' and o.status in (${living})
      and ((p.cpu_cores, p.memory_mb) <> (o.cpu_cores, o.memory_gb * 1024)
        or p.disk_gb <> o.storage_gb and not exists (select from order_upgrades up where up.order_id = o.id and up.status = 'REVERSED'
          and p.disk_gb between o.storage_gb and up.storage_gb))
      and not exists (select from order_upgrades up where up.order_id = o.id and (up.status = 'PENDING' or up.machine_larger))`,
  },
  {
    name: 'periods follow each other and end when their order does',
    sql: `select format('period %s of order %s begins before the one before it ends', p.seq, o.number) as fault
      from (select *, lag(ends_at) over one as was, row_number() over one as place from order_periods window one as (partition by order_id order by seq)) p
      join orders o on o.id = p.order_id where p.starts_at < p.was or p.seq <> p.place
      union all select format('order %s ends at %s, its last period at %s', o.number, o.expires_at, max(p.ends_at))
      from orders o left join order_periods p on p.order_id = o.id where o.activated_at is not null
      group by o.id having o.expires_at is distinct from max(p.ends_at)`,
  },
  {
    name: 'no address is used twice',
    // Dedicated servers may lie behind one, each at its port.
    sql: `select format('address %s is used %s times', host(a), count(*)) as fault
      from (select address as a from addresses where placement_id is not null
        union all select distinct ip from dedicated_servers) used group by a having count(*) > 1`,
  },
  {
    name: 'addresses belong to places that are in use, as many as were ordered',
    sql: `select format('address %s belongs to a place that was given up', host(a.address)) as fault
      from addresses a join placements p on p.id = a.placement_id where p.state = 'freed'
      union all select format('the place of order %s has %s addresses, %s were ordered', o.number, a.counted, o.ip_count)
      from placements p join orders o on o.server_id = p.server_id
        cross join lateral (select coalesce(nullif(count(*) filter (where family(address) = 4), 0), count(*)) as counted,
          count(*) as given from addresses n left join order_upgrades u on u.id = n.upgrade_id where n.placement_id = p.id
            and (u.id is null or u.status = 'DONE' or u.status = 'REVERSED' and not u.machine_larger and p.state = 'held')) a
      where p.state <> 'freed' and (a.counted > o.ip_count or a.given > o.ip_count + 1
        or p.state = 'standby' and a.given > 0
        or a.counted < o.ip_count and p.state <> 'standby' and not ${isBackFrom} and (p.state = 'held'
          or not exists (select from placements later where later.server_id = p.server_id and later.generation > p.generation)))`,
  },
  {
    name: 'a server has a second place for as long as it migrates',
    sql: `select format('server %s is %s, but its places are %s and %s', m.server_id, m.stage, f.state, t.state) as fault
      from cold_migrations m join placements f on f.id = m.from_id join placements t on t.id = m.to_id
      where m.ended_at is null and case m.stage when 'RESTORING' then (f.state, t.state) <> ('standby', 'held')
        when 'RETURNING' then f.state <> 'held' or t.state not in ('releasing', 'freed') else (f.state, t.state) <> ('held', 'standby') end
      union all select format('a place of server %s stands by for nothing', p.server_id) from placements p where p.state = 'standby'
        and not exists (select from cold_migrations m where m.ended_at is null and p.id in (m.from_id, m.to_id))`,
  },
  {
    name: 'no host is over its capacity',
    sql: `select format('host %s uses %s cores, %s MB and %s GB, and has %s, %s and %s', h.name, h.used_cpu, h.used_memory_mb, h.used_disk_gb,
        floor(h.cpu_cores * h.cpu_overcommit), h.memory_mb - h.reserved_memory_mb, h.disk_gb) as fault
      from hosts h where h.status not in ('LOST', 'RETIRED') and (h.used_cpu > h.cpu_cores * h.cpu_overcommit
        or h.used_memory_mb > greatest(h.memory_mb - h.reserved_memory_mb, 0) or h.used_disk_gb > h.disk_gb)`,
  },
  {
    name: 'what a host counts as used is what its places take',
    sql: `select format('host %s counts %s cores, %s MB and %s GB as used, its places take %s, %s and %s', h.name, h.used_cpu, h.used_memory_mb, h.used_disk_gb,
        p.cpu, p.memory, p.disk) as fault
      from hosts h cross join lateral (select coalesce(sum(cpu_cores), 0) as cpu, coalesce(sum(memory_mb), 0) as memory, coalesce(sum(disk_gb + snapshot_gb), 0) as disk
        from placements where host_id = h.id and state <> 'freed') p
      where (h.used_cpu, h.used_memory_mb, h.used_disk_gb) <> (p.cpu, p.memory, p.disk)`,
  },
  {
    name: 'what a place counts for snapshots is what its rows may take',
    sql: `select format('the place of server %s counts %s GB for snapshots, its rows say %s', p.server_id, p.snapshot_gb, n.disk) as fault
      from placements p cross join lateral (select coalesce(sum(disk_gb), 0) as disk from snapshots where placement_id = p.id) n
      where p.state = 'held' and p.snapshot_gb <> n.disk`,
  },
  {
    // The clean-up of a place that was given up with its lost host waits for that host's return.
    name: 'no job is open for a place that was given up',
    sql: `select format('job %s (%s) is %s for a place that was given up', j.id, j.kind, j.status) as fault
      from jobs j join placements p on p.id = j.placement_id where j.status in (${words(openJobStatuses)}) and (
        p.state <> 'held' and j.kind <> 'destroy' and (j.status = 'QUEUED' or not j.abort_requested)
        or p.state = 'freed' and p.destroyed_at is not null and not exists (select from hosts h where h.id = j.host_id and h.status in ('LOST', 'RETIRED')))`,
  },
  {
    name: 'everything that was due is done',
    sql: `select format('order %s has been %s past its time since %s: do the timers run?', number, status, due) as fault from (
        select number, status, case status when 'PENDING' then created_at + interval '${unpaidHours} h' when 'PAID' then paid_at + interval '${setUpMinutes} min'
          when 'PROCESSING' then paid_at + interval '${setUpMinutes} min' when 'ACTIVE' then expires_at when 'SUSPENDED' then greatest(expires_at, ${hostsReturn}) + interval '${graceHours} h' end as due
        from orders where status in ('PENDING', ${living}) and not (status in (${words(servedStatuses)}) and ${onLostHost})) o
      where due < $1::timestamptz - interval '1 h'`,
  },
  {
    name: 'no order was ended before its time, by the database’s clock',
    byDatabaseClock: true,
    sql: `select format('order %s was ended at %s (%s), its time was %s', number, written_at, what, due) as fault from (
        select o.number, a.written_at, a.action as what, case when o.status = 'EXPIRED' then o.expires_at + interval '${graceHours} h'
          when o.cancel_cause = 'unpaid' then o.created_at + interval '${unpaidHours} h' when o.cancel_cause = 'set-up-overdue' then o.paid_at + interval '${setUpMinutes} min' end as due
        from orders o join audit_log a on a.subject_kind = 'order' and a.subject_id = o.id::text and a.actor_kind = 'timer'
          and a.action in ('order.expire', 'order.cancel') where o.status in ('EXPIRED', 'CANCELLED')) e
      where written_at < due - interval '5 s'`,
  },
  {
    name: 'no server was wiped before its order’s grace time was over',
    byDatabaseClock: true,
    sql: `select format('the server of order %s was wiped at %s, its data were promised until %s', o.number, p.destroyed_at, o.expires_at + interval '${graceHours} h') as fault
      from orders o join placements p on p.server_id = o.server_id
      where o.status = 'EXPIRED' and p.destroyed_at < o.expires_at + interval '${graceHours} h' - interval '5 s' and not ${isBackFrom}
        and not exists (select from placements later where later.server_id = p.server_id and later.generation > p.generation)
      union all select format('the server of order %s was wiped at %s, and the order is %s', o.number, p.destroyed_at, o.status)
      from orders o join placements p on p.server_id = o.server_id
      where o.status in (${words(servedStatuses)}) and p.state = 'held' and p.destroyed_at is not null`,
  },
]
