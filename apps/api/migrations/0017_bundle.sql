-- What a customer may use each month for a fixed price; what is used of it is counted from the usage records.
create table bundle (
  customer_id  uuid not null references customer (customer_id),
  id           uuid not null,
  name         text not null check (name <> ''),
  position     integer not null default 0,
  primary key (customer_id, id),
  unique (customer_id, name)
);

create table bundle_product (
  customer_id      uuid not null,
  bundle_id        uuid not null,
  line_no          integer not null check (line_no >= 1),
  product_name     text not null check (product_name <> ''),
  -- Whose usage counts; null: that of all the customer's items.
  service_item_id  uuid,
  record_type_ids  uuid[] not null,
  quantity         numeric(18,6) not null check (quantity > 0),
  unit_label       text not null default '',
  -- How many units of the records make one of the quantity: 60 for minutes of calls measured in seconds.
  record_units     numeric(18,6) not null default 1 check (record_units > 0),
  primary key (customer_id, bundle_id, line_no),
  foreign key (customer_id, bundle_id) references bundle (customer_id, id) on delete cascade,
  foreign key (customer_id, service_item_id) references service_item (customer_id, id)
);
