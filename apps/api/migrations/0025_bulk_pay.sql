-- Paying several invoices at once, and the customer's credit that is used for it: see docs/adr/0028-bulk-pay.md.

-- How a session stands follows from its attempts; a column beside them could say something else.
alter table pay_session drop column status;
-- The portal's own id, given back unchanged.
alter table pay_session add column client_id text;
-- Credit paid all of it: there is no attempt, and this is its reference.
alter table pay_session add column settled_ref text;
alter table pay_session add column settled_at timestamptz;
alter table pay_session add constraint pay_session_settled check ((settled_at is null) = (settled_ref is null));

-- Look-up: `pay_session.public_id` is random and tells, to whoever has it, how that payment stands. Sessions made before
-- this table had guessable ones and are not in it.
create table pay_session_ref (
  public_id    text primary key,
  customer_id  uuid not null,
  session_id   uuid not null
);

-- The customer's credit in one currency: what the ledger says, kept where it can be locked and promised.
create table customer_credit (
  customer_id      uuid not null references customer (customer_id),
  currency         text not null check (currency ~ '^[A-Z]{3}$'),
  balance_minor    bigint not null default 0,
  -- Promised to open attempts; never more than there is.
  held_minor       bigint not null default 0,
  -- A payment that became credit came back after the credit was used: the ledger's balance is balance - overdrawn.
  overdrawn_minor  bigint not null default 0 check (overdrawn_minor >= 0),
  primary key (customer_id, currency),
  check (held_minor between 0 and balance_minor)
);
insert into customer_credit (customer_id, currency, balance_minor, overdrawn_minor)
select customer_id, currency, greatest(sum(minor), 0), greatest(-sum(minor), 0)
  from (select customer_id, currency,
               case credit when 'customerCredit' then amount_minor else -amount_minor end as minor
          from ledger where 'customerCredit' in (debit, credit)) posted
 group by customer_id, currency;

-- Credit that paid an invoice, with an attempt's money or alone.
create table credit_use (
  customer_id   uuid not null,
  id            uuid not null,
  session_id    uuid not null,
  attempt_id    uuid,
  invoice_id    uuid not null,
  amount_minor  bigint not null check (amount_minor > 0),
  at            timestamptz not null,
  primary key (customer_id, id),
  unique (customer_id, session_id, invoice_id),
  foreign key (customer_id, session_id) references pay_session (customer_id, id),
  foreign key (customer_id, attempt_id) references attempt (customer_id, id),
  foreign key (customer_id, invoice_id) references invoice (customer_id, id)
);
create index on credit_use (customer_id, invoice_id);

-- Credit an open attempt holds beside its own amount.
alter table attempt add column credit_minor bigint not null default 0 check (credit_minor >= 0);
-- What it is paid with, as a person knows it.
alter table attempt add column method text;
create index on attempt (customer_id, session_id, sent_at);
