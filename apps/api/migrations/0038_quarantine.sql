-- What imports could not take in, kept as it stood in its file until it is in or somebody drops it.

-- How the rows that are kept of a file are read again: its mapping, and the columns its header names.
alter table import_file add column source jsonb;
alter table import_quarantine add column cause text;

create table quarantine_entry (
  id             uuid primary key,
  reseller_id    integer not null references reseller (id),
  -- The last import that met it.
  file_id        uuid not null references import_file (id),
  kind           text not null check (kind in ('usage', 'invoice', 'file')),
  -- What it is in the books once it is in: the id of its usage record, or made of what names the document or the file.
  identity       uuid not null,
  -- Of identical rows of its file without a key, which one.
  ordinal        integer not null,
  line           integer,
  cause          text not null,
  reason         text not null,
  -- Numbers or names of which any would say whose it is.
  missing        text[] not null,
  -- Absent where it cannot be tried again by itself.
  record         bytea,
  first_seen_at  timestamptz not null,
  tries          integer not null default 0,
  tried_at       timestamptz,
  next_try_at    timestamptz not null,
  unique (reseller_id, identity)
);
create index on quarantine_entry (file_id);
create index on quarantine_entry (next_try_at) where record is not null;
