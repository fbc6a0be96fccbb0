-- What a whole period costs with an upgrade, and how many were paid when it was asked for: with no period paid since, a renewal
-- of what is sold no more costs that. Empty in upgrades from before.
alter table order_upgrades
  add column period_fen bigint constraint order_upgrades_period_fen_not_negative check (period_fen >= 0),
  add column periods_paid integer;

drop trigger order_upgrades_charge_is_final on order_upgrades;
create trigger order_upgrades_charge_is_final before update on order_upgrades for each row
  when ((new.charge_fen, new.order_id, new.period_fen, new.periods_paid)
    is distinct from (old.charge_fen, old.order_id, old.period_fen, old.periods_paid))
  execute function refuse_change('what was paid never changes');
