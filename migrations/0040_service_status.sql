-- What was seen of the services, a look each minute, summed up by day of Shanghai: for how many minutes somebody looked, in
-- how many something was missing, and how much of them that was (one host of four for a minute: a quarter).
create table service_days (
  day date not null,
  service text not null
    constraint service_days_service_known check (service in ('api', 'shop', 'payments', 'set-ups') or service like 'region:_%'),
  minutes integer not null constraint service_days_minutes_positive check (minutes > 0),
  disturbed_minutes integer not null,
  lost_minutes double precision not null,
  -- Of the last look.
  disturbed boolean not null,
  looked_at timestamptz not null,
  primary key (day, service),
  constraint service_days_disturbed_among_all check (disturbed_minutes between 0 and minutes),
  constraint service_days_lost_among_disturbed check (lost_minutes between 0 and disturbed_minutes)
);

-- What staff tells of what went wrong. Only its end is ever set; what was said stays.
create table incidents (
  id uuid primary key,
  title text not null constraint incidents_title_length check (length(title) between 1 and 100),
  services text[] not null constraint incidents_services_some check (cardinality(services) between 1 and 50),
  starts_at timestamptz not null,
  ends_at timestamptz,
  created_by uuid not null references users,
  created_at timestamptz not null,
  constraint incidents_ends_after_start check (ends_at >= starts_at)
);
create index incidents_started_idx on incidents (starts_at desc, id desc);
create index incidents_open_idx on incidents (starts_at desc) where ends_at is null;

create table incident_updates (
  id uuid primary key,
  incident_id uuid not null references incidents,
  state text not null
    constraint incident_updates_state_known check (state in ('investigating', 'identified', 'monitoring', 'resolved')),
  body text not null constraint incident_updates_body_length check (length(body) between 1 and 2000),
  created_by uuid not null references users,
  created_at timestamptz not null
);
create index incident_updates_incident_idx on incident_updates (incident_id, created_at desc, id desc);

create trigger incident_updates_is_final before update or delete on incident_updates
  for each row execute function refuse_change('rows are never changed or removed');
create trigger incident_updates_is_not_truncated before truncate on incident_updates
  for each statement execute function refuse_change('rows are never removed');
create trigger incidents_stays before delete on incidents
  for each row execute function refuse_change('rows are never removed');
create trigger incidents_is_not_truncated before truncate on incidents
  for each statement execute function refuse_change('rows are never removed');
