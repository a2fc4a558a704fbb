-- A debit that has failed and for which the bank is asked again is an attempt of its own, which the gateway makes: it holds
-- the invoices until it has ended. See docs/adr/0069-debits-sent-again.md.
alter table attempt drop constraint attempt_direction_check;
alter table attempt add constraint attempt_direction_check check (direction in ('charge', 'refund', 'resubmission'));
alter table pay_session drop constraint pay_session_origin_check;
alter table pay_session add constraint pay_session_origin_check
  check (origin in ('public', 'bulk', 'auto', 'operator', 'gateway'));

create table resubmission (
  customer_id    uuid not null,
  -- The attempt that the gateway makes.
  attempt_id     uuid not null,
  -- The charge that has failed.
  of_attempt_id  uuid not null,
  -- What the gateway calls it, as in reversal.
  remote         text not null,
  primary key (customer_id, attempt_id),
  unique (customer_id, of_attempt_id, remote),
  foreign key (customer_id, attempt_id) references attempt (customer_id, id),
  foreign key (customer_id, of_attempt_id) references attempt (customer_id, id)
);

-- Failures that took no money back, because none had come: of a collection that failed. Each is told once.
create table failed_collection (
  customer_id    uuid not null,
  of_attempt_id  uuid not null,
  -- What the gateway calls the failure, as in reversal.
  remote         text not null,
  primary key (customer_id, of_attempt_id, remote),
  foreign key (customer_id, of_attempt_id) references attempt (customer_id, id)
);
