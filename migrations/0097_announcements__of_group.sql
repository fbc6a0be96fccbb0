-- A group is deleted once no customer has a server in it: nobody reads what was announced to them.
alter table announcements drop constraint announcements_group_id_fkey;
alter table announcements add constraint announcements_group_id_fkey foreign key (group_id)
  references server_groups on delete cascade not valid;
