-- The first customer of a user who has thousands, found without reading them all.
create index reseller_customer_by_label on reseller_customer (reseller_id, label, customer_id);
