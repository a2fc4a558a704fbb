-- Look-up tables: each answers by its own key.

create table user_session (
  id           uuid primary key,
  user_id      uuid not null references app_user (id) on delete cascade,
  created_at   timestamptz not null,
  last_used_at timestamptz not null,
  expires_at   timestamptz not null,
  ended_at     timestamptz,
  end_reason   text check (end_reason in ('logout', 'reuse', 'password', 'removed', 'expired')),
  address      text,
  agent        text,
  actor        text,
  check ((ended_at is null) = (end_reason is null))
);
create index on user_session (user_id) where ended_at is null;

-- Only the hash of a refresh token is kept. A spent one keeps its successor, sealed, for the ten seconds
-- in which a lost answer may be asked for again; after that, its return ends the whole session.
create table refresh_token (
  hash              bytea primary key,
  session_id        uuid not null references user_session (id) on delete cascade,
  issued_at         timestamptz not null,
  expires_at        timestamptz not null,
  spent_at          timestamptz,
  successor_sealed  bytea
);
create index on refresh_token (session_id);
