-- The audit trail is sealed: a chain of hashes over its lines, a minute or more after they were written, so that a line that is
-- changed, taken away or put in later is seen. docs/adr/0108-audit-seals.md
alter table audit_event add column seal bigint;
create index audit_event_unsealed on audit_event (id) where seal is null;
create index audit_event_sealed on audit_event (seal) where seal is not null;

-- Look-up table: one link of the chain, over so many lines. Rows are never changed.
create table audit_seal (
  n        bigint primary key check (n > 0),
  lines    integer not null check (lines > 0),
  -- Of the seal before; of the first one 32 zero bytes.
  previous bytea not null check (length(previous) = 32),
  hash     bytea not null check (length(hash) = 32),
  at       timestamptz not null
);
