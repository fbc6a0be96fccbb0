-- Time from payment to a running server by day, and what ended lately, without reading years of orders.
create index orders_activated_idx on orders (activated_at) include (paid_at) where activated_at is not null;
create index orders_ended_idx on orders (status, ended_at) where ended_at is not null;
