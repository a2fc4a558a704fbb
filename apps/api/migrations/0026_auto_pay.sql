-- Charging due invoices by themselves: see docs/adr/0029-auto-pay.md.

-- How auto-pay stands with one invoice.
create table autopay_plan (
  customer_id        uuid not null references customer (customer_id),
  invoice_id         uuid not null,
  -- announced: to be charged on `charge_on`; noMethod: the customer was told that nothing can be charged;
  -- charging: an attempt is under way; skipped: begins anew once the reason is gone; done and stopped: for good.
  state              text not null check (state in ('announced', 'noMethod', 'charging', 'skipped', 'done', 'stopped')),
  reason             text,
  charge_on          date,
  -- Never is more charged than was announced, minor units.
  announced_minor    bigint check (announced_minor > 0),
  announced_at       timestamptz,
  payment_method_id  uuid,
  attempt_id         uuid,
  runs               smallint not null default 0,
  declines           smallint not null default 0,
  failures           smallint not null default 0,
  first_on           date,
  updated_at         timestamptz not null,
  primary key (customer_id, invoice_id),
  foreign key (customer_id, invoice_id) references invoice (customer_id, id),
  foreign key (customer_id, attempt_id) references attempt (customer_id, id),
  check ((state = 'charging') = (attempt_id is not null)),
  check (state <> 'announced' or (charge_on is not null and announced_minor is not null and announced_at is not null))
);
create index on autopay_plan (charge_on) where state = 'announced';
create index on autopay_plan (customer_id, attempt_id) where state = 'charging';

-- One decision to charge, committed before the gateway is called: with the attempt it made, or why it made none.
create table autopay_run (
  customer_id        uuid not null,
  invoice_id         uuid not null,
  run_no             smallint not null check (run_no > 0),
  attempt_id         uuid,
  payment_method_id  uuid,
  reason             text,
  at                 timestamptz not null,
  primary key (customer_id, invoice_id, run_no),
  unique (customer_id, attempt_id),
  foreign key (customer_id, invoice_id) references autopay_plan (customer_id, invoice_id),
  foreign key (customer_id, attempt_id) references attempt (customer_id, id),
  check ((attempt_id is null) = (reason is not null))
);

create index on invoice (due_on) where status = 10 and kind = 'invoice';
-- What was given back of a charge, and what is on its way back.
create index on attempt (customer_id, of_capture_id) where of_capture_id is not null;
