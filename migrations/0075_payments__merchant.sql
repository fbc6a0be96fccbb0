-- Whose gateway a recharge was begun with: `pid@host`. Empty in those from before.
alter table payments add column merchant text constraint payments_merchant_length check (length(merchant) between 1 and 500);

drop trigger payments_money_is_final on payments;
create trigger payments_money_is_final before update on payments for each row
  when ((new.money_fen, new.user_id, new.out_trade_no, new.merchant)
      is distinct from (old.money_fen, old.user_id, old.out_trade_no, old.merchant)
    or old.status = 'SUCCESS' and (new.status, new.completed_at, new.trade_no) is distinct from (old.status, old.completed_at, old.trade_no))
  execute function refuse_change('what was paid never changes');
