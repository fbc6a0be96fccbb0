alter table orders validate constraint orders_initial_secret_check;
create index orders_ended_secret_idx on orders (id)
  where initial_secret_id is not null and status in ('CANCELLED', 'EXPIRED');
