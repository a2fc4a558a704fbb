-- What was taken in, and what could not be.

create table import_file (
  id            uuid primary key,
  reseller_id   integer not null,
  name          text not null,
  digest        bytea not null,
  format        text,
  state         text not null check (state in ('running', 'done', 'failed')),
  created_n     integer not null default 0,
  updated_n     integer not null default 0,
  unchanged_n   integer not null default 0,
  quarantined_n integer not null default 0,
  warnings      jsonb not null default '[]',
  started_at    timestamptz not null,
  finished_at   timestamptz
);
create index on import_file (reseller_id, started_at desc);

create table import_quarantine (
  id           uuid primary key,
  file_id      uuid not null references import_file (id),
  line         integer,
  reason       text not null,
  at           timestamptz not null
);
create index on import_quarantine (file_id);
