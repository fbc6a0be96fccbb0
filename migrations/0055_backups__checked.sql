alter table orders validate constraint orders_backups_range;
