-- What is sold: categories, server groups, price groups, operating-system images.

create table categories (
  id uuid primary key,
  name text not null unique check (length(name) between 1 and 100),
  description text,
  sort_order integer not null default 0,
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table server_groups (
  id uuid primary key,
  category_id uuid not null references categories,
  name text not null check (length(name) between 1 and 100),
  description text,
  region text,
  country text,
  city text,
  -- spread: the emptiest host first; pack: the fullest that still has room.
  placement text not null default 'spread' check (placement in ('spread', 'pack')),
  sort_order integer not null default 0,
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (category_id, name)
);

create table images (
  id uuid primary key,
  os_name text not null check (length(os_name) between 1 and 100),
  os_version text not null check (length(os_version) between 1 and 100),
  file text not null unique check (file ~ '^[A-Za-z0-9._-]+$'),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  readiness text not null default 'ssh' check (readiness in ('ssh', 'guest-agent', 'none')),
  username text not null default 'root' check (username ~ '^[a-z_][a-z0-9_-]{0,31}$'),
  min_disk_gb integer not null default 1 check (min_disk_gb > 0),
  is_active boolean not null default true,
  sort_order integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index images_os_key on images (os_name, os_version) where is_active;

create table price_groups (
  id uuid primary key,
  name text not null unique check (length(name) between 1 and 100),
  description text,
  server_group_id uuid not null references server_groups,
  hourly_fen bigint not null check (hourly_fen >= 0),
  daily_fen bigint not null check (daily_fen >= 0),
  monthly_fen bigint not null check (monthly_fen >= 0),
  quarterly_fen bigint not null check (quarterly_fen >= 0),
  semi_annual_fen bigint not null check (semi_annual_fen >= 0),
  annual_fen bigint not null check (annual_fen >= 0),
  -- Monthly rates of resources above the included ones; storage per started 10 GB.
  cpu_rate_fen bigint not null default 0 check (cpu_rate_fen >= 0),
  memory_rate_fen bigint not null default 0 check (memory_rate_fen >= 0),
  storage_rate_fen bigint not null default 0 check (storage_rate_fen >= 0),
  bandwidth_rate_fen bigint not null default 0 check (bandwidth_rate_fen >= 0),
  ip_rate_fen bigint not null default 0 check (ip_rate_fen >= 0),
  sales_page_html text check (octet_length(sales_page_html) <= 65536),
  has_discount boolean not null default false,
  discount_percentage numeric(5, 2) check (discount_percentage > 0 and discount_percentage <= 100),
  discount_start timestamptz,
  discount_end timestamptz,
  sort_order integer not null default 1 check (sort_order >= 0),
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (discount_end is null or discount_start is null or discount_end >= discount_start)
);
create index price_groups_group_idx on price_groups (server_group_id, sort_order);
