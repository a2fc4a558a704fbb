-- How usage files are mapped, and how far an import has come.

-- A provider's own mappings, as packages/contract/src/usage-import.ts describes them; the ready ones are in the program.
create table usage_mapping (
  reseller_id  integer not null references reseller (id),
  name         text not null,
  definition   jsonb not null,
  changed_at   timestamptz not null,
  primary key (reseller_id, name)
);

-- Where a record stands now, for sources that may move one in time.
create table usage_key (
  customer_id  uuid not null,
  id           uuid not null,
  started_at   timestamptz not null,
  primary key (customer_id, id)
);

-- 'waiting': uploaded, and its job has not begun. Rows read and rows merged say how far a running one is.
alter table import_file drop constraint import_file_state_check;
alter table import_file add check (state in ('waiting', 'running', 'done', 'failed'));
alter table import_file
  add column options  jsonb not null default '{}',
  add column read_n   bigint not null default 0,
  add column merged_n bigint not null default 0,
  add column units    numeric(24,6) not null default 0,
  add column price    numeric(24,6) not null default 0,
  add column file_key text;
create index on import_file (reseller_id, digest) where state = 'running';

-- Programs of a provider. Only a hash of the key is kept.
create table api_key (
  id            uuid primary key,
  reseller_id   integer not null references reseller (id),
  name          text not null,
  hash          bytea not null unique,
  created_at    timestamptz not null,
  last_used_at  timestamptz,
  revoked_at    timestamptz,
  unique (reseller_id, name)
);
