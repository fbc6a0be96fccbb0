-- Traffic that a month does not have yet: months are written once a minute.
alter table server_metrics add column rx_uncounted bigint not null default 0, add column tx_uncounted bigint not null default 0;
