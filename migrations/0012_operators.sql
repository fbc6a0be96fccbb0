-- Two operators editing the same record: the later save is refused and told what changed.
alter table hosts add column version integer not null default 1;
alter table ip_pools add column version integer not null default 1;
alter table servers add column version integer not null default 1;

-- What an inventory may find: also a domain that is there, but not as it was made.
alter table findings drop constraint findings_kind_check;
alter table findings add constraint findings_kind_check check (kind in
  ('stray-domain', 'stray-volume', 'missing-domain', 'changed-domain', 'second-agent', 'shrunk-host', 'other'));

-- A pool may lie on a bridge or VLAN of its own (null: the host's), and hand out only a part of its network.
alter table ip_pools
  add column bridge text,
  add column vlan integer check (vlan between 1 and 4094),
  add column first_address inet,
  add column last_address inet;

-- What happened to a job, a line per claim, retry, hand-over and end: its steps tell only about the last try.
alter table jobs add column log jsonb not null default '[]';

-- What an administrator told the owner when suspending the order.
alter table orders add column suspend_note text check (length(suspend_note) between 1 and 200);
