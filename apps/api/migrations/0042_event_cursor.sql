-- How far the events of a gateway account were read, where its gateway is asked for them. A poll takes the row until
-- next_poll_at, so that several processes ask once.
create table event_cursor (
  gateway_account_id  uuid primary key,
  cursor              text,
  next_poll_at        timestamptz not null
);
