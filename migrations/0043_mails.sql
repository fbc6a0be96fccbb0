-- What was written to whom, and what became of it; never its words.
create table mails (
  id uuid primary key,
  user_id uuid not null references users,
  address text not null,
  template text not null constraint mails_template_known check (template in ('orderActive', 'orderRefunded', 'renewalFailed',
    'orderSuspended', 'orderResumed', 'orderExpired', 'orderExpiring', 'resetCode', 'emailTakeBack', 'emailConfirm', 'passwordChanged')),
  -- Once it was composed.
  subject text,
  status text not null default 'queued' constraint mails_status_known check (status in ('queued', 'sent', 'failed', 'dropped')),
  attempts integer not null default 0,
  error text,
  created_at timestamptz not null default now(),
  tried_at timestamptz
);
create index mails_user_idx on mails (user_id, created_at desc, id desc);
create index mails_age_idx on mails (created_at);
