-- Mails about invoices: docs/adr/0096-mails-about-invoices.md.

-- What a customer was told of an invoice, each once: 'new', 'before:3', 'after:7' (days from its due date).
create table invoice_mail (
  customer_id  uuid not null,
  invoice_id   uuid not null,
  step         text not null,
  at           timestamptz not null,
  primary key (customer_id, invoice_id, step),
  foreign key (customer_id, invoice_id) references invoice (customer_id, id) on delete cascade
);

-- Look-up table: since when a brand mails new invoices. What was there before is not mailed.
create table invoice_mail_start (
  brand_id  integer primary key references brand (id) on delete cascade,
  since     timestamptz not null
);
