-- Which order had which server, from when until when: who sees what of a machine that is sold again.
create extension if not exists btree_gist;
create table tenancies (
  order_id uuid primary key references orders,
  server_id uuid not null references servers,
  from_at timestamptz not null,
  -- Null: it has it still.
  until_at timestamptz,
  constraint tenancies_end_not_before_begin check (until_at >= from_at)
);

-- Orders were stamped by processes whose clocks differ: each begins when it was paid, and not before all earlier ones had ended.
insert into tenancies (order_id, server_id, from_at, until_at)
  select id, server_id, from_at, case when not lives then greatest(from_at, ended_at) end
  from (
    select id, server_id, ended_at, lives, greatest(paid_at, max(greatest(paid_at, ended_at))
      over (partition by server_id order by lives, paid_at, id rows between unbounded preceding and 1 preceding)) as from_at
    from (select *, status not in ('CANCELLED', 'EXPIRED') as lives from orders where server_id is not null and paid_at is not null) o
  ) t;

alter table tenancies add constraint tenancies_one_at_a_time exclude using gist (server_id with =, tstzrange(from_at, until_at) with &&);

-- A server that is given to an order begins a tenancy; one that is taken away, or goes for good, ends it. Nobody else writes here.
create function keep_tenancies() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    update tenancies set until_at = greatest(from_at, coalesce(new.released_at, new.updated_at))
      where order_id = old.order_id and server_id = new.id and until_at is null
      and (new.order_id is distinct from old.order_id or new.released_at is not null);
    if new.order_id is not distinct from old.order_id then return null; end if;
  end if;
  if new.order_id is null then return null; end if;
  insert into tenancies (order_id, server_id, from_at, until_at)
    select new.order_id, new.id, begun, case when new.released_at is not null then greatest(begun, new.released_at) end
    from (select greatest(new.updated_at, max(until_at)) as begun from tenancies where server_id = new.id) before;
  return null;
end $$;
create trigger keep_tenancies after insert or update of order_id, released_at on servers
  for each row execute function keep_tenancies();
