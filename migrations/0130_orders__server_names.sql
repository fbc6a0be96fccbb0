-- Only ended orders of machines that were resold keep a name.
create index orders_server_name_idx on orders using gin (server_name gin_trgm_ops) where server_name is not null;
