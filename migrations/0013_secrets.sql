-- What refers to a password of a machine, so that one to which nothing refers is found and deleted without reading the tables.
create index orders_secret_idx on orders (initial_secret_id);
create index servers_secret_idx on servers (secret_id) where secret_id is not null;
create index servers_locked_secret_idx on servers (locked_secret_id) where locked_secret_id is not null;
