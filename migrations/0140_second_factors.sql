-- What is asked for beside a password (decision 0149): codes of an authenticator (RFC 6238), and those kept for its loss.
create table second_factors (
  user_id uuid primary key references users (id),
  secret_id uuid not null constraint second_factors_secret_id_unique unique references machine_secrets (id),
  created_at timestamptz not null,
  confirmed_at timestamptz, -- null until a first code was right
  last_step bigint not null default 0, -- of the last code that was taken: none is taken twice
  recovery_hashes bytea[] not null default '{}' -- SHA-256 of those not used yet
    constraint second_factors_recovery_codes_bounded check (cardinality(recovery_hashes) <= 10)
);

alter table mails drop constraint mails_template_known;
alter table mails add constraint mails_template_known check (template in ('orderActive', 'orderRefunded', 'refundRejected',
  'renewalFailed', 'orderSuspended', 'orderResumed', 'hostLost', 'orderRebuilt', 'orderExpired', 'orderExpiring', 'balanceAdjusted',
  'operatorAlert', 'resetCode', 'emailTakeBack', 'emailConfirm', 'passwordChanged', 'secondFactor')) not valid;
