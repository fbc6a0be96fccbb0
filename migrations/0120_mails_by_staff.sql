-- Owners are told that a refund was refused, and that staff changed their balance.
alter table mails drop constraint mails_template_known;
alter table mails add constraint mails_template_known check (template in ('orderActive', 'orderRefunded', 'refundRejected',
  'renewalFailed', 'orderSuspended', 'orderResumed', 'hostLost', 'orderRebuilt', 'orderExpired', 'orderExpiring',
  'balanceAdjusted', 'resetCode', 'emailTakeBack', 'emailConfirm', 'passwordChanged')) not valid;
