-- What one pay writes of the product's own rows, with their triggers, constraints and indexes, in one call: the floor of paying.
-- `wanted` is a PENDING order and `chosen` the host; `payload` that of an install job. Run as the application's role.
create function bench.pay_own_rows(wanted uuid, chosen uuid, in_group uuid, payload jsonb) returns void language plpgsql as $$
declare
  bought orders;
  held wallets;
  server uuid := gen_random_uuid();
  place uuid := gen_random_uuid();
  free inet;
begin
  insert into idempotency_keys (user_id, key, call, input_hash, made_id, created_at)
    select user_id, wanted::text, 'orders.pay', sha256(wanted::text::bytea), wanted, now() from orders where id = wanted;
  select * into strict bought from orders where id = wanted and status = 'PENDING' for update;
  select * into strict held from wallets where user_id = bought.user_id for update;
  insert into ledger_entries (wallet_id, user_id, seq, id, number, type, reference, before_fen, amount_fen, after_fen, description, order_id, created_at)
    values (held.id, held.user_id, held.last_seq + 1, gen_random_uuid(), 'T' || bought.number, 'ORDER_PAYMENT', 'order:' || wanted || ':1',
      held.balance_fen, -bought.amount_fen, held.balance_fen - bought.amount_fen, '支付订单 ' || bought.number, wanted, now());
  insert into servers (id, driver, group_id, order_id, user_id, name, cpu_cores, memory_gb, storage_gb, bandwidth_mbps, os_name, os_version,
      image_id, ssh_port, secret_id, generation, mac, install_status, created_at, updated_at)
    values (server, 'kvm', in_group, wanted, bought.user_id, 'group-' || right(bought.number, 6), bought.cpu_cores, bought.memory_gb,
      bought.storage_gb, bought.bandwidth_mbps, bought.os_name, bought.os_version, bought.image_id, bought.ssh_port, bought.initial_secret_id,
      1, '52:54:' || substr(regexp_replace(server::text, '(..)', '\1:', 'g'), 1, 11), 'INSTALLING', now(), now());
  insert into placements (id, server_id, host_id, generation, cpu_cores, memory_mb, disk_gb, state, created_at)
    values (place, server, chosen, 1, bought.cpu_cores, bought.memory_gb * 1024, bought.storage_gb, 'held', now());
  select a.address into strict free from addresses a where a.pool_id = bench.id(7, 1) and a.placement_id is null and not a.reserved
    order by a.free_since nulls first, a.address limit 1 for update skip locked;
  update addresses set placement_id = place, position = 0 where address = free;
  insert into jobs (id, server_id, host_id, placement_id, order_id, kind, generation, payload, secret_id, run_at, created_at)
    values (gen_random_uuid(), server, chosen, place, wanted, 'install', 1, payload, bought.initial_secret_id, now(), now());
  update orders set status = 'PAID', server_id = server, paid_at = now(), paid_fen = amount_fen, updated_at = now() where id = wanted;
  insert into audit_log (id, at, actor_id, actor_kind, action, subject_kind, subject_id, details, address)
    values (gen_random_uuid(), now(), bought.user_id, 'user', 'order.pay', 'order', wanted,
      jsonb_build_object('amountFen', bought.amount_fen, 'serverId', server), '127.0.0.1');
end $$;
