-- What a machine gets of an IPv6 pool (decision 0106): null, a single address; 64, a prefix of its own.
alter table ip_pools add column machine_prefix integer
  constraint ip_pools_machine_prefix_known
    check (machine_prefix is null or machine_prefix = 64 and family(network) = 6 and masklen(network) < 64);
-- An address of one machine is in no other's prefix; among pools of prefixes, `addresses` holds each once.
alter table ip_pools add constraint ip_pools_prefixes_apart
  exclude using gist (network inet_ops with &&, coalesce(machine_prefix, 128) with <>);
