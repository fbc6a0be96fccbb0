-- Generated from the migrations by `npm run db:describe`; read it, do not run or edit it.

create extension btree_gist;
create extension pg_trgm;
create table addresses (
  pool_id uuid not null,
  address inet not null,
  placement_id uuid,
  position integer,
  reserved boolean default false not null,
  free_since timestamp with time zone,
  upgrade_id uuid,
  in_guest boolean default false not null,
  held_on uuid,
  in_seed boolean default false not null,
  constraint addresses_pkey PRIMARY KEY (address),
  constraint addresses_held_is_reserved CHECK (((held_on IS NULL) OR reserved)),
  constraint addresses_reserved_not_placed CHECK (((placement_id IS NULL) OR (NOT reserved))),
  constraint addresses_upgrade_of_placed CHECK (((upgrade_id IS NULL) OR (placement_id IS NOT NULL))),
  constraint addresses_held_on_fkey FOREIGN KEY (held_on) REFERENCES hosts(id),
  constraint addresses_placement_id_fkey FOREIGN KEY (placement_id) REFERENCES placements(id),
  constraint addresses_pool_id_fkey FOREIGN KEY (pool_id) REFERENCES ip_pools(id),
  constraint addresses_upgrade_id_fkey FOREIGN KEY (upgrade_id) REFERENCES order_upgrades(id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX addresses_free_idx ON public.addresses USING btree (pool_id, free_since NULLS FIRST, address) WHERE ((placement_id IS NULL) AND (NOT reserved));
CREATE INDEX addresses_held_idx ON public.addresses USING btree (held_on) WHERE (held_on IS NOT NULL);
CREATE INDEX addresses_placement_idx ON public.addresses USING btree (placement_id, "position") WHERE (placement_id IS NOT NULL);
CREATE INDEX addresses_search_idx ON public.addresses USING gin (host(address) gin_trgm_ops);
CREATE INDEX addresses_upgrade_idx ON public.addresses USING btree (upgrade_id) WHERE (upgrade_id IS NOT NULL);

create table alert_opt_outs (
  user_id uuid not null,
  constraint alert_opt_outs_pkey PRIMARY KEY (user_id),
  constraint alert_opt_outs_user_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table alerts (
  id uuid not null,
  kind text not null,
  subject_id uuid not null,
  told_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint alerts_pkey PRIMARY KEY (id),
  constraint alerts_ended_after_told CHECK ((ended_at >= told_at)),
  constraint alerts_kind_known CHECK ((kind = ANY (ARRAY['finding'::text, 'silent-host'::text])))
);
CREATE INDEX alerts_ended_idx ON public.alerts USING btree (ended_at);
CREATE UNIQUE INDEX alerts_open_key ON public.alerts USING btree (subject_id) WHERE (ended_at IS NULL);
CREATE INDEX alerts_told_idx ON public.alerts USING btree (told_at);

create table announcements (
  id uuid not null,
  title text not null,
  body text not null,
  level text not null,
  group_id uuid,
  host_id uuid,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  is_maintenance boolean default false not null,
  created_by uuid,
  created_at timestamp with time zone not null,
  constraint announcements_pkey PRIMARY KEY (id),
  constraint announcements_body_length CHECK (((length(body) >= 1) AND (length(body) <= 2000))),
  constraint announcements_ends_after_start CHECK ((ends_at > starts_at)),
  constraint announcements_level_known CHECK ((level = ANY (ARRAY['info'::text, 'warning'::text]))),
  constraint announcements_one_audience CHECK (((group_id IS NULL) OR (host_id IS NULL))),
  constraint announcements_title_length CHECK (((length(title) >= 1) AND (length(title) <= 100))),
  constraint announcements_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint announcements_group_id_fkey FOREIGN KEY (group_id) REFERENCES server_groups(id) ON DELETE CASCADE,
  constraint announcements_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id)
);
CREATE UNIQUE INDEX announcements_maintenance_key ON public.announcements USING btree (host_id) WHERE (is_maintenance AND (ends_at IS NULL));
CREATE INDEX announcements_period_idx ON public.announcements USING btree (starts_at DESC, id DESC);

create table audit_log (
  id uuid not null,
  at timestamp with time zone not null,
  actor_id uuid,
  actor_kind text not null,
  action text not null,
  subject_kind text not null,
  subject_id text,
  details jsonb default '{}'::jsonb not null,
  address inet,
  written_at timestamp with time zone default clock_timestamp(),
  constraint audit_log_pkey PRIMARY KEY (id),
  constraint audit_log_actor_kind_known CHECK ((actor_kind = ANY (ARRAY['user'::text, 'admin'::text, 'agent'::text, 'timer'::text, 'gateway'::text, 'command'::text]))),
  constraint audit_log_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id)
);
CREATE INDEX audit_log_actor_idx ON public.audit_log USING btree (actor_id, at DESC);
CREATE INDEX audit_log_at_idx ON public.audit_log USING btree (at DESC, id DESC);
CREATE INDEX audit_log_kind_idx ON public.audit_log USING btree (split_part(action, '.'::text, 1), at DESC, id DESC);
CREATE INDEX audit_log_subject_idx ON public.audit_log USING btree (subject_kind, subject_id, at DESC);

create table backup_checks (
  server_id uuid not null,
  repository_id uuid not null,
  part integer default 0 not null,
  next_at timestamp with time zone not null,
  late_at timestamp with time zone not null,
  checked_at timestamp with time zone,
  is_whole boolean,
  detail text default ''::text not null,
  constraint backup_checks_pkey PRIMARY KEY (server_id, repository_id),
  constraint backup_checks_detail_length CHECK ((length(detail) <= 1000)),
  constraint backup_checks_part_not_negative CHECK ((part >= 0)),
  constraint backup_checks_whole_when_checked CHECK (((checked_at IS NULL) = (is_whole IS NULL))),
  constraint backup_checks_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES backup_repositories(id),
  constraint backup_checks_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id)
);
CREATE INDEX backup_checks_late_idx ON public.backup_checks USING btree (late_at);
CREATE INDEX backup_checks_next_idx ON public.backup_checks USING btree (next_at);
CREATE INDEX backup_checks_repository_idx ON public.backup_checks USING btree (repository_id);

create table backup_repositories (
  id uuid not null,
  url text not null,
  username text not null,
  secret_id uuid not null,
  upload_limit_kib integer not null,
  is_current boolean not null,
  version integer default 1 not null,
  saved_by uuid not null,
  saved_at timestamp with time zone not null,
  test_id uuid,
  test_host_id uuid,
  test_asked_at timestamp with time zone,
  test_handed_at timestamp with time zone,
  tested_at timestamp with time zone,
  test_problem text,
  test_detail text default ''::text not null,
  constraint backup_repositories_pkey PRIMARY KEY (id),
  constraint backup_repositories_url_unique UNIQUE (url),
  constraint backup_repositories_test_detail_length CHECK ((length(test_detail) <= 1000)),
  constraint backup_repositories_test_problem_known CHECK ((test_problem = ANY (ARRAY['unreachable'::text, 'login'::text, 'password'::text, 'permission'::text, 'space'::text, 'damaged'::text, 'unanswered'::text, 'other'::text]))),
  constraint backup_repositories_test_whole CHECK ((((test_id IS NULL) = (test_host_id IS NULL)) AND ((test_id IS NULL) = (test_asked_at IS NULL)) AND ((test_id IS NOT NULL) OR (tested_at IS NULL)))),
  constraint backup_repositories_upload_limit_kib_not_negative CHECK ((upload_limit_kib >= 0)),
  constraint backup_repositories_url_length CHECK (((length(url) >= 1) AND (length(url) <= 500))),
  constraint backup_repositories_username_length CHECK ((length(username) <= 200)),
  constraint backup_repositories_saved_by_fkey FOREIGN KEY (saved_by) REFERENCES users(id),
  constraint backup_repositories_secret_id_fkey FOREIGN KEY (secret_id) REFERENCES machine_secrets(id),
  constraint backup_repositories_test_host_id_fkey FOREIGN KEY (test_host_id) REFERENCES hosts(id)
);
CREATE UNIQUE INDEX backup_repositories_current_key ON public.backup_repositories USING btree (is_current) WHERE is_current;
CREATE INDEX backup_repositories_secret_idx ON public.backup_repositories USING btree (secret_id);
CREATE INDEX backup_repositories_test_host_idx ON public.backup_repositories USING btree (test_host_id) WHERE (test_host_id IS NOT NULL);

create table backup_schedules (
  server_id uuid not null,
  frequency text not null,
  hour integer not null,
  weekday integer,
  next_at timestamp with time zone not null,
  late_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint backup_schedules_pkey PRIMARY KEY (server_id),
  constraint backup_schedules_frequency_known CHECK ((frequency = ANY (ARRAY['daily'::text, 'weekly'::text]))),
  constraint backup_schedules_hour_range CHECK (((hour >= 0) AND (hour <= 23))),
  constraint backup_schedules_weekday_range CHECK (((weekday >= 1) AND (weekday <= 7))),
  constraint backup_schedules_weekday_when_weekly CHECK (((frequency = 'weekly'::text) = (weekday IS NOT NULL))),
  constraint backup_schedules_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id)
);
CREATE INDEX backup_schedules_late_idx ON public.backup_schedules USING btree (late_at);
CREATE INDEX backup_schedules_next_idx ON public.backup_schedules USING btree (next_at);

create table backups (
  id uuid not null,
  server_id uuid not null,
  repository_id uuid not null,
  origin text not null,
  asked_by uuid,
  disk_gb integer not null,
  image_id uuid not null,
  os_name text not null,
  os_version text not null,
  ssh_port integer not null,
  username text not null,
  secret_id uuid,
  host_key text,
  created_at timestamp with time zone not null,
  taken_at timestamp with time zone,
  made_at timestamp with time zone,
  disk_bytes bigint,
  added_bytes bigint,
  forget_at timestamp with time zone,
  forget_tried_at timestamp with time zone,
  is_movable boolean,
  iso_booted_at timestamp with time zone,
  cold_migration_id uuid,
  constraint backups_pkey PRIMARY KEY (id),
  constraint backups_disk_gb_positive CHECK ((disk_gb > 0)),
  constraint backups_origin_known CHECK ((origin = ANY (ARRAY['MANUAL'::text, 'SCHEDULE'::text]))),
  constraint backups_taken_when_made CHECK (((made_at IS NULL) = (taken_at IS NULL))),
  constraint backups_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES users(id),
  constraint backups_cold_migration_fkey FOREIGN KEY (cold_migration_id) REFERENCES cold_migrations(id),
  constraint backups_image_id_fkey FOREIGN KEY (image_id) REFERENCES images(id),
  constraint backups_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES backup_repositories(id),
  constraint backups_secret_id_fkey FOREIGN KEY (secret_id) REFERENCES machine_secrets(id),
  constraint backups_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id)
);
CREATE INDEX backups_cold_migration_idx ON public.backups USING btree (cold_migration_id) WHERE (cold_migration_id IS NOT NULL);
CREATE INDEX backups_forget_idx ON public.backups USING btree (forget_at) WHERE (forget_at IS NOT NULL);
CREATE INDEX backups_repository_idx ON public.backups USING btree (repository_id);
CREATE INDEX backups_secret_idx ON public.backups USING btree (secret_id) WHERE (secret_id IS NOT NULL);
CREATE INDEX backups_server_idx ON public.backups USING btree (server_id, created_at DESC, id DESC);

create table categories (
  id uuid not null,
  name text not null,
  description text,
  sort_order integer default 0 not null,
  is_active boolean default true not null,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint categories_pkey PRIMARY KEY (id),
  constraint categories_name_unique UNIQUE (name),
  constraint categories_name_length CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);

create table cold_migrations (
  id uuid not null,
  server_id uuid not null,
  from_host_id uuid not null,
  to_host_id uuid,
  stage text not null,
  from_id uuid,
  to_id uuid,
  job_id uuid,
  stays_off boolean default false not null,
  reason text,
  asked_by uuid not null,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint cold_migrations_pkey PRIMARY KEY (id),
  constraint cold_migrations_ended_when_over CHECK (((ended_at IS NOT NULL) = (stage = ANY (ARRAY['DONE'::text, 'FAILED'::text])))),
  constraint cold_migrations_reason_of_failure CHECK (((reason IS NOT NULL) = (stage = ANY (ARRAY['RETURNING'::text, 'FAILED'::text])))),
  constraint cold_migrations_stage_known CHECK ((stage = ANY (ARRAY['WAITING'::text, 'STOPPING'::text, 'SAVING'::text, 'RESTORING'::text, 'RETURNING'::text, 'DONE'::text, 'FAILED'::text]))),
  constraint cold_migrations_two_places CHECK ((from_id <> to_id)),
  constraint cold_migrations_whole_when_begun CHECK (((stage = ANY (ARRAY['WAITING'::text, 'FAILED'::text])) OR (num_nulls(from_id, to_id, job_id, to_host_id) = 0))),
  constraint cold_migrations_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES users(id),
  constraint cold_migrations_from_fkey FOREIGN KEY (from_id) REFERENCES placements(id),
  constraint cold_migrations_from_host_fkey FOREIGN KEY (from_host_id) REFERENCES hosts(id),
  constraint cold_migrations_job_fkey FOREIGN KEY (job_id) REFERENCES jobs(id),
  constraint cold_migrations_server_fkey FOREIGN KEY (server_id) REFERENCES servers(id),
  constraint cold_migrations_to_fkey FOREIGN KEY (to_id) REFERENCES placements(id),
  constraint cold_migrations_to_host_fkey FOREIGN KEY (to_host_id) REFERENCES hosts(id)
);
CREATE UNIQUE INDEX cold_migrations_begun_key ON public.cold_migrations USING btree (from_host_id) WHERE (stage = ANY (ARRAY['STOPPING'::text, 'SAVING'::text, 'RESTORING'::text]));
CREATE INDEX cold_migrations_from_idx ON public.cold_migrations USING btree (from_id);
CREATE INDEX cold_migrations_job_idx ON public.cold_migrations USING btree (job_id);
CREATE UNIQUE INDEX cold_migrations_open_key ON public.cold_migrations USING btree (server_id) WHERE (ended_at IS NULL);
CREATE INDEX cold_migrations_server_idx ON public.cold_migrations USING btree (server_id, created_at DESC);
CREATE INDEX cold_migrations_to_idx ON public.cold_migrations USING btree (to_id);
CREATE INDEX cold_migrations_waiting_idx ON public.cold_migrations USING btree (from_host_id, created_at, id) WHERE (stage = 'WAITING'::text);

create table connection_tests (
  id uuid not null,
  server_id uuid not null,
  host_id uuid not null,
  address inet not null,
  port integer not null,
  asked_at timestamp with time zone not null,
  handed_at timestamp with time zone,
  done_at timestamp with time zone,
  ssh_connectable boolean,
  latency_ms integer,
  constraint connection_tests_pkey PRIMARY KEY (id),
  constraint connection_tests_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id),
  constraint connection_tests_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id)
);
CREATE INDEX connection_tests_open_idx ON public.connection_tests USING btree (host_id, asked_at) WHERE (handed_at IS NULL);
CREATE INDEX connection_tests_server_idx ON public.connection_tests USING btree (server_id, asked_at DESC);

create table dedicated_servers (
  server_id uuid not null,
  ip inet not null,
  port integer not null,
  operating_system text,
  network_speed text,
  initial_status text,
  host_key text,
  locked_secret_id uuid,
  test_begun_at timestamp with time zone,
  is_sold boolean default false not null,
  needs_cleaning boolean default false not null,
  ip_since timestamp with time zone,
  test_failure text,
  constraint dedicated_servers_pkey PRIMARY KEY (server_id),
  constraint dedicated_servers_address_unique UNIQUE (ip, port),
  constraint dedicated_servers_initial_status_known CHECK ((initial_status = ANY (ARRAY['ONLINE'::text, 'OFFLINE'::text]))),
  constraint dedicated_servers_test_failure_known CHECK ((test_failure = ANY (ARRAY['unreachable'::text, 'refused'::text, 'changed-host-key'::text, 'not-done'::text, 'unreadable-secret'::text, 'not-allowed'::text]))),
  constraint dedicated_servers_locked_secret_id_fkey FOREIGN KEY (locked_secret_id) REFERENCES machine_secrets(id),
  constraint dedicated_servers_server_fkey FOREIGN KEY (server_id, port) REFERENCES servers(id, ssh_port) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX dedicated_servers_for_sale_idx ON public.dedicated_servers USING btree (server_id) WHERE ((NOT is_sold) AND (NOT needs_cleaning));
CREATE INDEX dedicated_servers_locked_secret_idx ON public.dedicated_servers USING btree (locked_secret_id) WHERE (locked_secret_id IS NOT NULL);
CREATE INDEX dedicated_servers_search_idx ON public.dedicated_servers USING gin (operating_system gin_trgm_ops, host(ip) gin_trgm_ops);

create table email_changes (
  id uuid not null,
  user_id uuid not null,
  old_email text not null,
  new_email text not null,
  take_back_hash bytea not null,
  confirm_hash bytea not null,
  changed_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  taken_back_at timestamp with time zone,
  constraint email_changes_pkey PRIMARY KEY (id),
  constraint email_changes_confirm_hash_unique UNIQUE (confirm_hash),
  constraint email_changes_take_back_hash_unique UNIQUE (take_back_hash),
  constraint email_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX email_changes_old_email_idx ON public.email_changes USING btree (lower(old_email)) WHERE (taken_back_at IS NULL);
CREATE INDEX email_changes_user_idx ON public.email_changes USING btree (user_id, changed_at);

create table evacuations (
  job_id uuid not null,
  order_id uuid not null,
  from_at timestamp with time zone not null,
  until_at timestamp with time zone not null,
  credited_fen bigint not null,
  constraint evacuations_pkey PRIMARY KEY (job_id),
  constraint evacuations_credited_fen_not_negative CHECK ((credited_fen >= 0)),
  constraint evacuations_ends_after_start CHECK ((until_at >= from_at)),
  constraint evacuations_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id),
  constraint evacuations_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);
CREATE INDEX evacuations_order_idx ON public.evacuations USING btree (order_id, until_at DESC);

create table findings (
  id uuid not null,
  host_id uuid,
  kind text not null,
  subject text not null,
  details jsonb default '{}'::jsonb not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  constraint findings_pkey PRIMARY KEY (id),
  constraint findings_kind_known CHECK ((kind = ANY (ARRAY['stray-domain'::text, 'stray-volume'::text, 'missing-domain'::text, 'changed-domain'::text, 'changed-disk'::text, 'changed-snapshots'::text, 'changed-rescue'::text, 'changed-iso'::text, 'changed-firewall'::text, 'changed-autostart'::text, 'transient-domain'::text, 'foreign-domain'::text, 'broken-image'::text, 'unreadable-domain'::text, 'changed-base'::text, 'unguarded-domain'::text, 'no-address-guard'::text, 'no-bandwidth-limit'::text, 'no-port-forwarding'::text, 'no-bridge'::text, 'no-kvm'::text, 'shrunk-host'::text, 'many-differences'::text, 'libvirt-away'::text, 'network-away'::text, 'state-away'::text, 'storage-away'::text, 'hung-domain'::text, 'crashed-domain'::text, 'paused-domain'::text, 'io-error-domain'::text, 'disk-full-domain'::text, 'second-agent'::text, 'outdated-agent'::text, 'newer-agent'::text, 'unbootable-image'::text, 'vlan-removed'::text, 'paid-twice'::text, 'mismatched-payment'::text, 'gateway-away'::text, 'name-server-away'::text, 'metrics-away'::text, 'brake'::text, 'wrong-clock'::text, 'unreadable-secret'::text, 'late-backup'::text, 'unchecked-backup'::text, 'damaged-backup'::text, 'lost-servers'::text, 'failed-migration'::text]))),
  constraint findings_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id)
);
CREATE INDEX findings_all_idx ON public.findings USING btree (first_seen_at DESC, id DESC);
CREATE INDEX findings_host_idx ON public.findings USING btree (host_id, first_seen_at DESC, id DESC);
CREATE UNIQUE INDEX findings_open_key ON public.findings USING btree (host_id, kind, subject) NULLS NOT DISTINCT WHERE (resolved_at IS NULL);

create table firewalls (
  server_id uuid not null,
  revision integer not null,
  firewall jsonb not null,
  applied_revision integer,
  updated_at timestamp with time zone not null,
  constraint firewalls_pkey PRIMARY KEY (server_id),
  constraint firewalls_applied_known CHECK (((applied_revision >= 1) AND (applied_revision <= revision))),
  constraint firewalls_revision_positive CHECK ((revision >= 1)),
  constraint firewalls_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id)
);

create table host_groups (
  host_id uuid not null,
  group_id uuid not null,
  constraint host_groups_pkey PRIMARY KEY (host_id, group_id),
  constraint host_groups_group_id_fkey FOREIGN KEY (group_id) REFERENCES server_groups(id),
  constraint host_groups_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id)
);
CREATE INDEX host_groups_group_idx ON public.host_groups USING btree (group_id, host_id);

create table host_heartbeats (
  host_id uuid not null,
  last_seen_at timestamp with time zone not null,
  inventory_at timestamp with time zone,
  cpu_usage real,
  memory_usage real,
  disk_usage real,
  transfers jsonb default '[]'::jsonb not null,
  constraint host_heartbeats_pkey PRIMARY KEY (host_id),
  constraint host_heartbeats_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id)
);

create table host_ip_pools (
  host_id uuid not null,
  pool_id uuid not null,
  constraint host_ip_pools_pkey PRIMARY KEY (host_id, pool_id),
  constraint host_ip_pools_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id),
  constraint host_ip_pools_pool_id_fkey FOREIGN KEY (pool_id) REFERENCES ip_pools(id)
);

create table hosts (
  id uuid not null,
  name text not null,
  status text default 'ENROLLING'::text not null,
  hypervisor text,
  hypervisor_version text,
  cpu_cores integer default 0 not null,
  memory_mb bigint default 0 not null,
  disk_gb bigint default 0 not null,
  cpu_overcommit numeric(4,2) default 4 not null,
  reserved_memory_mb bigint default 0 not null,
  used_cpu integer default 0 not null,
  used_memory_mb bigint default 0 not null,
  used_disk_gb bigint default 0 not null,
  images text[] default '{}'::text[] not null,
  bridge text,
  token_hash bytea,
  enrolment_hash bytea,
  enrolment_expires_at timestamp with time zone,
  machine_id text,
  instance_id uuid,
  agent_version text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  version integer default 1 not null,
  boots_uefi boolean default false not null,
  forwards_ports boolean default false not null,
  has_to_tell boolean default false not null,
  bridges text[],
  constraint hosts_pkey PRIMARY KEY (id),
  constraint hosts_enrolment_hash_unique UNIQUE (enrolment_hash),
  constraint hosts_name_unique UNIQUE (name),
  constraint hosts_token_hash_unique UNIQUE (token_hash),
  constraint hosts_capacity_cpu CHECK ((((used_cpu)::numeric <= ((cpu_cores)::numeric * cpu_overcommit)) OR (status = ANY (ARRAY['LOST'::text, 'RETIRED'::text])))),
  constraint hosts_capacity_disk CHECK (((used_disk_gb <= disk_gb) OR (status = ANY (ARRAY['LOST'::text, 'RETIRED'::text])))),
  constraint hosts_capacity_memory CHECK (((used_memory_mb <= GREATEST((memory_mb - reserved_memory_mb), (0)::bigint)) OR (status = ANY (ARRAY['LOST'::text, 'RETIRED'::text])))),
  constraint hosts_cpu_cores_not_negative CHECK ((cpu_cores >= 0)),
  constraint hosts_cpu_overcommit_range CHECK (((cpu_overcommit >= (1)::numeric) AND (cpu_overcommit <= (16)::numeric))),
  constraint hosts_disk_gb_not_negative CHECK ((disk_gb >= 0)),
  constraint hosts_enrolment_hash_length CHECK ((length(enrolment_hash) = 32)),
  constraint hosts_hypervisor_known CHECK ((hypervisor = ANY (ARRAY['virsh'::text, 'simulated'::text]))),
  constraint hosts_memory_mb_not_negative CHECK ((memory_mb >= 0)),
  constraint hosts_name_length CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint hosts_reserved_memory_mb_not_negative CHECK ((reserved_memory_mb >= 0)),
  constraint hosts_status_known CHECK ((status = ANY (ARRAY['ENROLLING'::text, 'READY'::text, 'DRAINING'::text, 'MAINTENANCE'::text, 'LOST'::text, 'RETIRED'::text]))),
  constraint hosts_token_hash_length CHECK ((length(token_hash) = 32)),
  constraint hosts_used_cpu_not_negative CHECK ((used_cpu >= 0)),
  constraint hosts_used_disk_gb_not_negative CHECK ((used_disk_gb >= 0)),
  constraint hosts_used_memory_mb_not_negative CHECK ((used_memory_mb >= 0))
);

create table hour_means (
  subject_id uuid not null,
  at timestamp with time zone not null,
  cpu_usage real[] not null,
  memory_usage real[] not null,
  disk_usage real[] not null,
  rx_rate real[] not null,
  tx_rate real[] not null,
  load1 real[] not null,
  constraint hour_means_pkey PRIMARY KEY (subject_id, at)
) partition by RANGE (at);

create table idempotency_keys (
  user_id uuid not null,
  key text not null,
  call text not null,
  input_hash bytea not null,
  made_id uuid not null,
  created_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (user_id, key),
  constraint idempotency_keys_key_length CHECK (((length(key) >= 1) AND (length(key) <= 200))),
  constraint idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX idempotency_keys_created_idx ON public.idempotency_keys USING btree (created_at);

create table images (
  id uuid not null,
  os_name text not null,
  os_version text not null,
  file text not null,
  sha256 text,
  readiness text default 'ssh'::text not null,
  username text default 'root'::text not null,
  min_disk_gb integer default 1 not null,
  is_active boolean default true not null,
  sort_order integer default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  url text,
  version integer default 1 not null,
  deleted_at timestamp with time zone,
  kind text default 'system'::text not null,
  firmware text default 'bios'::text not null,
  constraint images_pkey PRIMARY KEY (id),
  constraint images_deleted_not_active CHECK (((deleted_at IS NULL) OR (NOT is_active))),
  constraint images_file_format CHECK ((file ~ '^[A-Za-z0-9._-]+$'::text)),
  constraint images_firmware_known CHECK ((firmware = ANY (ARRAY['bios'::text, 'uefi'::text]))),
  constraint images_iso_is_disc CHECK (((kind = 'iso'::text) = (file ~~ '%.iso'::text))),
  constraint images_kind_known CHECK ((kind = ANY (ARRAY['system'::text, 'rescue'::text, 'iso'::text]))),
  constraint images_min_disk_gb_positive CHECK ((min_disk_gb > 0)),
  constraint images_os_name_length CHECK (((length(os_name) >= 1) AND (length(os_name) <= 100))),
  constraint images_os_version_length CHECK (((length(os_version) >= 1) AND (length(os_version) <= 100))),
  constraint images_readiness_known CHECK ((readiness = ANY (ARRAY['ssh'::text, 'guest-agent'::text, 'none'::text]))),
  constraint images_sha256_format CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint images_uefi_is_system CHECK (((firmware = 'bios'::text) OR (kind = 'system'::text))),
  constraint images_url_format CHECK (((url ~* '^https?://'::text) AND (length(url) <= 2000))),
  constraint images_url_needs_checksum CHECK (((url IS NULL) OR (sha256 IS NOT NULL))),
  constraint images_username_format CHECK ((username ~ '^[a-z_][a-z0-9_-]{0,31}$'::text))
);
CREATE UNIQUE INDEX images_file_key ON public.images USING btree (file) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX images_os_key ON public.images USING btree (os_name, os_version) WHERE is_active;

create table incident_updates (
  id uuid not null,
  incident_id uuid not null,
  state text not null,
  body text not null,
  created_by uuid not null,
  created_at timestamp with time zone not null,
  constraint incident_updates_pkey PRIMARY KEY (id),
  constraint incident_updates_body_length CHECK (((length(body) >= 1) AND (length(body) <= 2000))),
  constraint incident_updates_state_known CHECK ((state = ANY (ARRAY['investigating'::text, 'identified'::text, 'monitoring'::text, 'resolved'::text]))),
  constraint incident_updates_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint incident_updates_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incidents(id)
);
CREATE INDEX incident_updates_incident_idx ON public.incident_updates USING btree (incident_id, created_at DESC, id DESC);

create table incidents (
  id uuid not null,
  title text not null,
  services text[] not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  created_by uuid not null,
  created_at timestamp with time zone not null,
  constraint incidents_pkey PRIMARY KEY (id),
  constraint incidents_ends_after_start CHECK ((ends_at >= starts_at)),
  constraint incidents_services_some CHECK (((cardinality(services) >= 1) AND (cardinality(services) <= 50))),
  constraint incidents_title_length CHECK (((length(title) >= 1) AND (length(title) <= 100))),
  constraint incidents_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
);
CREATE INDEX incidents_open_idx ON public.incidents USING btree (starts_at DESC) WHERE (ends_at IS NULL);
CREATE INDEX incidents_started_idx ON public.incidents USING btree (starts_at DESC, id DESC);

create table inserted_isos (
  id uuid not null,
  server_id uuid not null,
  image_id uuid not null,
  boots boolean not null,
  created_at timestamp with time zone not null,
  inserted_at timestamp with time zone,
  eject_at timestamp with time zone,
  constraint inserted_isos_pkey PRIMARY KEY (id),
  constraint inserted_isos_server_once UNIQUE (server_id),
  constraint inserted_isos_ejected_after_insertion CHECK ((((inserted_at IS NULL) = (eject_at IS NULL)) AND (eject_at > inserted_at))),
  constraint inserted_isos_image_id_fkey FOREIGN KEY (image_id) REFERENCES images(id),
  constraint inserted_isos_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id)
);
CREATE INDEX inserted_isos_due_idx ON public.inserted_isos USING btree (eject_at) WHERE (eject_at IS NOT NULL);
CREATE INDEX inserted_isos_image_idx ON public.inserted_isos USING btree (image_id);

create table ip_pools (
  id uuid not null,
  name text not null,
  network cidr not null,
  gateway inet,
  dns text[] default '{}'::text[] not null,
  created_at timestamp with time zone not null,
  version integer default 1 not null,
  bridge text,
  first_address inet,
  last_address inet,
  machine_prefix integer,
  nat_address inet,
  nat_first_port integer,
  nat_ports integer,
  constraint ip_pools_pkey PRIMARY KEY (id),
  constraint ip_pools_name_unique UNIQUE (name),
  constraint ip_pools_machine_prefix_known CHECK (((machine_prefix IS NULL) OR ((machine_prefix = 64) AND (family((network)::inet) = 6) AND (masklen((network)::inet) < 64)))),
  constraint ip_pools_nat_has_gateway CHECK (((nat_address IS NULL) OR (gateway IS NOT NULL))),
  constraint ip_pools_nat_is_ipv4 CHECK (((nat_address IS NULL) OR ((family(nat_address) = 4) AND (masklen(nat_address) = 32) AND (family((network)::inet) = 4)))),
  constraint ip_pools_nat_ports_fit CHECK (
CASE
    WHEN (nat_address IS NOT NULL) THEN ((nat_first_port >= 1024) AND ((nat_first_port + (nat_ports * ((COALESCE(last_address, (broadcast((network)::inet) - (1)::bigint)) - COALESCE(first_address, ((network)::inet + (1)::bigint))) + 1))) <= 65536))
    ELSE true
END),
  constraint ip_pools_nat_ports_range CHECK (((nat_ports >= 1) AND (nat_ports <= 1000))),
  constraint ip_pools_nat_whole CHECK ((num_nulls(nat_address, nat_first_port, nat_ports) = ANY (ARRAY[0, 3]))),
  constraint ip_pools_nat_ports_apart EXCLUDE USING gist (nat_address inet_ops WITH &&, int8range((nat_first_port)::bigint, (nat_first_port + (nat_ports * ((COALESCE(last_address, (broadcast((network)::inet) - (1)::bigint)) - COALESCE(first_address, ((network)::inet + (1)::bigint))) + 1)))) WITH &&) WHERE ((nat_address IS NOT NULL)),
  constraint ip_pools_prefixes_apart EXCLUDE USING gist (network inet_ops WITH &&, COALESCE(machine_prefix, 128) WITH <>)
);

create table jobs (
  id uuid not null,
  server_id uuid not null,
  host_id uuid,
  placement_id uuid,
  order_id uuid,
  kind text not null,
  status text default 'QUEUED'::text not null,
  epoch integer default 0 not null,
  generation integer not null,
  attempt integer default 0 not null,
  max_attempts integer default 3 not null,
  payload jsonb not null,
  secret_id uuid,
  asked_by uuid,
  steps jsonb default '[]'::jsonb not null,
  percentage integer default 0 not null,
  result jsonb,
  error text,
  abort_requested boolean default false not null,
  run_at timestamp with time zone not null,
  lease_until timestamp with time zone,
  instance_id uuid,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  log jsonb default '[]'::jsonb not null,
  constraint jobs_pkey PRIMARY KEY (id),
  constraint jobs_attempt_not_negative CHECK ((attempt >= 0)),
  constraint jobs_ended_is_finished CHECK (((status <> ALL (ARRAY['SUCCEEDED'::text, 'FAILED'::text, 'SUPERSEDED'::text, 'CANCELLED'::text])) OR (finished_at IS NOT NULL))),
  constraint jobs_generation_positive CHECK ((generation >= 1)),
  constraint jobs_kind_known CHECK ((kind = ANY (ARRAY['install'::text, 'reinstall'::text, 'start'::text, 'stop'::text, 'restart'::text, 'resetPassword'::text, 'resize'::text, 'destroy'::text, 'redefine'::text, 'snapshot'::text, 'revert'::text, 'deleteSnapshot'::text, 'enterRescue'::text, 'leaveRescue'::text, 'applyFirewall'::text, 'backup'::text, 'restore'::text, 'deleteBackup'::text, 'insertIso'::text, 'ejectIso'::text, 'checkBackups'::text]))),
  constraint jobs_lease_while_running CHECK (((status = 'RUNNING'::text) = (lease_until IS NOT NULL))),
  constraint jobs_max_attempts_positive CHECK ((max_attempts >= 1)),
  constraint jobs_percentage_range CHECK (((percentage >= 0) AND (percentage <= 100))),
  constraint jobs_status_known CHECK ((status = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text, 'SUCCEEDED'::text, 'FAILED'::text, 'SUPERSEDED'::text, 'CANCELLED'::text]))),
  constraint jobs_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES users(id),
  constraint jobs_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id),
  constraint jobs_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint jobs_placement_id_fkey FOREIGN KEY (placement_id) REFERENCES placements(id),
  constraint jobs_secret_id_fkey FOREIGN KEY (secret_id) REFERENCES machine_secrets(id),
  constraint jobs_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id)
);
CREATE INDEX jobs_all_idx ON public.jobs USING btree (created_at DESC, id DESC);
CREATE INDEX jobs_failed_starts_idx ON public.jobs USING btree (finished_at) WHERE ((kind = 'start'::text) AND (status = 'FAILED'::text) AND (asked_by IS NULL));
CREATE INDEX jobs_host_idx ON public.jobs USING btree (host_id, created_at DESC, id DESC);
CREATE INDEX jobs_kind_idx ON public.jobs USING btree (kind, created_at DESC, id DESC);
CREATE INDEX jobs_lease_idx ON public.jobs USING btree (lease_until) WHERE (status = 'RUNNING'::text);
CREATE UNIQUE INDEX jobs_one_backup_per_host ON public.jobs USING btree (host_id) WHERE ((status = 'RUNNING'::text) AND (kind = ANY (ARRAY['backup'::text, 'restore'::text, 'deleteBackup'::text])));
CREATE INDEX jobs_order_idx ON public.jobs USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX jobs_outlived_secret_idx ON public.jobs USING btree (finished_at) WHERE ((secret_id IS NOT NULL) AND (finished_at IS NOT NULL));
CREATE INDEX jobs_queue_idx ON public.jobs USING btree (host_id, run_at) WHERE (status = 'QUEUED'::text);
CREATE UNIQUE INDEX jobs_queued_key ON public.jobs USING btree (server_id, host_id) NULLS NOT DISTINCT WHERE (status = 'QUEUED'::text);
CREATE INDEX jobs_recent_installs_idx ON public.jobs USING btree (finished_at DESC) WHERE ((kind = 'install'::text) AND (status = 'SUCCEEDED'::text));
CREATE UNIQUE INDEX jobs_running_key ON public.jobs USING btree (server_id, host_id) NULLS NOT DISTINCT WHERE (status = 'RUNNING'::text);
CREATE INDEX jobs_secret_idx ON public.jobs USING btree (secret_id) WHERE (secret_id IS NOT NULL);
CREATE INDEX jobs_server_idx ON public.jobs USING btree (server_id, created_at DESC, id DESC);
CREATE INDEX jobs_status_idx ON public.jobs USING btree (status, created_at DESC, id DESC);

create table ledger_entries (
  wallet_id uuid not null,
  user_id uuid not null,
  seq bigint not null,
  id uuid not null,
  number text not null,
  type text not null,
  reference text not null,
  before_fen bigint not null,
  amount_fen bigint not null,
  after_fen bigint not null,
  description text not null,
  order_id uuid,
  payment_id uuid,
  created_at timestamp with time zone not null,
  previous_seq bigint generated always as (
CASE
    WHEN (seq > 1) THEN (seq - 1)
    ELSE NULL::bigint
END) stored,
  constraint ledger_entries_pkey PRIMARY KEY (wallet_id, seq),
  constraint ledger_entries_chain_unique UNIQUE (wallet_id, seq, after_fen),
  constraint ledger_entries_id_unique UNIQUE (id),
  constraint ledger_entries_number_unique UNIQUE (number),
  constraint ledger_entries_type_reference_unique UNIQUE (type, reference),
  constraint ledger_entries_after_fen_not_negative CHECK ((after_fen >= 0)),
  constraint ledger_entries_amount_fen_not_zero CHECK ((amount_fen <> 0)),
  constraint ledger_entries_before_fen_not_negative CHECK ((before_fen >= 0)),
  constraint ledger_entries_begin_at_nothing CHECK (((seq > 1) OR (before_fen = 0))),
  constraint ledger_entries_continue_balance CHECK ((after_fen = (before_fen + amount_fen))),
  constraint ledger_entries_description_length CHECK ((length(description) <= 200)),
  constraint ledger_entries_payment_goes_out CHECK (((type <> 'ORDER_PAYMENT'::text) OR (amount_fen < 0))),
  constraint ledger_entries_recharge_comes_in CHECK (((type <> 'RECHARGE'::text) OR (amount_fen > 0))),
  constraint ledger_entries_refund_comes_in CHECK (((type <> 'REFUND'::text) OR (amount_fen > 0))),
  constraint ledger_entries_seq_positive CHECK ((seq >= 1)),
  constraint ledger_entries_type_known CHECK ((type = ANY (ARRAY['RECHARGE'::text, 'ORDER_PAYMENT'::text, 'REFUND'::text, 'WITHDRAWAL'::text, 'ADJUSTMENT'::text]))),
  constraint ledger_entries_withdrawal_goes_out CHECK (((type <> 'WITHDRAWAL'::text) OR (amount_fen < 0))),
  constraint ledger_entries_chain FOREIGN KEY (wallet_id, previous_seq, before_fen) REFERENCES ledger_entries(wallet_id, seq, after_fen),
  constraint ledger_entries_order FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint ledger_entries_payment FOREIGN KEY (payment_id) REFERENCES payments(id),
  constraint ledger_entries_wallet_id_user_id_fkey FOREIGN KEY (wallet_id, user_id) REFERENCES wallets(id, user_id)
);
CREATE INDEX ledger_entries_amount_idx ON public.ledger_entries USING btree (user_id, (
CASE
    WHEN (type = 'ADJUSTMENT'::text) THEN amount_fen
    ELSE abs(amount_fen)
END), id);
CREATE INDEX ledger_entries_day_idx ON public.ledger_entries USING btree (created_at) INCLUDE (type, amount_fen);
CREATE INDEX ledger_entries_order_idx ON public.ledger_entries USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX ledger_entries_type_idx ON public.ledger_entries USING btree (user_id, type, created_at DESC, id DESC);
CREATE INDEX ledger_entries_user_idx ON public.ledger_entries USING btree (user_id, created_at DESC, id DESC);

create table machine_secrets (
  id uuid not null,
  value_enc text not null,
  created_at timestamp with time zone not null,
  constraint machine_secrets_pkey PRIMARY KEY (id),
  constraint machine_secrets_value_enc_format CHECK ((value_enc ~~ 'v1.%'::text))
);

create table mails (
  id uuid not null,
  user_id uuid not null,
  address text not null,
  template text not null,
  subject text,
  status text default 'queued'::text not null,
  attempts integer default 0 not null,
  error text,
  created_at timestamp with time zone default now() not null,
  tried_at timestamp with time zone,
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_status_known CHECK ((status = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text, 'dropped'::text]))),
  constraint mails_template_known CHECK ((template = ANY (ARRAY['orderActive'::text, 'orderRefunded'::text, 'refundRejected'::text, 'renewalFailed'::text, 'orderSuspended'::text, 'orderResumed'::text, 'hostLost'::text, 'orderRebuilt'::text, 'orderExpired'::text, 'orderExpiring'::text, 'balanceAdjusted'::text, 'operatorAlert'::text, 'resetCode'::text, 'emailTakeBack'::text, 'emailConfirm'::text, 'passwordChanged'::text, 'secondFactor'::text]))),
  constraint mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX mails_age_idx ON public.mails USING btree (created_at);
CREATE INDEX mails_user_idx ON public.mails USING btree (user_id, created_at DESC, id DESC);

create table metric_levels (
  name text not null,
  packed_until timestamp with time zone not null,
  constraint metric_levels_pkey PRIMARY KEY (name),
  constraint metric_levels_name_known CHECK ((name = ANY (ARRAY['minute'::text, 'quarter'::text, 'hour'::text])))
);

create table minute_means (
  subject_id uuid not null,
  at timestamp with time zone not null,
  cpu_usage real[] not null,
  memory_usage real[] not null,
  disk_usage real[] not null,
  rx_rate real[] not null,
  tx_rate real[] not null,
  load1 real[] not null,
  constraint minute_means_pkey PRIMARY KEY (subject_id, at)
) partition by RANGE (at);

create table order_periods (
  order_id uuid not null,
  seq integer not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  paid_fen bigint not null,
  constraint order_periods_pkey PRIMARY KEY (order_id, seq),
  constraint order_periods_ends_after_start CHECK ((ends_at > starts_at)),
  constraint order_periods_paid_fen_not_negative CHECK ((paid_fen >= 0)),
  constraint order_periods_seq_positive CHECK ((seq >= 1)),
  constraint order_periods_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);

create table order_reminders (
  order_id uuid not null,
  expires_at timestamp with time zone not null,
  days integer not null,
  sent boolean not null,
  at timestamp with time zone not null,
  constraint order_reminders_pkey PRIMARY KEY (order_id, expires_at, days),
  constraint order_reminders_days_known CHECK ((days = ANY (ARRAY[7, 3, 1]))),
  constraint order_reminders_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);

create table order_upgrades (
  id uuid not null,
  order_id uuid not null,
  job_id uuid,
  price_group_id uuid not null,
  cpu_cores integer not null,
  memory_gb integer not null,
  storage_gb integer not null,
  bandwidth_mbps integer not null,
  charge_fen bigint not null,
  status text not null,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  machine_larger boolean default false not null,
  disk_before_gb integer,
  backups integer default 0 not null,
  ip_count integer,
  period_fen bigint,
  periods_paid integer,
  constraint order_upgrades_pkey PRIMARY KEY (id),
  constraint order_upgrades_job_id_unique UNIQUE (job_id),
  constraint order_upgrades_charge_fen_not_negative CHECK ((charge_fen >= 0)),
  constraint order_upgrades_finished_unless_pending CHECK (((status = 'PENDING'::text) = (finished_at IS NULL))),
  constraint order_upgrades_ip_count_range CHECK (((ip_count >= 1) AND (ip_count <= 10))),
  constraint order_upgrades_job_unless_done CHECK (((job_id IS NOT NULL) OR (status = 'DONE'::text))),
  constraint order_upgrades_period_fen_not_negative CHECK ((period_fen >= 0)),
  constraint order_upgrades_status_known CHECK ((status = ANY (ARRAY['PENDING'::text, 'DONE'::text, 'REVERSED'::text]))),
  constraint order_upgrades_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id),
  constraint order_upgrades_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint order_upgrades_price_group_id_fkey FOREIGN KEY (price_group_id) REFERENCES price_groups(id)
);
CREATE INDEX order_upgrades_larger_idx ON public.order_upgrades USING btree (id) WHERE machine_larger;
CREATE INDEX order_upgrades_open_idx ON public.order_upgrades USING btree (job_id) WHERE (status = 'PENDING'::text);
CREATE UNIQUE INDEX order_upgrades_open_key ON public.order_upgrades USING btree (order_id) WHERE (status = 'PENDING'::text);
CREATE INDEX order_upgrades_order_idx ON public.order_upgrades USING btree (order_id, created_at);

create table orders (
  id uuid not null,
  number text not null,
  user_id uuid not null,
  price_group_id uuid not null,
  server_id uuid,
  server_name text,
  status text not null,
  suspend_reason text,
  cancel_reason text,
  amount_fen bigint not null,
  paid_fen bigint,
  period text not null,
  auto_renewal boolean not null,
  cpu_cores integer not null,
  memory_gb integer not null,
  storage_gb integer not null,
  bandwidth_mbps integer not null,
  ip_count integer not null,
  image_id uuid not null,
  os_name text not null,
  os_version text not null,
  ssh_port integer not null,
  initial_secret_id uuid,
  created_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  activated_at timestamp with time zone,
  anchor_at timestamp with time zone,
  periods_count integer default 0 not null,
  expires_at timestamp with time zone,
  suspended_at timestamp with time zone,
  ended_at timestamp with time zone,
  updated_at timestamp with time zone not null,
  ssh_keys text[] default '{}'::text[] not null,
  renewal_tried_seq bigint,
  suspend_note text,
  cancel_cause text,
  purchase_id uuid,
  labels text[] default '{}'::text[] not null,
  backups integer default 0 not null,
  constraint orders_pkey PRIMARY KEY (id),
  constraint orders_number_unique UNIQUE (number),
  constraint orders_amount_fen_not_negative CHECK ((amount_fen >= 0)),
  constraint orders_backups_range CHECK (((backups >= 0) AND (backups <= 30))),
  constraint orders_bandwidth_mbps_range CHECK (((bandwidth_mbps >= 1) AND (bandwidth_mbps <= 1000))),
  constraint orders_cancel_cause CHECK ((cancel_cause = ANY (ARRAY['owner'::text, 'admin'::text, 'unpaid'::text, 'set-up-failed'::text, 'set-up-overdue'::text, 'refund-approved'::text]))),
  constraint orders_cancel_reason_length CHECK ((length(cancel_reason) <= 200)),
  constraint orders_cpu_cores_range CHECK (((cpu_cores >= 1) AND (cpu_cores <= 32))),
  constraint orders_initial_secret_until_ended CHECK (((initial_secret_id IS NOT NULL) OR (status = ANY (ARRAY['CANCELLED'::text, 'EXPIRED'::text])))),
  constraint orders_ip_count_range CHECK (((ip_count >= 1) AND (ip_count <= 10))),
  constraint orders_labels_few CHECK (((cardinality(labels) <= 5) AND (array_position(labels, NULL::text) IS NULL))),
  constraint orders_memory_gb_range CHECK (((memory_gb >= 1) AND (memory_gb <= 128))),
  constraint orders_paid_fen_not_negative CHECK ((paid_fen >= 0)),
  constraint orders_paid_has_server CHECK (((status <> ALL (ARRAY['PAID'::text, 'PROCESSING'::text, 'ACTIVE'::text, 'SUSPENDED'::text])) OR ((paid_at IS NOT NULL) AND (paid_fen IS NOT NULL) AND (server_id IS NOT NULL)))),
  constraint orders_pending_holds_nothing CHECK (((status <> 'PENDING'::text) OR ((paid_at IS NULL) AND (server_id IS NULL)))),
  constraint orders_period_known CHECK ((period = ANY (ARRAY['HOURLY'::text, 'DAILY'::text, 'MONTHLY'::text, 'QUARTERLY'::text, 'SEMI_ANNUAL'::text, 'ANNUAL'::text]))),
  constraint orders_periods_count_not_negative CHECK ((periods_count >= 0)),
  constraint orders_running_has_period CHECK (((status <> ALL (ARRAY['ACTIVE'::text, 'SUSPENDED'::text])) OR ((expires_at IS NOT NULL) AND (anchor_at IS NOT NULL)))),
  constraint orders_ssh_port_range CHECK (((ssh_port = 22) OR ((ssh_port >= 1024) AND (ssh_port <= 65535)))),
  constraint orders_status_known CHECK ((status = ANY (ARRAY['PENDING'::text, 'PAID'::text, 'PROCESSING'::text, 'ACTIVE'::text, 'SUSPENDED'::text, 'CANCELLED'::text, 'EXPIRED'::text]))),
  constraint orders_storage_gb_range CHECK (((storage_gb >= 20) AND (storage_gb <= 2000))),
  constraint orders_suspend_note_length CHECK (((length(suspend_note) >= 1) AND (length(suspend_note) <= 200))),
  constraint orders_suspend_reason_known CHECK ((suspend_reason = ANY (ARRAY['unpaid'::text, 'admin'::text]))),
  constraint orders_suspended_has_reason CHECK (((status = 'SUSPENDED'::text) = (suspend_reason IS NOT NULL))),
  constraint orders_image_id_fkey FOREIGN KEY (image_id) REFERENCES images(id),
  constraint orders_initial_secret_id_fkey FOREIGN KEY (initial_secret_id) REFERENCES machine_secrets(id),
  constraint orders_price_group_id_fkey FOREIGN KEY (price_group_id) REFERENCES price_groups(id),
  constraint orders_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id),
  constraint orders_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX orders_activated_idx ON public.orders USING btree (activated_at) INCLUDE (paid_at) WHERE (activated_at IS NOT NULL);
CREATE INDEX orders_all_idx ON public.orders USING btree (created_at DESC, id DESC);
CREATE INDEX orders_ended_idx ON public.orders USING btree (status, ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX orders_ended_secret_idx ON public.orders USING btree (id) WHERE ((initial_secret_id IS NOT NULL) AND (status = ANY (ARRAY['CANCELLED'::text, 'EXPIRED'::text])));
CREATE INDEX orders_expiry_idx ON public.orders USING btree (expires_at) WHERE (status = ANY (ARRAY['ACTIVE'::text, 'SUSPENDED'::text]));
CREATE INDEX orders_price_group_idx ON public.orders USING btree (price_group_id);
CREATE INDEX orders_purchase_idx ON public.orders USING btree (purchase_id) WHERE (purchase_id IS NOT NULL);
CREATE INDEX orders_search_idx ON public.orders USING gin (number gin_trgm_ops);
CREATE INDEX orders_secret_idx ON public.orders USING btree (initial_secret_id);
CREATE INDEX orders_server_idx ON public.orders USING btree (server_id);
CREATE UNIQUE INDEX orders_server_key ON public.orders USING btree (server_id) WHERE (status <> ALL (ARRAY['CANCELLED'::text, 'EXPIRED'::text]));
CREATE INDEX orders_server_name_idx ON public.orders USING gin (server_name gin_trgm_ops) WHERE (server_name IS NOT NULL);
CREATE INDEX orders_set_up_idx ON public.orders USING btree (paid_at) WHERE (status = ANY (ARRAY['PAID'::text, 'PROCESSING'::text]));
CREATE INDEX orders_status_idx ON public.orders USING btree (status, created_at DESC, id DESC);
CREATE INDEX orders_suspended_idx ON public.orders USING btree (expires_at) WHERE (status = 'SUSPENDED'::text);
CREATE INDEX orders_unpaid_idx ON public.orders USING btree (created_at) WHERE (status = 'PENDING'::text);
CREATE INDEX orders_user_idx ON public.orders USING btree (user_id, created_at DESC, id DESC);
CREATE INDEX orders_user_status_idx ON public.orders USING btree (user_id, status, created_at DESC, id DESC);

create table password_resets (
  user_id uuid not null,
  code_hash bytea not null,
  tries integer default 0 not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint password_resets_pkey PRIMARY KEY (user_id),
  constraint password_resets_code_hash_length CHECK ((length(code_hash) = 32)),
  constraint password_resets_tries_range CHECK (((tries >= 0) AND (tries <= 5))),
  constraint password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table past_addresses (
  id bigint generated always as identity not null,
  address inet not null,
  server_id uuid not null,
  from_at timestamp with time zone not null,
  until_at timestamp with time zone not null,
  outside inet,
  first_port integer,
  ports integer,
  constraint past_addresses_pkey PRIMARY KEY (id),
  constraint past_addresses_end_not_before_begin CHECK ((until_at >= from_at)),
  constraint past_addresses_ports_whole CHECK ((num_nulls(outside, first_port, ports) = ANY (ARRAY[0, 3]))),
  constraint past_addresses_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id)
);
CREATE INDEX past_addresses_address_idx ON public.past_addresses USING btree (address, until_at);
CREATE INDEX past_addresses_outside_idx ON public.past_addresses USING btree (outside, until_at) WHERE (outside IS NOT NULL);

create table payment_trades (
  gateway text not null,
  trade_no text not null,
  payment_id uuid not null,
  overpaid boolean default false not null,
  seen_at timestamp with time zone not null,
  constraint payment_trades_pkey PRIMARY KEY (gateway, trade_no),
  constraint payment_trades_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id)
);
CREATE INDEX payment_trades_payment_idx ON public.payment_trades USING btree (payment_id);

create table payments (
  id uuid not null,
  out_trade_no text not null,
  user_id uuid not null,
  gateway text default 'epay'::text not null,
  trade_no text,
  method text not null,
  money_fen bigint not null,
  note text not null,
  device text not null,
  client_ip inet,
  status text not null,
  creation text default 'unknown'::text not null,
  creating_until timestamp with time zone,
  qr_code text,
  pay_url text,
  failure text,
  checks integer default 0 not null,
  next_check_at timestamp with time zone,
  created_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  updated_at timestamp with time zone not null,
  merchant text,
  constraint payments_pkey PRIMARY KEY (id),
  constraint payments_out_trade_no_unique UNIQUE (out_trade_no),
  constraint payments_creation_known CHECK ((creation = ANY (ARRAY['unknown'::text, 'created'::text, 'refused'::text]))),
  constraint payments_failure_length CHECK ((length(failure) <= 200)),
  constraint payments_merchant_length CHECK (((length(merchant) >= 1) AND (length(merchant) <= 500))),
  constraint payments_money_fen_range CHECK (((money_fen >= 100) AND (money_fen <= 1000000))),
  constraint payments_note_length CHECK ((length(note) <= 100)),
  constraint payments_out_trade_no_format CHECK ((out_trade_no ~ '^[A-Za-z0-9]{16,40}$'::text)),
  constraint payments_status_known CHECK ((status = ANY (ARRAY['PENDING'::text, 'SUCCESS'::text, 'FAILED'::text, 'CANCELLED'::text]))),
  constraint payments_success_is_completed CHECK (((status = 'SUCCESS'::text) = (completed_at IS NOT NULL))),
  constraint payments_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX payments_amount_idx ON public.payments USING btree (user_id, money_fen, id);
CREATE INDEX payments_created_idx ON public.payments USING btree (created_at DESC, id DESC);
CREATE INDEX payments_due_idx ON public.payments USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX payments_method_idx ON public.payments USING btree (method, created_at DESC, id DESC);
CREATE INDEX payments_open_idx ON public.payments USING btree (user_id, created_at DESC, id DESC) WHERE (status <> 'SUCCESS'::text);
CREATE INDEX payments_search_idx ON public.payments USING gin (out_trade_no gin_trgm_ops, trade_no gin_trgm_ops);
CREATE INDEX payments_status_idx ON public.payments USING btree (status, created_at DESC, id DESC);
CREATE UNIQUE INDEX payments_trade_key ON public.payments USING btree (gateway, trade_no) WHERE (trade_no IS NOT NULL);
CREATE INDEX payments_user_idx ON public.payments USING btree (user_id, created_at DESC, id DESC);
CREATE INDEX payments_user_status_idx ON public.payments USING btree (user_id, status, created_at DESC, id DESC);

create table placements (
  id uuid not null,
  server_id uuid not null,
  host_id uuid not null,
  generation integer not null,
  cpu_cores integer not null,
  memory_mb integer not null,
  disk_gb integer not null,
  state text not null,
  created_at timestamp with time zone not null,
  releasing_at timestamp with time zone,
  destroyed_at timestamp with time zone,
  freed_at timestamp with time zone,
  snapshot_gb integer default 0 not null,
  earlier_generation integer,
  wiping boolean default false not null,
  constraint placements_pkey PRIMARY KEY (id),
  constraint placements_server_id_generation_unique UNIQUE (server_id, generation),
  constraint placements_cpu_cores_positive CHECK ((cpu_cores > 0)),
  constraint placements_disk_gb_positive CHECK ((disk_gb > 0)),
  constraint placements_earlier_generation_positive CHECK ((earlier_generation >= 1)),
  constraint placements_generation_positive CHECK ((generation >= 1)),
  constraint placements_memory_mb_positive CHECK ((memory_mb > 0)),
  constraint placements_snapshot_gb_not_negative CHECK ((snapshot_gb >= 0)),
  constraint placements_state_known CHECK ((state = ANY (ARRAY['held'::text, 'standby'::text, 'releasing'::text, 'freed'::text]))),
  constraint placements_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id),
  constraint placements_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id)
);
CREATE INDEX placements_freed_idx ON public.placements USING btree (host_id, freed_at) WHERE (state = 'freed'::text);
CREATE UNIQUE INDEX placements_held_key ON public.placements USING btree (server_id) WHERE (state = 'held'::text);
CREATE INDEX placements_host_idx ON public.placements USING btree (host_id) WHERE (state <> 'freed'::text);
CREATE INDEX placements_releasing_idx ON public.placements USING btree (releasing_at) WHERE (state = 'releasing'::text);

create table price_groups (
  id uuid not null,
  name text not null,
  description text,
  server_group_id uuid not null,
  hourly_fen bigint not null,
  daily_fen bigint not null,
  monthly_fen bigint not null,
  quarterly_fen bigint not null,
  semi_annual_fen bigint not null,
  annual_fen bigint not null,
  cpu_rate_fen bigint default 0 not null,
  memory_rate_fen bigint default 0 not null,
  storage_rate_fen bigint default 0 not null,
  bandwidth_rate_fen bigint default 0 not null,
  ip_rate_fen bigint default 0 not null,
  sales_page_html text,
  has_discount boolean default false not null,
  discount_percentage numeric(5,2),
  discount_start timestamp with time zone,
  discount_end timestamp with time zone,
  sort_order integer default 1 not null,
  is_active boolean default true not null,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  snapshots integer default 1 not null,
  disk_iops integer default 0 not null,
  disk_mb_per_second integer default 0 not null,
  backup_rate_fen bigint default 0 not null,
  most_backups integer default 0 not null,
  constraint price_groups_pkey PRIMARY KEY (id),
  constraint price_groups_name_unique UNIQUE (name),
  constraint price_groups_annual_fen_not_negative CHECK ((annual_fen >= 0)),
  constraint price_groups_backup_rate_fen_not_negative CHECK ((backup_rate_fen >= 0)),
  constraint price_groups_bandwidth_rate_fen_not_negative CHECK ((bandwidth_rate_fen >= 0)),
  constraint price_groups_cpu_rate_fen_not_negative CHECK ((cpu_rate_fen >= 0)),
  constraint price_groups_daily_fen_not_negative CHECK ((daily_fen >= 0)),
  constraint price_groups_discount_ends_after_start CHECK (((discount_end IS NULL) OR (discount_start IS NULL) OR (discount_end >= discount_start))),
  constraint price_groups_discount_percentage_range CHECK (((discount_percentage > (0)::numeric) AND (discount_percentage <= (100)::numeric))),
  constraint price_groups_disk_iops_range CHECK (((disk_iops >= 0) AND (disk_iops <= 1000000))),
  constraint price_groups_disk_mb_per_second_range CHECK (((disk_mb_per_second >= 0) AND (disk_mb_per_second <= 100000))),
  constraint price_groups_hourly_fen_not_negative CHECK ((hourly_fen >= 0)),
  constraint price_groups_ip_rate_fen_not_negative CHECK ((ip_rate_fen >= 0)),
  constraint price_groups_memory_rate_fen_not_negative CHECK ((memory_rate_fen >= 0)),
  constraint price_groups_monthly_fen_not_negative CHECK ((monthly_fen >= 0)),
  constraint price_groups_most_backups_range CHECK (((most_backups >= 0) AND (most_backups <= 30))),
  constraint price_groups_name_length CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint price_groups_quarterly_fen_not_negative CHECK ((quarterly_fen >= 0)),
  constraint price_groups_sales_page_html_length CHECK ((octet_length(sales_page_html) <= 65536)),
  constraint price_groups_semi_annual_fen_not_negative CHECK ((semi_annual_fen >= 0)),
  constraint price_groups_snapshots_range CHECK (((snapshots >= 0) AND (snapshots <= 20))),
  constraint price_groups_sort_order_not_negative CHECK ((sort_order >= 0)),
  constraint price_groups_storage_rate_fen_not_negative CHECK ((storage_rate_fen >= 0)),
  constraint price_groups_server_group_id_fkey FOREIGN KEY (server_group_id) REFERENCES server_groups(id)
);
CREATE INDEX price_groups_group_idx ON public.price_groups USING btree (server_group_id, sort_order);

create table quarter_means (
  subject_id uuid not null,
  at timestamp with time zone not null,
  cpu_usage real[] not null,
  memory_usage real[] not null,
  disk_usage real[] not null,
  rx_rate real[] not null,
  tx_rate real[] not null,
  load1 real[] not null,
  constraint quarter_means_pkey PRIMARY KEY (subject_id, at)
) partition by RANGE (at);

create table rate_limits (
  key text not null,
  window_start timestamp with time zone not null,
  window_end timestamp with time zone not null,
  calls integer not null,
  constraint rate_limits_pkey PRIMARY KEY (key, window_start),
  constraint rate_limits_calls_positive CHECK ((calls > 0))
);
CREATE INDEX rate_limits_end_idx ON public.rate_limits USING btree (window_end);

create table refund_requests (
  id uuid not null,
  order_id uuid not null,
  user_id uuid not null,
  reason text not null,
  status text not null,
  refunded_fen bigint,
  decision text,
  decided_by uuid,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  constraint refund_requests_pkey PRIMARY KEY (id),
  constraint refund_requests_decided_unless_pending CHECK (((status = 'PENDING'::text) = (decided_at IS NULL))),
  constraint refund_requests_decision_length CHECK ((length(decision) <= 500)),
  constraint refund_requests_reason_length CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
  constraint refund_requests_refunded_fen_not_negative CHECK ((refunded_fen >= 0)),
  constraint refund_requests_status_known CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'REJECTED'::text]))),
  constraint refund_requests_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id),
  constraint refund_requests_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint refund_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX refund_requests_open_key ON public.refund_requests USING btree (order_id) WHERE (status = 'PENDING'::text);
CREATE INDEX refund_requests_order_idx ON public.refund_requests USING btree (order_id, created_at DESC);
CREATE INDEX refund_requests_status_idx ON public.refund_requests USING btree (status, created_at DESC, id DESC);

create table remote_consoles (
  id uuid not null,
  server_id uuid not null,
  host_id uuid not null,
  kind text not null,
  user_id uuid not null,
  session_id uuid not null,
  ticket_hash bytea not null,
  created_at timestamp with time zone not null,
  opened_at timestamp with time zone,
  address inet,
  relay_address text,
  secret_hash bytea,
  handed_at timestamp with time zone,
  met_at timestamp with time zone,
  ended_at timestamp with time zone,
  ended_why text,
  constraint remote_consoles_pkey PRIMARY KEY (id),
  constraint remote_consoles_ticket_unique UNIQUE (ticket_hash),
  constraint remote_consoles_end_known CHECK ((ended_why = ANY (ARRAY['expired'::text, 'replaced'::text, 'over'::text, 'revoked'::text, 'unreachable'::text, 'off'::text, 'machine'::text, 'restarted'::text, 'full'::text, 'left'::text]))),
  constraint remote_consoles_ended_for_a_reason CHECK (((ended_at IS NULL) = (ended_why IS NULL))),
  constraint remote_consoles_kind_known CHECK ((kind = ANY (ARRAY['screen'::text, 'serial'::text]))),
  constraint remote_consoles_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id),
  constraint remote_consoles_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id),
  constraint remote_consoles_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id),
  constraint remote_consoles_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX remote_consoles_age_idx ON public.remote_consoles USING btree (created_at);
CREATE INDEX remote_consoles_host_idx ON public.remote_consoles USING btree (host_id) WHERE ((opened_at IS NOT NULL) AND (handed_at IS NULL) AND (ended_at IS NULL));
CREATE UNIQUE INDEX remote_consoles_open_key ON public.remote_consoles USING btree (server_id, kind) WHERE ((opened_at IS NOT NULL) AND (ended_at IS NULL));

create table request_minutes (
  at timestamp with time zone not null,
  door text not null,
  up_to_ms integer not null,
  requests bigint not null,
  constraint request_minutes_pkey PRIMARY KEY (at, door, up_to_ms),
  constraint request_minutes_door_known CHECK ((door = ANY (ARRAY['web'::text, 'rest'::text, 'agent'::text]))),
  constraint request_minutes_requests_positive CHECK ((requests > 0)),
  constraint request_minutes_up_to_ms_positive CHECK ((up_to_ms > 0))
);

create table rescues (
  id uuid not null,
  server_id uuid not null,
  secret_id uuid not null,
  created_at timestamp with time zone not null,
  entered_at timestamp with time zone,
  constraint rescues_pkey PRIMARY KEY (id),
  constraint rescues_server_once UNIQUE (server_id),
  constraint rescues_secret_id_fkey FOREIGN KEY (secret_id) REFERENCES machine_secrets(id),
  constraint rescues_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id)
);
CREATE INDEX rescues_secret_idx ON public.rescues USING btree (secret_id);

create table reverse_dns (
  id integer default 1 not null,
  url text not null,
  secret_id uuid not null,
  zones text[] not null,
  must_resolve boolean not null,
  version integer not null,
  saved_by uuid not null,
  saved_at timestamp with time zone not null,
  constraint reverse_dns_pkey PRIMARY KEY (id),
  constraint reverse_dns_single CHECK ((id = 1)),
  constraint reverse_dns_url_length CHECK (((length(url) >= 1) AND (length(url) <= 500))),
  constraint reverse_dns_zones_range CHECK (((cardinality(zones) >= 1) AND (cardinality(zones) <= 100))),
  constraint reverse_dns_saved_by_fkey FOREIGN KEY (saved_by) REFERENCES users(id),
  constraint reverse_dns_secret_id_fkey FOREIGN KEY (secret_id) REFERENCES machine_secrets(id)
);
CREATE INDEX reverse_dns_secret_idx ON public.reverse_dns USING btree (secret_id);

create table reverse_names (
  address inet not null,
  placement_id uuid,
  wanted text,
  written text,
  revision integer default 1 not null,
  due_at timestamp with time zone,
  leased_until timestamp with time zone,
  attempts integer default 0 not null,
  error text,
  updated_at timestamp with time zone not null,
  constraint reverse_names_pkey PRIMARY KEY (address),
  constraint reverse_names_attempts_not_negative CHECK ((attempts >= 0)),
  constraint reverse_names_nobodys_is_none CHECK (((placement_id IS NOT NULL) OR (wanted IS NULL))),
  constraint reverse_names_wanted_length CHECK (((length(wanted) >= 1) AND (length(wanted) <= 253))),
  constraint reverse_names_written_length CHECK (((length(written) >= 1) AND (length(written) <= 253))),
  constraint reverse_names_placement_id_fkey FOREIGN KEY (placement_id) REFERENCES placements(id)
);
CREATE INDEX reverse_names_due_idx ON public.reverse_names USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX reverse_names_placement_idx ON public.reverse_names USING btree (placement_id) WHERE (placement_id IS NOT NULL);

create table samples (
  source_id uuid not null,
  at timestamp with time zone not null,
  subject_ids uuid[] not null,
  cpu_usage real[] not null,
  memory_usage real[] not null,
  disk_usage real[] not null,
  rx_rate real[] not null,
  tx_rate real[] not null,
  load1 real,
  constraint samples_pkey PRIMARY KEY (source_id, at)
) partition by RANGE (at);

create table second_factors (
  user_id uuid not null,
  secret_id uuid not null,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  last_step bigint default 0 not null,
  recovery_hashes bytea[] default '{}'::bytea[] not null,
  constraint second_factors_pkey PRIMARY KEY (user_id),
  constraint second_factors_secret_id_unique UNIQUE (secret_id),
  constraint second_factors_recovery_codes_bounded CHECK ((cardinality(recovery_hashes) <= 10)),
  constraint second_factors_secret_id_fkey FOREIGN KEY (secret_id) REFERENCES machine_secrets(id),
  constraint second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table server_groups (
  id uuid not null,
  category_id uuid not null,
  name text not null,
  description text,
  region text,
  country text,
  city text,
  placement text default 'spread'::text not null,
  sort_order integer default 0 not null,
  is_active boolean default true not null,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  cpu_model text,
  constraint server_groups_pkey PRIMARY KEY (id),
  constraint server_groups_category_id_name_unique UNIQUE (category_id, name),
  constraint server_groups_cpu_model_known CHECK ((cpu_model ~ '^[A-Za-z0-9._-]{1,60}$'::text)),
  constraint server_groups_name_length CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint server_groups_placement_known CHECK ((placement = ANY (ARRAY['spread'::text, 'pack'::text]))),
  constraint server_groups_category_id_fkey FOREIGN KEY (category_id) REFERENCES categories(id)
);

create table server_metrics (
  server_id uuid not null,
  at timestamp with time zone not null,
  cpu_usage real,
  memory_usage real,
  disk_usage real,
  uptime_seconds bigint,
  rx_bytes bigint,
  tx_bytes bigint,
  rx_uncounted bigint default 0 not null,
  tx_uncounted bigint default 0 not null,
  constraint server_metrics_pkey PRIMARY KEY (server_id),
  constraint server_metrics_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id)
);

create table servers (
  id uuid not null,
  driver text not null,
  group_id uuid not null,
  order_id uuid,
  user_id uuid,
  name text not null,
  cpu_cores integer not null,
  memory_gb integer not null,
  storage_gb integer not null,
  bandwidth_mbps integer not null,
  disk_type text default 'SSD'::text not null,
  os_name text,
  os_version text,
  image_id uuid,
  ssh_port integer default 22 not null,
  username text default 'root'::text not null,
  secret_id uuid,
  generation integer default 0 not null,
  mac text,
  install_status text,
  power text default 'unknown'::text not null,
  power_changed_at timestamp with time zone,
  ssh_connectable boolean,
  ssh_checked_at timestamp with time zone,
  protected boolean default false not null,
  released_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  version integer default 1 not null,
  iso_booted_at timestamp with time zone,
  constraint servers_pkey PRIMARY KEY (id),
  constraint servers_id_ssh_port_unique UNIQUE (id, ssh_port),
  constraint servers_mac_unique UNIQUE (mac),
  constraint servers_order_id_unique UNIQUE (order_id),
  constraint servers_bandwidth_mbps_not_negative CHECK ((bandwidth_mbps >= 0)),
  constraint servers_cpu_cores_positive CHECK ((cpu_cores > 0)),
  constraint servers_driver_known CHECK ((driver = ANY (ARRAY['kvm'::text, 'ssh'::text]))),
  constraint servers_generation_not_negative CHECK ((generation >= 0)),
  constraint servers_install_status_known CHECK ((install_status = ANY (ARRAY['INSTALLING'::text, 'COMPLETED'::text, 'FAILED'::text]))),
  constraint servers_memory_gb_positive CHECK ((memory_gb > 0)),
  constraint servers_name_length CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint servers_power_known CHECK ((power = ANY (ARRAY['on'::text, 'off'::text, 'unknown'::text]))),
  constraint servers_ssh_port_range CHECK (((ssh_port >= 1) AND (ssh_port <= 65535))),
  constraint servers_storage_gb_positive CHECK ((storage_gb > 0)),
  constraint servers_group_id_fkey FOREIGN KEY (group_id) REFERENCES server_groups(id),
  constraint servers_image_id_fkey FOREIGN KEY (image_id) REFERENCES images(id),
  constraint servers_order FOREIGN KEY (order_id) REFERENCES orders(id) DEFERRABLE INITIALLY DEFERRED,
  constraint servers_secret_id_fkey FOREIGN KEY (secret_id) REFERENCES machine_secrets(id),
  constraint servers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX servers_group_idx ON public.servers USING btree (group_id, created_at DESC);
CREATE INDEX servers_image_idx ON public.servers USING btree (image_id) WHERE (released_at IS NULL);
CREATE INDEX servers_living_group_idx ON public.servers USING btree (group_id, created_at DESC, id DESC) WHERE (released_at IS NULL);
CREATE INDEX servers_living_idx ON public.servers USING btree (created_at DESC, id DESC) WHERE (released_at IS NULL);
CREATE INDEX servers_search_idx ON public.servers USING gin (name gin_trgm_ops, os_name gin_trgm_ops);
CREATE INDEX servers_secret_idx ON public.servers USING btree (secret_id) WHERE (secret_id IS NOT NULL);
CREATE INDEX servers_ssh_idx ON public.servers USING btree (ssh_checked_at NULLS FIRST) WHERE (driver = 'ssh'::text);
CREATE INDEX servers_user_idx ON public.servers USING btree (user_id, created_at DESC) WHERE (user_id IS NOT NULL);

create table service_days (
  day date not null,
  service text not null,
  minutes integer not null,
  disturbed_minutes integer not null,
  lost_minutes double precision not null,
  disturbed boolean not null,
  looked_at timestamp with time zone not null,
  constraint service_days_pkey PRIMARY KEY (day, service),
  constraint service_days_disturbed_among_all CHECK (((disturbed_minutes >= 0) AND (disturbed_minutes <= minutes))),
  constraint service_days_lost_among_disturbed CHECK (((lost_minutes >= (0)::double precision) AND (lost_minutes <= (disturbed_minutes)::double precision))),
  constraint service_days_minutes_positive CHECK ((minutes > 0)),
  constraint service_days_service_known CHECK (((service = ANY (ARRAY['api'::text, 'shop'::text, 'payments'::text, 'set-ups'::text])) OR (service ~~ 'region:_%'::text)))
);

create table sessions (
  id uuid not null,
  token_hash bytea not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  address inet,
  user_agent text,
  revoked_at timestamp with time zone,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_token_hash_unique UNIQUE (token_hash),
  constraint sessions_token_hash_length CHECK ((length(token_hash) = 32)),
  constraint sessions_user_agent_length CHECK ((length(user_agent) <= 300)),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX sessions_address_idx ON public.sessions USING btree (user_id, address);
CREATE INDEX sessions_user_idx ON public.sessions USING btree (user_id) WHERE (revoked_at IS NULL);

create table settings (
  name text not null,
  value jsonb not null,
  updated_at timestamp with time zone not null,
  constraint settings_pkey PRIMARY KEY (name)
);

create table site_settings (
  version integer not null,
  settings jsonb not null,
  saved_by uuid not null,
  saved_at timestamp with time zone not null,
  constraint site_settings_pkey PRIMARY KEY (version),
  constraint site_settings_version_counts CHECK ((version > 0)),
  constraint site_settings_saved_by_fkey FOREIGN KEY (saved_by) REFERENCES users(id)
);

create table snapshots (
  id uuid not null,
  server_id uuid not null,
  placement_id uuid not null,
  generation integer not null,
  name text not null,
  disk_gb integer not null,
  secret_id uuid,
  created_at timestamp with time zone not null,
  made_at timestamp with time zone,
  iso_booted_at timestamp with time zone,
  constraint snapshots_pkey PRIMARY KEY (id),
  constraint snapshots_disk_gb_positive CHECK ((disk_gb > 0)),
  constraint snapshots_generation_positive CHECK ((generation >= 1)),
  constraint snapshots_name_length CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint snapshots_placement_id_fkey FOREIGN KEY (placement_id) REFERENCES placements(id),
  constraint snapshots_secret_id_fkey FOREIGN KEY (secret_id) REFERENCES machine_secrets(id),
  constraint snapshots_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id)
);
CREATE INDEX snapshots_placement_idx ON public.snapshots USING btree (placement_id);
CREATE INDEX snapshots_secret_idx ON public.snapshots USING btree (secret_id) WHERE (secret_id IS NOT NULL);
CREATE INDEX snapshots_server_idx ON public.snapshots USING btree (server_id, created_at DESC, id DESC);

create table ssh_keys (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  public_key text not null,
  fingerprint text not null,
  created_at timestamp with time zone not null,
  constraint ssh_keys_pkey PRIMARY KEY (id),
  constraint ssh_keys_user_id_fingerprint_unique UNIQUE (user_id, fingerprint),
  constraint ssh_keys_name_length CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint ssh_keys_public_key_length CHECK ((length(public_key) <= 4000)),
  constraint ssh_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table tenancies (
  order_id uuid not null,
  server_id uuid not null,
  from_at timestamp with time zone not null,
  until_at timestamp with time zone,
  constraint tenancies_pkey PRIMARY KEY (order_id),
  constraint tenancies_end_not_before_begin CHECK ((until_at >= from_at)),
  constraint tenancies_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint tenancies_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id),
  constraint tenancies_one_at_a_time EXCLUDE USING gist (server_id WITH =, tstzrange(from_at, until_at) WITH &&)
);

create table traffic_months (
  server_id uuid not null,
  month date not null,
  rx_bytes bigint default 0 not null,
  tx_bytes bigint default 0 not null,
  constraint traffic_months_pkey PRIMARY KEY (server_id, month),
  constraint traffic_months_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id)
);

create table user_notes (
  id uuid not null,
  user_id uuid not null,
  author_id uuid not null,
  body text not null,
  created_at timestamp with time zone not null,
  constraint user_notes_pkey PRIMARY KEY (id),
  constraint user_notes_body_length CHECK (((length(body) >= 1) AND (length(body) <= 2000))),
  constraint user_notes_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id),
  constraint user_notes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX user_notes_user_idx ON public.user_notes USING btree (user_id, created_at DESC, id DESC);

create table users (
  id uuid not null,
  username text not null,
  email text not null,
  password_hash text not null,
  role text default 'USER'::text not null,
  status text default 'active'::text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_length CHECK ((length(email) <= 200)),
  constraint users_role_known CHECK ((role = ANY (ARRAY['USER'::text, 'ADMIN'::text]))),
  constraint users_status_known CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text]))),
  constraint users_username_format CHECK ((username ~ '^[A-Za-z0-9_]{3,20}$'::text))
);
CREATE INDEX users_created_at_idx ON public.users USING btree (created_at DESC, id DESC);
CREATE UNIQUE INDEX users_email_key ON public.users USING btree (lower(email));
CREATE INDEX users_search_idx ON public.users USING gin (username gin_trgm_ops, email gin_trgm_ops);
CREATE UNIQUE INDEX users_username_key ON public.users USING btree (lower(username));

create table wallets (
  id uuid not null,
  user_id uuid not null,
  balance_fen bigint default 0 not null,
  last_seq bigint default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  last_entry_seq bigint generated always as (NULLIF(last_seq, 0)) stored,
  constraint wallets_pkey PRIMARY KEY (id),
  constraint wallets_id_user_id_unique UNIQUE (id, user_id),
  constraint wallets_user_id_unique UNIQUE (user_id),
  constraint wallets_balance_fen_not_negative CHECK ((balance_fen >= 0)),
  constraint wallets_begin_at_nothing CHECK (((last_seq > 0) OR (balance_fen = 0))),
  constraint wallets_last_seq_not_negative CHECK ((last_seq >= 0)),
  constraint wallets_last_entry FOREIGN KEY (id, last_entry_seq, balance_fen) REFERENCES ledger_entries(wallet_id, seq, after_fen) DEFERRABLE INITIALLY DEFERRED,
  constraint wallets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create view transactions as
 SELECT ledger_entries.id,
    ledger_entries.user_id,
    ledger_entries.number,
    ledger_entries.type,
        CASE
            WHEN (ledger_entries.type = 'ADJUSTMENT'::text) THEN ledger_entries.amount_fen
            ELSE abs(ledger_entries.amount_fen)
        END AS amount_fen,
    'COMPLETED'::text AS status,
    ledger_entries.before_fen,
    ledger_entries.after_fen,
    ledger_entries.description,
    ledger_entries.order_id,
    ledger_entries.payment_id,
    ledger_entries.created_at,
    ledger_entries.created_at AS completed_at
   FROM ledger_entries
UNION ALL
 SELECT payments.id,
    payments.user_id,
    payments.out_trade_no AS number,
    'RECHARGE'::text AS type,
    payments.money_fen AS amount_fen,
    payments.status,
    NULL::bigint AS before_fen,
    NULL::bigint AS after_fen,
    payments.note AS description,
    NULL::uuid AS order_id,
    payments.id AS payment_id,
    payments.created_at,
    NULL::timestamp with time zone AS completed_at
   FROM payments
  WHERE (payments.status <> 'SUCCESS'::text);

CREATE OR REPLACE FUNCTION public.begin_tenancy()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into tenancies (order_id, server_id, from_at, until_at)
    values (new.order_id, new.id, new.updated_at, case when new.released_at is not null then greatest(new.updated_at, new.released_at) end);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.first_known(kept real[], told real[])
 RETURNS real[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array_agg(coalesce(k, t) order by n) from unnest(kept, told) with ordinality as u (k, t, n)
$function$
;

CREATE OR REPLACE FUNCTION public.keep_metric_partitions(since timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET "TimeZone" TO 'UTC'
 SET lock_timeout TO '2s'
AS $function$
declare
  level record;
  start timestamptz;
  place text;
begin
  perform pg_advisory_xact_lock(hashtext('keep_metric_partitions'));
  for level in select * from (values
    ('samples', 'hour', interval '1 hour', interval '2 hours', interval '6 hours', array['minute']),
    ('minute_means', 'day', interval '1 day', interval '2 days', interval '2 days', array['quarter', 'hour']),
    ('quarter_means', 'day', interval '1 day', interval '60 days', interval '2 days', array[]::text[]),
    ('hour_means', 'month', interval '1 month', interval '2 years', interval '1 month', array[]::text[])
  ) as l (name, unit, width, kept, ahead, means) loop
    for start in select generate_series(date_trunc(level.unit, greatest(least(since, now()), now() - level.kept)), now() + level.ahead, level.width) loop
      place := level.name || to_char(start, '_YYYYMMDDHH24');
      continue when to_regclass('public.' || place) is not null;
      execute format('create table public.%I (like public.%I) with (toast_tuple_target = 8160)', place, level.name);
      execute format('alter table public.%I attach partition public.%I for values from (%L) to (%L)', level.name, place, start, start + level.width);
    end loop;
    for place, start in select c.relname, to_timestamp(right(c.relname, 10), 'YYYYMMDDHH24') from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = ('public.' || level.name)::regclass order by 2 loop
      exit when start + level.width > now() - level.kept;
      exit when exists (select from unnest(level.means) m where not exists (
        select from public.metric_levels l where l.name = m and l.packed_until >= start + level.width));
      begin
        execute format('drop table public.%I', place);
      exception when lock_not_available then
        exit; -- Read just now; it goes the next time.
      end;
    end loop;
  end loop;
end $function$
;

CREATE OR REPLACE FUNCTION public.keep_past_addresses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into past_addresses (address, server_id, from_at, until_at, outside, ports, first_port)
    select old.address, p.server_id, begun.at, greatest(begun.at, coalesce(new.free_since, now())), i.nat_address, i.nat_ports,
      -- Of IPv6 the difference may be more than a number holds.
      case when i.nat_address is not null
        then i.nat_first_port + (old.address - coalesce(i.first_address, i.network::inet + 1)) * i.nat_ports end
    from placements p join ip_pools i on i.id = old.pool_id left join order_upgrades u on u.id = old.upgrade_id
      cross join lateral (select greatest(u.created_at, p.created_at) as at) begun
    where p.id = old.placement_id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.keep_tenancies()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update tenancies set until_at = greatest(from_at, coalesce(new.released_at, new.updated_at))
    where order_id = old.order_id and server_id = new.id and until_at is null;
  if new.order_id is null or new.order_id is not distinct from old.order_id then return null; end if;
  insert into tenancies (order_id, server_id, from_at, until_at)
    select new.order_id, new.id, begun, case when new.released_at is not null then greatest(begun, new.released_at) end
    from (select greatest(new.updated_at, max(until_at)) as begun from tenancies where server_id = new.id) before;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.ledger_entries_are_final()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'ledger entries are never changed or removed' using errcode = 'integrity_constraint_violation';
end $function$
;

CREATE OR REPLACE FUNCTION public.ledger_entry_moves_wallet()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update wallets set balance_fen = new.after_fen, last_seq = new.seq, updated_at = new.created_at
    where id = new.wallet_id and last_seq = new.seq - 1 and balance_fen = new.before_fen;
  if not found then
    raise exception 'ledger entry % does not continue wallet %', new.seq, new.wallet_id using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.must_hold(holds boolean, name text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if not holds then
    raise exception '% does not hold', name using errcode = 'integrity_constraint_violation', constraint = name;
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION public.order_may_move(from_status text, to_status text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  return (from_status, to_status) in (
    ('PENDING', 'PAID'), ('PENDING', 'CANCELLED'),
    ('PAID', 'PROCESSING'), ('PAID', 'CANCELLED'),
    ('PROCESSING', 'ACTIVE'), ('PROCESSING', 'CANCELLED'),
    ('ACTIVE', 'ACTIVE'), ('ACTIVE', 'SUSPENDED'), ('ACTIVE', 'CANCELLED'),
    ('SUSPENDED', 'ACTIVE'), ('SUSPENDED', 'EXPIRED'), ('SUSPENDED', 'CANCELLED'));
end $function$
;

CREATE OR REPLACE FUNCTION public.placement_moves_host()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- held becomes releasing: nothing changes for the host, and its row need not be locked.
  if tg_op = 'UPDATE' and old.state <> 'freed' and new.state <> 'freed'
    and (old.cpu_cores, old.memory_mb, old.disk_gb, old.snapshot_gb) = (new.cpu_cores, new.memory_mb, new.disk_gb, new.snapshot_gb) then
    return null;
  end if;
  if tg_op = 'UPDATE' and old.state <> 'freed' then
    update hosts set used_cpu = used_cpu - old.cpu_cores, used_memory_mb = used_memory_mb - old.memory_mb,
      used_disk_gb = used_disk_gb - old.disk_gb - old.snapshot_gb where id = old.host_id;
  end if;
  if tg_op = 'UPDATE' and old.state = 'freed' and new.state <> 'freed' then
    raise exception 'a freed place does not come back' using errcode = 'integrity_constraint_violation';
  end if;
  if new.state <> 'freed' then
    update hosts set used_cpu = used_cpu + new.cpu_cores, used_memory_mb = used_memory_mb + new.memory_mb,
      used_disk_gb = used_disk_gb + new.disk_gb + new.snapshot_gb where id = new.host_id;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '%: %', tg_table_name, tg_argv[0] using errcode = 'integrity_constraint_violation', table = tg_table_name;
end $function$
;

CREATE TRIGGER addresses_keep_past AFTER UPDATE OF placement_id ON public.addresses FOR EACH ROW WHEN (((old.placement_id IS NOT NULL) AND (new.placement_id IS DISTINCT FROM old.placement_id))) EXECUTE FUNCTION keep_past_addresses();
CREATE TRIGGER audit_log_is_final BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION refuse_change('rows are never changed or removed');
CREATE TRIGGER audit_log_is_not_truncated BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('rows are never removed');
CREATE TRIGGER evacuations_is_final BEFORE DELETE OR UPDATE ON public.evacuations FOR EACH ROW EXECUTE FUNCTION refuse_change('rows are never changed or removed');
CREATE TRIGGER evacuations_is_not_truncated BEFORE TRUNCATE ON public.evacuations FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('rows are never removed');
CREATE TRIGGER incident_updates_is_final BEFORE DELETE OR UPDATE ON public.incident_updates FOR EACH ROW EXECUTE FUNCTION refuse_change('rows are never changed or removed');
CREATE TRIGGER incident_updates_is_not_truncated BEFORE TRUNCATE ON public.incident_updates FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('rows are never removed');
CREATE TRIGGER incidents_is_not_truncated BEFORE TRUNCATE ON public.incidents FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('rows are never removed');
CREATE TRIGGER incidents_stays BEFORE DELETE ON public.incidents FOR EACH ROW EXECUTE FUNCTION refuse_change('rows are never removed');
CREATE TRIGGER ledger_entries_are_final BEFORE DELETE OR UPDATE ON public.ledger_entries FOR EACH ROW EXECUTE FUNCTION ledger_entries_are_final();
CREATE TRIGGER ledger_entries_are_not_truncated BEFORE TRUNCATE ON public.ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION ledger_entries_are_final();
CREATE TRIGGER ledger_entry_moves_wallet AFTER INSERT ON public.ledger_entries FOR EACH ROW EXECUTE FUNCTION ledger_entry_moves_wallet();
CREATE TRIGGER order_periods_is_final BEFORE DELETE OR UPDATE ON public.order_periods FOR EACH ROW EXECUTE FUNCTION refuse_change('rows are never changed or removed');
CREATE TRIGGER order_periods_is_not_truncated BEFORE TRUNCATE ON public.order_periods FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('rows are never removed');
CREATE TRIGGER order_upgrades_charge_is_final BEFORE UPDATE ON public.order_upgrades FOR EACH ROW WHEN (((((new.charge_fen IS DISTINCT FROM old.charge_fen) OR (new.order_id IS DISTINCT FROM old.order_id)) OR (new.period_fen IS DISTINCT FROM old.period_fen)) OR (new.periods_paid IS DISTINCT FROM old.periods_paid))) EXECUTE FUNCTION refuse_change('what was paid never changes');
CREATE TRIGGER order_upgrades_is_not_truncated BEFORE TRUNCATE ON public.order_upgrades FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('rows are never removed');
CREATE TRIGGER order_upgrades_stays BEFORE DELETE ON public.order_upgrades FOR EACH ROW EXECUTE FUNCTION refuse_change('rows are never removed');
CREATE TRIGGER orders_begin_unpaid BEFORE INSERT ON public.orders FOR EACH ROW WHEN (((new.status <> 'PENDING'::text) OR (new.paid_fen IS NOT NULL))) EXECUTE FUNCTION refuse_change('an order begins unpaid');
CREATE TRIGGER orders_is_not_truncated BEFORE TRUNCATE ON public.orders FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('rows are never removed');
CREATE TRIGGER orders_move BEFORE UPDATE ON public.orders FOR EACH ROW WHEN (((old.status <> new.status) AND (NOT order_may_move(old.status, new.status)))) EXECUTE FUNCTION refuse_change('no order moves like this');
CREATE TRIGGER orders_paid_is_final BEFORE UPDATE ON public.orders FOR EACH ROW WHEN (((old.status <> 'PENDING'::text) AND (((new.amount_fen IS DISTINCT FROM old.amount_fen) OR (new.paid_fen IS DISTINCT FROM old.paid_fen)) OR (new.paid_at IS DISTINCT FROM old.paid_at)))) EXECUTE FUNCTION refuse_change('what was paid never changes');
CREATE TRIGGER orders_stays BEFORE DELETE ON public.orders FOR EACH ROW EXECUTE FUNCTION refuse_change('rows are never removed');
CREATE TRIGGER payment_trades_is_final BEFORE DELETE OR UPDATE ON public.payment_trades FOR EACH ROW EXECUTE FUNCTION refuse_change('rows are never changed or removed');
CREATE TRIGGER payment_trades_is_not_truncated BEFORE TRUNCATE ON public.payment_trades FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('rows are never removed');
CREATE TRIGGER payments_is_not_truncated BEFORE TRUNCATE ON public.payments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('rows are never removed');
CREATE TRIGGER payments_money_is_final BEFORE UPDATE ON public.payments FOR EACH ROW WHEN ((((((new.money_fen IS DISTINCT FROM old.money_fen) OR (new.user_id IS DISTINCT FROM old.user_id)) OR (new.out_trade_no IS DISTINCT FROM old.out_trade_no)) OR (new.merchant IS DISTINCT FROM old.merchant)) OR ((old.status = 'SUCCESS'::text) AND (((new.status IS DISTINCT FROM old.status) OR (new.completed_at IS DISTINCT FROM old.completed_at)) OR (new.trade_no IS DISTINCT FROM old.trade_no))))) EXECUTE FUNCTION refuse_change('what was paid never changes');
CREATE TRIGGER payments_stays BEFORE DELETE ON public.payments FOR EACH ROW EXECUTE FUNCTION refuse_change('rows are never removed');
CREATE TRIGGER placement_moves_host AFTER INSERT OR UPDATE ON public.placements FOR EACH ROW EXECUTE FUNCTION placement_moves_host();
CREATE TRIGGER refund_requests_is_not_truncated BEFORE TRUNCATE ON public.refund_requests FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('rows are never removed');
CREATE TRIGGER refund_requests_refund_is_final BEFORE UPDATE ON public.refund_requests FOR EACH ROW WHEN (((old.refunded_fen IS NOT NULL) AND (new.refunded_fen IS DISTINCT FROM old.refunded_fen))) EXECUTE FUNCTION refuse_change('what was paid back never changes');
CREATE TRIGGER refund_requests_stays BEFORE DELETE ON public.refund_requests FOR EACH ROW EXECUTE FUNCTION refuse_change('rows are never removed');
CREATE TRIGGER begin_tenancy AFTER INSERT ON public.servers FOR EACH ROW WHEN ((new.order_id IS NOT NULL)) EXECUTE FUNCTION begin_tenancy();
CREATE TRIGGER keep_tenancies AFTER UPDATE OF order_id, released_at ON public.servers FOR EACH ROW WHEN (((new.order_id IS DISTINCT FROM old.order_id) OR (new.released_at IS NOT NULL))) EXECUTE FUNCTION keep_tenancies();
CREATE TRIGGER user_notes_is_final BEFORE DELETE OR UPDATE ON public.user_notes FOR EACH ROW EXECUTE FUNCTION refuse_change('rows are never changed or removed');
CREATE TRIGGER user_notes_is_not_truncated BEFORE TRUNCATE ON public.user_notes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('rows are never removed');
CREATE TRIGGER wallets_keep_their_owner BEFORE UPDATE ON public.wallets FOR EACH ROW WHEN (((new.id <> old.id) OR (new.user_id <> old.user_id))) EXECUTE FUNCTION refuse_change('a wallet does not change its owner');
CREATE TRIGGER wallets_move_forward BEFORE UPDATE ON public.wallets FOR EACH ROW WHEN ((((new.last_seq IS DISTINCT FROM old.last_seq) OR (new.balance_fen IS DISTINCT FROM old.balance_fen)) AND (new.last_seq <> (old.last_seq + 1)))) EXECUTE FUNCTION refuse_change('a wallet only moves forward by one entry');
