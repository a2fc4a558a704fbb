-- Imports that are looked at before they begin, and taken back after they have ended.
alter table import_file drop constraint import_file_state_check;
alter table import_file add check (
  state in ('checking', 'checked', 'waiting', 'running', 'done', 'failed', 'undoing', 'undone', 'discarded'));
alter table import_file
  -- Who brought it, as the audit trail names them, and how large it was, in bytes.
  add column added_by     text,
  add column size_bytes   bigint,
  -- What its dry run found.
  add column preview      jsonb,
  -- Records that it corrected; null where what it made was not kept: it cannot be taken back.
  add column corrected_n  integer,
  -- What was taken out again of what it made, and why that was refused.
  add column undone_n     integer not null default 0,
  add column undo_refused text;
create index on import_file (reseller_id, id);
create index on import_file (started_at) where state = 'checked';

-- What an import made, as long as it can be taken back: records of one customer and month, or one invoice.
create table import_change (
  id           uuid primary key,
  file_id      uuid not null references import_file (id),
  kind         text not null check (kind in ('usage', 'invoice')),
  customer_id  uuid not null,
  -- First day of the records' month, UTC.
  month        date,
  ids          uuid[] not null,
  -- Of records: when each began, and what it said.
  started_at   timestamptz[],
  hashes       bigint[],
  made_at      timestamptz not null,
  check ((kind = 'usage') = (month is not null))
);
create index on import_change (file_id);
create index on import_change (made_at);
