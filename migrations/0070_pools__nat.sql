-- Pools whose machines share one public address, each with a block of its ports (decision 0116): all three or none.
alter table ip_pools
  add column nat_address inet,
  add column nat_first_port integer,
  add column nat_ports integer,
  add constraint ip_pools_nat_whole check (num_nulls(nat_address, nat_first_port, nat_ports) in (0, 3)),
  add constraint ip_pools_nat_is_ipv4
    check (nat_address is null or family(nat_address) = 4 and masklen(nat_address) = 32 and family(network) = 4),
  -- The machines' way out is the host itself.
  add constraint ip_pools_nat_has_gateway check (nat_address is null or gateway is not null),
  add constraint ip_pools_nat_ports_range check (nat_ports between 1 and 1000),
  -- A block for each address from the first to the last. Of IPv6 the addresses are too many to be counted.
  add constraint ip_pools_nat_ports_fit check (case when nat_address is not null then nat_first_port >= 1024
    and nat_first_port + nat_ports * (coalesce(last_address, broadcast(network)::inet - 1)
      - coalesce(first_address, network::inet + 1) + 1) <= 65536 else true end),
  add constraint ip_pools_nat_ports_apart exclude using gist (nat_address inet_ops with &&, int8range(nat_first_port,
      nat_first_port + nat_ports * (coalesce(last_address, broadcast(network)::inet - 1)
      - coalesce(first_address, network::inet + 1) + 1)) with &&) where (nat_address is not null);

-- As its agent told last; without it nothing is taken of such a pool there.
alter table hosts add column forwards_ports boolean not null default false;

-- And where such a pool is served by a host that cannot.
alter table findings drop constraint findings_kind_known;
alter table findings add constraint findings_kind_known check (kind in (
  'stray-domain',
  'stray-volume',
  'missing-domain',
  'changed-domain',
  'changed-disk',
  'changed-snapshots',
  'changed-rescue',
  'changed-iso',
  'changed-firewall',
  'changed-autostart',
  'transient-domain',
  'foreign-domain',
  'broken-image',
  'unreadable-domain',
  'changed-base',
  'unguarded-domain',
  'no-address-guard',
  'no-bandwidth-limit',
  'no-port-forwarding',
  'shrunk-host',
  'many-differences',
  'libvirt-away',
  'network-away',
  'hung-domain',
  'crashed-domain',
  'paused-domain',
  'io-error-domain',
  'disk-full-domain',
  'second-agent',
  'unbootable-image',
  'vlan-removed',
  'paid-twice',
  'mismatched-payment',
  'brake',
  'wrong-clock',
  'unreadable-secret',
  'late-backup',
  'unchecked-backup',
  'damaged-backup'
));
