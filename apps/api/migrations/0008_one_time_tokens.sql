-- Look-up table: links that were mailed and open an account once. Only the hash of a token is kept.
create table one_time_token (
  hash        bytea primary key,
  kind        text not null check (kind in ('reset', 'registration')),
  user_id     uuid not null references app_user (id) on delete cascade,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  used_at     timestamptz,
  -- A newer token, or a password set another way, made this one useless.
  retired_at  timestamptz,
  check (used_at is null or retired_at is null)
);
-- At most one link of a kind opens an account at any time.
create unique index on one_time_token (user_id, kind) where used_at is null and retired_at is null;
