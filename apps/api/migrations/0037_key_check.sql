-- Tells whether a process has the SECRET_KEY of this installation: see docs/adr/0044-a-start-that-says-why-not.md.
-- A digest under a use of its own: of the key it says nothing.
create table key_check (
  is_only  boolean primary key default true check (is_only),
  digest   bytea not null,
  made_at  timestamptz not null default now()
);
