-- What was done and what was paid stays as it was written, whoever asks. A later migration that must touch such a row disables
-- the trigger for itself.

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '%: %', tg_table_name, tg_argv[0] using errcode = 'integrity_constraint_violation', table = tg_table_name;
end $$;

do $$
declare kept text;
begin
  foreach kept in array array['audit_log', 'order_periods', 'payment_trades'] loop
    execute format('create trigger %I before update or delete on %I for each row execute function refuse_change(%L)',
      kept || '_is_final', kept, 'rows are never changed or removed');
  end loop;
  foreach kept in array array['orders', 'payments', 'order_upgrades', 'refund_requests'] loop
    execute format('create trigger %I before delete on %I for each row execute function refuse_change(%L)',
      kept || '_stays', kept, 'rows are never removed');
  end loop;
  foreach kept in array array['audit_log', 'order_periods', 'payment_trades', 'orders', 'payments', 'order_upgrades', 'refund_requests'] loop
    execute format('create trigger %I before truncate on %I for each statement execute function refuse_change(%L)',
      kept || '_is_not_truncated', kept, 'rows are never removed');
  end loop;
end $$;

create trigger orders_paid_is_final before update on orders for each row
  when (old.status <> 'PENDING' and (new.amount_fen, new.paid_fen, new.paid_at) is distinct from (old.amount_fen, old.paid_fen, old.paid_at))
  execute function refuse_change('what was paid never changes');
create trigger payments_money_is_final before update on payments for each row
  when ((new.money_fen, new.user_id, new.out_trade_no) is distinct from (old.money_fen, old.user_id, old.out_trade_no)
    or old.status = 'SUCCESS' and (new.status, new.completed_at, new.trade_no) is distinct from (old.status, old.completed_at, old.trade_no))
  execute function refuse_change('what was paid never changes');
create trigger order_upgrades_charge_is_final before update on order_upgrades for each row
  when ((new.charge_fen, new.order_id) is distinct from (old.charge_fen, old.order_id))
  execute function refuse_change('what was paid never changes');
create trigger refund_requests_refund_is_final before update on refund_requests for each row
  when (old.refunded_fen is not null and new.refunded_fen is distinct from old.refunded_fen)
  execute function refuse_change('what was paid back never changes');

-- The moves of `orderMoves` in packages/shared, pair by pair; a test holds that both are the same.
create function order_may_move(from_status text, to_status text) returns boolean immutable language sql as $$
  select (from_status, to_status) in (
    ('PENDING', 'PAID'), ('PENDING', 'CANCELLED'),
    ('PAID', 'PROCESSING'), ('PAID', 'CANCELLED'),
    ('PROCESSING', 'ACTIVE'), ('PROCESSING', 'CANCELLED'),
    ('ACTIVE', 'ACTIVE'), ('ACTIVE', 'SUSPENDED'), ('ACTIVE', 'CANCELLED'),
    ('SUSPENDED', 'ACTIVE'), ('SUSPENDED', 'EXPIRED'), ('SUSPENDED', 'CANCELLED'))
$$;
create trigger orders_move before update on orders for each row
  when (old.status <> new.status and not order_may_move(old.status, new.status))
  execute function refuse_change('no order moves like this');
create trigger orders_begin_unpaid before insert on orders for each row
  when (new.status <> 'PENDING' or new.paid_fen is not null)
  execute function refuse_change('an order begins unpaid');
