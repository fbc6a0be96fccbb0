-- Of servers their names are searched; a dedicated server's address and system stand in its own table (0023).
create index servers_search_idx on servers using gin (name gin_trgm_ops, os_name gin_trgm_ops);
