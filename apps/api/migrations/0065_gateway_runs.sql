-- When each secret setting of a gateway account was set, by its name. It is not known of what was set before.
alter table gateway_account add column secrets_set_at jsonb not null default '{}';

-- Reference table: runs of the cases of `gateway verify` that the operator API was asked for, while they go on and after.
-- What one found stands in gateway_verification too.
create table gateway_verification_run (
  id                  uuid primary key,
  gateway_account_id  uuid not null references gateway_account (id),
  created_at          timestamptz not null,
  -- As the audit trail names them.
  created_by          text not null,
  -- Names of cases; null: all.
  only_cases          text[],
  currency            text,
  key_mode            text not null check (key_mode in ('test', 'word')),
  -- Settings for this run only, sealed; taken away when it ends.
  settings            bytea,
  with_given_keys     boolean not null,
  begun_at            timestamptz,
  -- When the worker last said that it goes on.
  seen_at             timestamptz,
  ended_at            timestamptz,
  -- Ended without a report: the worker did, or nobody took it.
  is_broken           boolean not null default false,
  is_recorded         boolean not null default false,
  results             jsonb not null default '[]',
  not_checked         jsonb not null default '[]',
  left_behind         jsonb not null default '[]',
  check (ended_at is null or settings is null)
);
create index on gateway_verification_run (gateway_account_id, created_at);
-- One at a time of an account: two would find each other's payments.
create unique index on gateway_verification_run (gateway_account_id) where ended_at is null;
