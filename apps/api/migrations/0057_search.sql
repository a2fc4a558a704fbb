-- One field finds all of a provider's by how it begins: docs/operator-api.md. Each index begins with the reseller.
create index customer_email_begins on customer (reseller_id, lower(email) text_pattern_ops) where email is not null;
create index customer_identity_begins on customer_identity (reseller_id, lower(value) text_pattern_ops);
create index customer_words on reseller_customer using gin (to_tsvector('simple', label));
create index app_user_email_begins on app_user (reseller_id, email text_pattern_ops);
create index app_user_name_begins on app_user (reseller_id, lower(display_name) text_pattern_ops);
create index service_item_number_begins on service_item_number (reseller_id, lower(number) text_pattern_ops);
-- It finds whole numbers too.
create index invoice_number_begins on invoice (reseller_id, lower(number) text_pattern_ops);
drop index invoice_by_number;
