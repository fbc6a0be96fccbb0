-- VLANs were never carried out by a real host: every order on them was refunded. Who had one gets a finding with it, and sells
-- nothing until an operator has made a bridge for it: a pool is taken from its hosts, a host is drained. The columns are
-- dropped one release after their last reader.
alter table findings drop constraint findings_kind_check;
alter table findings add constraint findings_kind_check check (kind ~ '^[a-z]+(-[a-z]+)*$' and length(kind) <= 40);

insert into findings (id, host_id, kind, subject, details, first_seen_at, last_seen_at)
select gen_random_uuid(), hp.host_id, 'vlan-removed', p.id::text, jsonb_build_object('name', p.name, 'vlan', p.vlan, 'bridge', p.bridge), now(), now()
from ip_pools p join host_ip_pools hp on hp.pool_id = p.id where p.vlan is not null;
delete from host_ip_pools hp using ip_pools p where p.id = hp.pool_id and p.vlan is not null;

insert into findings (id, host_id, kind, subject, details, first_seen_at, last_seen_at)
select gen_random_uuid(), h.id, 'vlan-removed', h.id::text, jsonb_build_object('name', h.name, 'vlan', h.vlan, 'bridge', h.bridge), now(), now()
from hosts h where h.vlan is not null and h.status <> 'RETIRED';
update hosts set status = 'DRAINING' where vlan is not null and status = 'READY';

-- Descriptions as they are stored: no host has ever made a machine of one.
update jobs set payload = jsonb_set(payload, '{machine,network,vlan}', 'null')
where jsonb_typeof(payload #> '{machine,network,vlan}') = 'number';
