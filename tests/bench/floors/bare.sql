-- The bare paying transaction: lock order and wallet, write ledger entry, wallet, order and job. No triggers, one index each;
-- statement by statement, each prepared, as cases/paying.ts sends them.
create table bench.bare_wallets (id bigint primary key, balance bigint not null);
create table bench.bare_orders (id bigint primary key, wallet_id bigint not null, amount bigint not null, status text not null);
create table bench.bare_ledger (id bigserial primary key, wallet_id bigint not null, amount bigint not null, after bigint not null);
create table bench.bare_jobs (id bigserial primary key, order_id bigint not null, payload jsonb not null);
create sequence bench.bare_next;
insert into bench.bare_wallets select n, 1000000000 from generate_series(1, 1000) n;
insert into bench.bare_orders select n, 1 + n % 1000, 3000, 'PENDING' from generate_series(1, 500000) n;
grant all on all tables in schema bench to public;
grant all on all sequences in schema bench to public;

