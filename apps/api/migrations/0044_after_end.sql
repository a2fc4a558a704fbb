-- What is still to be done once an attempt has ended: see docs/adr/0067-after-the-end.md.

-- {"cleanUp": true, "recheckMs": [86400000]} as its gateway account said when the attempt was written; null for nothing.
alter table attempt add column after_end jsonb;

create table after_end_task (
  customer_id         uuid not null,
  attempt_id          uuid not null,
  -- recheck: ask what became of the charge since; cleanUp: remove what was made at the gateway for it.
  task                text not null check (task in ('recheck', 'cleanUp')),
  gateway_account_id  uuid not null,
  ended_at            timestamptz not null,
  -- Null: nothing more to do. While a process is at it, until when it is that process's.
  next_at             timestamptz,
  -- When it was last taken.
  taken_at            timestamptz,
  -- In vain, since it last succeeded.
  tries               integer not null default 0,
  primary key (customer_id, attempt_id, task),
  foreign key (customer_id, attempt_id) references attempt (customer_id, id)
);
create index after_end_task_due on after_end_task (gateway_account_id, next_at) where next_at is not null;
