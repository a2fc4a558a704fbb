-- What a large customer's account came to by day, so that a statement need not read all that ever was. What is not in these sums
-- yet is marked: docs/adr/0106-running-balance.md
create table account_day (
  customer_id    uuid not null references customer (customer_id),
  currency       text not null,
  -- Of bills the day they were issued; of entries of the ledger that of their moment, UTC.
  day            date not null,
  billed_minor   bigint not null default 0,
  entries_minor  bigint not null default 0,
  primary key (customer_id, currency, day)
);

alter table ledger add column is_summed boolean not null default false;
-- What the sums have of this invoice, and where: nothing, or what it was when it was last added.
alter table invoice
  add column summed_minor bigint not null default 0,
  add column summed_on date,
  add column summed_currency text;

create index ledger_account on ledger (customer_id, currency, at);
create index ledger_unsummed on ledger (customer_id, currency) where not is_summed and source <> 'invoice';
create index invoice_account on invoice (customer_id, currency, issued_on);
create index invoice_unsummed on invoice (customer_id)
  where summed_minor <> case when kind = 'invoice' and payable_minor > 0 and status <> 13 then payable_minor else 0 end
     or (summed_minor <> 0 and (summed_on, summed_currency) is distinct from (issued_on, currency));
-- To find credits by the invoice they name, which may come after them.
create index invoice_named_by_credit on invoice using gin ((details -> 'billingReferences') jsonb_path_ops) where payable_minor < 0;
-- Disputed ones are open too.
create index invoice_open on invoice (customer_id, due_on) where status in (10, 14);
drop index invoice_customer_id_due_on_idx;
