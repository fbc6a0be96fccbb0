alter table mails validate constraint mails_template_known;
