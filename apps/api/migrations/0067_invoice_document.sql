-- The provider's own document of an invoice, shown in the place of the one that is made here as long as the invoice says what
-- it said then: docs/operator-api.md
create table invoice_document (
  customer_id   uuid not null,
  invoice_id    uuid not null,
  file_key      text not null,
  sha256        bytea not null,
  size_bytes    integer not null check (size_bytes > 0),
  content_hash  bytea not null,
  stored_at     timestamptz not null,
  primary key (customer_id, invoice_id),
  foreign key (customer_id, invoice_id) references invoice (customer_id, id)
);
