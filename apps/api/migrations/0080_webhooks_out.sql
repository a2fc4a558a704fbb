-- Webhooks out: what happens here, told to programs of the provider. docs/adr/0098-webhooks-out.md

-- Reference table: where a provider wants to be told.
create table webhook_endpoint (
  id               uuid primary key,
  reseller_id      integer not null references reseller (id) on delete cascade,
  url              text not null check (url <> ''),
  description      text not null,
  -- Types of messages that it is sent; none: all.
  types            text[] not null,
  -- paused: messages are written and wait. disabled: none are written.
  state            text not null check (state in ('enabled', 'paused', 'disabled')),
  -- Why it is not enabled; null where a person has said so.
  state_reason     text,
  secret_sealed    bytea not null,
  -- Signs beside the new one for a while.
  previous_sealed  bytea,
  previous_until   timestamptz,
  -- Deliveries that failed one after the other, since when, and when the next may be tried.
  failures         integer not null default 0,
  failing_since    timestamptz,
  retry_at         timestamptz,
  last_problem     text,
  last_delivered_at timestamptz,
  version          integer not null default 1,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  unique (reseller_id, url),
  check ((previous_sealed is null) = (previous_until is null)),
  check ((failures = 0) = (failing_since is null))
);

-- Look-up table: until which day a reseller's endpoints were told of what days bring (due, overdue, expiring).
create table webhook_day (
  reseller_id  integer primary key references reseller (id) on delete cascade,
  day          date not null
);

-- Look-up table: a message, written with the change that it tells of, where somebody wants it.
create table webhook_message (
  id           uuid primary key,
  reseller_id  integer not null references reseller (id) on delete cascade,
  customer_id  uuid,
  type         text not null check (type <> ''),
  object_id    uuid not null,
  data         json not null,
  at           timestamptz not null
);
create index on webhook_message (reseller_id, id desc);
create index on webhook_message (customer_id) where customer_id is not null;
create index on webhook_message (at);

-- Look-up table: a message on its way to one endpoint.
create table webhook_delivery (
  endpoint_id   uuid not null references webhook_endpoint (id) on delete cascade,
  message_id    uuid not null references webhook_message (id) on delete cascade,
  object_id     uuid not null,
  -- Messages of one object go in this order. Whoever writes one holds a lock on what it is about.
  written_at    timestamptz not null default clock_timestamp(),
  state         text not null check (state in ('waiting', 'delivered', 'givenUp')),
  tries         integer not null default 0,
  next_try_at   timestamptz not null,
  -- Who sends it has it until then.
  leased_until  timestamptz,
  -- What fails after this is given up.
  until         timestamptz not null,
  ended_at      timestamptz,
  primary key (endpoint_id, message_id),
  check ((state = 'waiting') = (ended_at is null))
);
create index on webhook_delivery (message_id);
create index webhook_delivery_due on webhook_delivery (endpoint_id, next_try_at) where state = 'waiting';
create index webhook_delivery_order on webhook_delivery (endpoint_id, object_id, written_at) where state = 'waiting';
create index webhook_delivery_given_up on webhook_delivery (endpoint_id, ended_at) where state = 'givenUp';

-- Look-up table: one try of a delivery.
create table webhook_try (
  endpoint_id  uuid not null,
  message_id   uuid not null,
  number       integer not null,
  at           timestamptz not null,
  took_ms      integer not null,
  -- Null where there was no answer.
  status       integer,
  problem      text,
  -- The beginning of it.
  answer       text,
  primary key (endpoint_id, message_id, number),
  foreign key (endpoint_id, message_id) references webhook_delivery (endpoint_id, message_id) on delete cascade
);
