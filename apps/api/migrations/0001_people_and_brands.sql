-- Reference tables: small, the same everywhere, no customer in their key.

create table reseller (
  id          integer primary key,
  name        text not null check (name <> ''),
  settings    jsonb not null default '{}',
  created_at  timestamptz not null default now()
);

create table brand (
  id           integer primary key,
  reseller_id  integer references reseller (id),
  name         text not null,
  company_name text not null,
  colours      text[] not null check (cardinality(colours) = 7),
  settings     jsonb not null default '{}',
  time_zone    text not null default 'UTC',
  currency     text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  created_at   timestamptz not null default now(),
  check ((id = 0) = (reseller_id is null))
);
create index on brand (reseller_id, id);

-- A brand is found by the host name of the page before anybody has signed in.
create table brand_host (
  host      text primary key check (host = lower(host)),
  brand_id  integer not null references brand (id),
  is_main   boolean not null default false
);
create unique index on brand_host (brand_id) where is_main;

create table brand_image (
  brand_id      integer not null references brand (id),
  kind          text not null check (kind in ('logo', 'banner')),
  content_type  text not null,
  content       bytea not null,
  primary key (brand_id, kind)
);

-- Built-in default brand: its images are used when a brand's own do not load.
insert into brand (id, reseller_id, name, company_name, colours)
values (0, null, 'Counterfoil', 'Counterfoil',
        array['#ffffff', '#3598db', '#94a1a3', '#def1fe', '#005e80', '#eef8fe', '#e7ebef']);

create table service (
  id                   uuid primary key,
  reseller_id          integer not null references reseller (id),
  code                 text not null,
  name                 text not null,
  service_item_label   text,
  service_item2_label  text,
  service_item3_label  text,
  units_label          text,
  record_type_label    text,
  unique (reseller_id, code)
);

create table record_type (
  id           uuid primary key,
  reseller_id  integer not null references reseller (id),
  service_id   uuid not null references service (id),
  code         text not null,
  description  text not null,
  unique (reseller_id, service_id, code)
);

create table gateway_account (
  id           uuid primary key,
  reseller_id  integer not null references reseller (id),
  gateway      text not null,
  config       jsonb not null default '{}',
  secrets      bytea,
  is_active    boolean not null default true,
  created_at   timestamptz not null default now()
);
-- One gateway per reseller at a time; earlier ones stay for their payments.
create unique index on gateway_account (reseller_id) where is_active;

create table app_user (
  id             uuid primary key,
  reseller_id    integer not null references reseller (id),
  email          text not null check (email = lower(email)),
  display_name   text not null,
  password_hash  text,
  is_active      boolean not null default true,
  created_at     timestamptz not null default now(),
  unique (email)
);

create table membership (
  user_id      uuid not null references app_user (id) on delete cascade,
  customer_id  uuid not null,
  created_at   timestamptz not null default now(),
  primary key (user_id, customer_id)
);
create index on membership (customer_id);
