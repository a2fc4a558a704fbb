-- Look-up table: how far a limit is used up, by a keyed hash of what it counts; nobody's address or user name stands
-- here. Unlogged, because it is written at every sign-in and lives for minutes: such a write waits for no disk. What
-- is lost when the database server crashes (not when it is stopped) is that some people may try again sooner. The
-- pages are half filled and vacuumed early, so that a key that is counted again and again stays in its place.
create unlogged table rate_limit (
  key         bytea primary key,
  -- When everything that was used is free again (generic cell rate algorithm). Past: as good as no row.
  used_until  timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Where a person has signed in, or set a password by a mailed link, nobody elsewhere can use up their tries: the
-- address, or the /64 of an IPv6 address.
alter table user_session add column network text;
create index on user_session (user_id, network, last_used_at);
alter table one_time_token add column used_from text;
create index on one_time_token (user_id, used_from) where used_from is not null;
