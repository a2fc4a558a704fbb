-- What descriptions and cost centres were before: for undo, and to say who changed what.
create table cost_centre_change (
  customer_id  uuid not null references customer (customer_id),
  id           uuid not null,
  at           timestamptz not null,
  user_id      uuid,
  -- Names in words too, so that a removed user's changes still say whose they were.
  user_name    text not null,
  actor        text,
  undo_of      uuid,
  undone_at    timestamptz,
  primary key (customer_id, id)
);

create table cost_centre_change_item (
  customer_id         uuid not null,
  change_id           uuid not null,
  service_item_id     uuid not null,
  description_before  text,
  description_after   text,
  cost_centre_before  text,
  cost_centre_after   text,
  primary key (customer_id, change_id, service_item_id),
  foreign key (customer_id, change_id) references cost_centre_change (customer_id, id),
  foreign key (customer_id, service_item_id) references service_item (customer_id, id)
);

-- A charge without a day of its own is looked for by its invoice; the others by theirs.
create index on invoice_line (customer_id, invoice_id) where date_from is null;
