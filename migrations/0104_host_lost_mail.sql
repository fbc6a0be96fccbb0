-- Its owner is told that a server's host was declared lost.
alter table mails drop constraint mails_template_known;
alter table mails add constraint mails_template_known check (template in ('orderActive', 'orderRefunded', 'renewalFailed',
  'orderSuspended', 'orderResumed', 'hostLost', 'orderRebuilt', 'orderExpired', 'orderExpiring', 'resetCode', 'emailTakeBack',
  'emailConfirm', 'passwordChanged')) not valid;
