-- What administrators were mailed of while it lasted: a finding's id, or a silent host's.
create table alerts (
  id uuid primary key,
  kind text not null constraint alerts_kind_known check (kind in ('finding', 'silent-host')),
  subject_id uuid not null,
  told_at timestamptz not null,
  -- It was mailed that it is over.
  ended_at timestamptz constraint alerts_ended_after_told check (ended_at >= told_at)
);
create unique index alerts_open_key on alerts (subject_id) where ended_at is null;
create index alerts_told_idx on alerts (told_at);
create index alerts_ended_idx on alerts (ended_at);

-- Administrators who want no such mails.
create table alert_opt_outs (
  user_id uuid primary key constraint alert_opt_outs_user_fkey references users
);

alter table mails drop constraint mails_template_known;
alter table mails add constraint mails_template_known check (template in ('orderActive', 'orderRefunded', 'refundRejected',
  'renewalFailed', 'orderSuspended', 'orderResumed', 'hostLost', 'orderRebuilt', 'orderExpired', 'orderExpiring',
  'balanceAdjusted', 'operatorAlert', 'resetCode', 'emailTakeBack', 'emailConfirm', 'passwordChanged')) not valid;
