-- Look-up table: drafts of brands that are looked at before they are published, for an hour. Only the hash of the address is kept.
create table brand_preview (
  hash         bytea primary key,
  brand_id     integer not null references brand (id) on delete cascade,
  draft        jsonb not null,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  check (expires_at > created_at)
);
create index on brand_preview (brand_id);
create index on brand_preview (expires_at);
