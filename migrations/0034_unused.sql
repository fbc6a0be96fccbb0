-- What moved in 0023, 0029 and 0031, and 0025's: nobody has read or written it since the version before this one. With the columns go
-- their indexes and checks.
drop trigger copy_to_dedicated_servers on servers;
drop trigger copy_from_dedicated_servers on dedicated_servers;
drop function copy_to_dedicated_servers(), copy_from_dedicated_servers();
drop trigger copy_to_host_heartbeats on hosts;
drop trigger copy_from_host_heartbeats on host_heartbeats;
drop function copy_to_host_heartbeats(), copy_from_host_heartbeats();

drop index servers_for_sale_idx, servers_ip_key, servers_search_idx;
alter table servers drop column ip, drop column operating_system, drop column network_speed, drop column entered_status,
  drop column host_key, drop column locked_secret_id, drop column ssh_asked_at, drop column is_sold, drop column needs_cleaning,
  drop column ssh_latency_ms;
alter table hosts drop column last_seen_at, drop column inventory_at, drop column cpu_usage, drop column memory_usage,
  drop column disk_usage, drop column transfers;

drop table metric_samples, host_samples;
drop function copy_to_samples();
