-- What the provider says of a customer's balance beside its documents: what was owed before the portal, and corrections by hand.
-- Its entries in the ledger have the source 'adjustment': docs/operator-api.md
create table balance_adjustment (
  customer_id   uuid not null references customer (customer_id),
  id            uuid not null,
  kind          text not null check (kind in ('openingBalance', 'adjustment')),
  reference     text not null,
  currency      text not null check (currency ~ '^[A-Z]{3}$'),
  -- Above 0 it is owed, below it is the customer's credit.
  amount_minor  bigint not null check (amount_minor <> 0),
  booked_on     date not null,
  booked_at     timestamptz not null,
  note          text not null,
  version       integer not null,
  primary key (customer_id, id)
);
