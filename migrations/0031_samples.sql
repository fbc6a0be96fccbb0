-- What machines and hosts used, every 10 s, and means of it that live longer: partitions are made ahead and dropped by age.

-- What a source told at a moment of all that it tells of: a host of itself and its running machines, a dedicated server of itself.
-- Arrays of one order: a host's machines are one row.
create table samples (
  source_id uuid not null,
  at timestamptz not null,
  subject_ids uuid[] not null,
  cpu_usage real[] not null,
  memory_usage real[] not null,
  disk_usage real[] not null,
  rx_rate real[] not null,
  tx_rate real[] not null,
  -- The source's own.
  load1 real,
  constraint samples_pkey primary key (source_id, at)
) partition by range (at);

-- A row of an hour's 60 minutes, a day's 96 quarters of an hour, a day's 24 hours; null where nothing was told.
create table minute_means (
  subject_id uuid not null,
  at timestamptz not null,
  cpu_usage real[] not null,
  memory_usage real[] not null,
  disk_usage real[] not null,
  rx_rate real[] not null,
  tx_rate real[] not null,
  load1 real[] not null,
  constraint minute_means_pkey primary key (subject_id, at)
) partition by range (at);
create table quarter_means (like minute_means, constraint quarter_means_pkey primary key (subject_id, at)) partition by range (at);
create table hour_means (like minute_means, constraint hour_means_pkey primary key (subject_id, at)) partition by range (at);

-- Up to when means are made; what is newer is read from what they are made of.
create table metric_levels (
  name text primary key constraint metric_levels_name_known check (name in ('minute', 'quarter', 'hour')),
  packed_until timestamptz not null
);

-- The application's role owns nothing: this makes the partitions that are missing, from a moment on where one is given, and drops
-- those that are too old, and nothing else. What no mean was made of yet stays.
create function keep_metric_partitions(since timestamptz default null) returns void language plpgsql
  security definer set search_path = pg_catalog, pg_temp set timezone = 'UTC' set lock_timeout = '2s' as $$
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
end $$;

-- Minutes that were known stay, and gaps are filled.
create function first_known(kept real[], told real[]) returns real[] language sql immutable parallel safe as $$
  select array_agg(coalesce(k, t) order by n) from unnest(kept, told) with ordinality as u (k, t, n)
$$;

-- What there is: minutes of two days, means of all of it.
select keep_metric_partitions(now() - interval '60 days');
insert into metric_levels values ('minute', date_bin('1 hour', now(), to_timestamp(0))), ('quarter', date_bin('1 day', now(), to_timestamp(0))),
  ('hour', date_bin('1 day', now(), to_timestamp(0)));

create temp view told as
  select server_id as subject_id, at, cpu_usage, memory_usage, disk_usage, null::real as load1,
    -- A counter that fell was restarted with its domain: that step has no rate.
    (nullif(greatest(rx_bytes - lag(rx_bytes) over w, -1), -1) / extract(epoch from at - lag(at) over w))::real as rx_rate,
    (nullif(greatest(tx_bytes - lag(tx_bytes) over w, -1), -1) / extract(epoch from at - lag(at) over w))::real as tx_rate
  from metric_samples where at >= now() - interval '60 days' window w as (partition by server_id order by at)
  union all
  select host_id, at, cpu_usage, memory_usage, disk_usage, load1, null, null from host_samples where at >= now() - interval '60 days';

do $$
declare
  level record;
begin
  for level in select * from (values
    ('minute_means', interval '1 minute', interval '1 hour', 60, now() - interval '2 days', 'minute'),
    ('quarter_means', interval '15 minutes', interval '1 day', 96, now() - interval '60 days', 'quarter'),
    ('hour_means', interval '1 hour', interval '1 day', 24, now() - interval '60 days', 'hour')
  ) as l (place, step, length, steps, since, name) loop
    execute format($q$
      with points as (
        select subject_id, date_bin(%1$L, at, to_timestamp(0)) as chunk,
          (extract(epoch from at - date_bin(%1$L, at, to_timestamp(0))) / extract(epoch from %2$L::interval))::numeric as n,
          cpu_usage, memory_usage, disk_usage, rx_rate, tx_rate, load1
        from told where at >= date_bin(%1$L, %3$L, to_timestamp(0)) and at < (select packed_until from metric_levels where name = %4$L)),
      steps as (
        select subject_id, chunk, floor(n)::int as n, avg(cpu_usage)::real as cpu_usage, avg(memory_usage)::real as memory_usage,
          avg(disk_usage)::real as disk_usage, avg(rx_rate)::real as rx_rate, avg(tx_rate)::real as tx_rate, avg(load1)::real as load1
        from points group by 1, 2, 3)
      insert into %5$I
      select c.subject_id, c.chunk, array_agg(s.cpu_usage order by g.n), array_agg(s.memory_usage order by g.n), array_agg(s.disk_usage order by g.n),
        array_agg(s.rx_rate order by g.n), array_agg(s.tx_rate order by g.n), array_agg(s.load1 order by g.n)
      from (select distinct subject_id, chunk from steps) c cross join generate_series(0, %6$s - 1) g (n)
        left join steps s on s.subject_id = c.subject_id and s.chunk = c.chunk and s.n = g.n
      group by 1, 2
    $q$, level.length, level.step, level.since, level.name, level.place, level.steps);
  end loop;
end $$;

insert into samples
  select subject_id, at, array[subject_id], array[cpu_usage], array[memory_usage], array[disk_usage], array[rx_rate], array[tx_rate], load1
  from told where at >= date_bin('1 hour', now(), to_timestamp(0));
drop view told;

-- Processes of the version before write these until they are restarted, and their charts end where the new ones begin; the next version
-- drops them with the triggers (migrations/README.md).
comment on table metric_samples is 'unused since 0031';
comment on table host_samples is 'unused since 0031';

create function copy_to_samples() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'host_samples' then
    insert into samples values (new.host_id, new.at, array[new.host_id], array[new.cpu_usage], array[new.memory_usage],
      array[new.disk_usage], array[null::real], array[null::real], new.load1) on conflict do nothing;
  else
    insert into samples values (new.server_id, new.at, array[new.server_id], array[new.cpu_usage], array[new.memory_usage],
      array[new.disk_usage], array[null::real], array[null::real], null) on conflict do nothing;
  end if;
  return null;
exception when check_violation then
  return null; -- No partition: the processes of the version before make none.
end $$;
create trigger copy_to_samples after insert on metric_samples for each row execute function copy_to_samples();
create trigger copy_to_samples after insert on host_samples for each row execute function copy_to_samples();
