-- Why an order was cancelled, as a fact beside the sentence that people read: what follows from it must not hang on words.
alter table orders add column cancel_cause text
  constraint orders_cancel_cause check (cancel_cause in ('owner', 'admin', 'unpaid', 'set-up-failed', 'set-up-overdue', 'refund-approved'));

update orders set cancel_cause = case
    when cancel_reason like '安装失败%' then 'set-up-failed'
    when cancel_reason like '安装超过%' then 'set-up-overdue'
    when cancel_reason = '退款申请已批准' then 'refund-approved'
    when cancel_reason like '管理员取消%' then 'admin'
    when cancel_reason like '%未支付' then 'unpaid'
    else 'owner'
  end
where status = 'CANCELLED';
