-- What a purchase writes, cheaper, and refused as before: triggers are called only where they have something to say, and rows that are
-- changed often find room for their next version on their own page, without touching an index (docs/decisions/0061).

-- A new server has had no tenancy before its first.
create function begin_tenancy() returns trigger language plpgsql as $$
begin
  insert into tenancies (order_id, server_id, from_at, until_at)
    values (new.order_id, new.id, new.updated_at, case when new.released_at is not null then greatest(new.updated_at, new.released_at) end);
  return null;
end $$;
create trigger begin_tenancy after insert on servers
  for each row when (new.order_id is not null) execute function begin_tenancy();

drop trigger keep_tenancies on servers;
create or replace function keep_tenancies() returns trigger language plpgsql as $$
begin
  update tenancies set until_at = greatest(from_at, coalesce(new.released_at, new.updated_at))
    where order_id = old.order_id and server_id = new.id and until_at is null;
  if new.order_id is null or new.order_id is not distinct from old.order_id then return null; end if;
  insert into tenancies (order_id, server_id, from_at, until_at)
    select new.order_id, new.id, begun, case when new.released_at is not null then greatest(begun, new.released_at) end
    from (select greatest(new.updated_at, max(until_at)) as begun from tenancies where server_id = new.id) before;
  return null;
end $$;
create trigger keep_tenancies after update of order_id, released_at on servers
  for each row when (new.order_id is distinct from old.order_id or new.released_at is not null) execute function keep_tenancies();

drop trigger wallet_only_moves_forward on wallets;
drop function wallet_only_moves_forward();
create trigger wallets_keep_their_owner before update on wallets
  for each row when (new.id <> old.id or new.user_id <> old.user_id)
  execute function refuse_change('a wallet does not change its owner');
create trigger wallets_move_forward before update on wallets
  for each row when ((new.last_seq, new.balance_fen) is distinct from (old.last_seq, old.balance_fen) and new.last_seq <> old.last_seq + 1)
  execute function refuse_change('a wallet only moves forward by one entry');

alter table wallets set (fillfactor = 60);
alter table hosts set (fillfactor = 60);
alter table servers set (fillfactor = 90);
