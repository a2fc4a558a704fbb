-- Support that may only look, for a time that is said: whatever would change something is refused in such a session.
alter table login_code
  add column look_only boolean not null default false,
  add column session_seconds integer not null default 28800 check (session_seconds between 60 and 28800);
alter table user_session add column look_only boolean not null default false;
