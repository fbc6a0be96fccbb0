create index servers_search_idx on servers using gin
  (name gin_trgm_ops, operating_system gin_trgm_ops, os_name gin_trgm_ops, host(ip) gin_trgm_ops);
create index addresses_search_idx on addresses using gin (host(address) gin_trgm_ops);
