-- What `counterfoil gateway verify` found: one row a run that reached the gateway.
create table gateway_verification (
  id                  uuid primary key,
  gateway_account_id  uuid not null references gateway_account (id),
  ended_at            timestamptz not null,
  api_version         text not null,
  program_version     text not null,
  -- Where the calls went instead of to the provider's own addresses (a sandbox, a proxy); null: to these.
  elsewhere           text,
  -- 'test': the settings say so; 'word': only the operator did.
  key_mode            text not null check (key_mode in ('test', 'word')),
  -- Keys given for this run only, not those the account has.
  with_given_keys     boolean not null,
  -- All cases, not some by name.
  is_whole            boolean not null,
  passed              integer not null check (passed >= 0),
  failed              integer not null check (failed >= 0),
  unreachable         integer not null check (unreachable >= 0),
  not_run             integer not null check (not_run >= 0),
  not_available       integer not null check (not_available >= 0),
  cases               jsonb not null
);
create index on gateway_verification (gateway_account_id, ended_at);
