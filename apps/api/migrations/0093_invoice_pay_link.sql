-- A pay link is found by its hash, which says whose it is; everything else about it lies with its invoice. So lists of invoices
-- with their links, and what a payment changes about them, stay within one customer, on one machine of many.
create table invoice_pay_link (
  customer_id  uuid not null,
  hash         bytea not null,
  invoice_id   uuid not null,
  -- Sealed, to be shown again.
  token_sealed bytea not null,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  -- Another took its place.
  retired_at   timestamptz,
  primary key (customer_id, hash),
  foreign key (customer_id, invoice_id) references invoice (customer_id, id)
);
insert into invoice_pay_link (customer_id, hash, invoice_id, token_sealed, created_at, expires_at, retired_at)
select l.customer_id, l.hash, l.invoice_id, l.token_sealed, l.created_at, l.expires_at, l.retired_at
  from pay_link l join invoice i on i.customer_id = l.customer_id and i.id = l.invoice_id;
create unique index invoice_pay_link_current on invoice_pay_link (customer_id, invoice_id) where retired_at is null;

alter table pay_link drop column token_sealed, drop column created_at, drop column expires_at, drop column retired_at;
