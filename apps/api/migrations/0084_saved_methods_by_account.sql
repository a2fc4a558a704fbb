-- Saved methods are looked into by gateway account: the rows of one whose gateway does not answer are no other's to pass by.
drop index method_setup_next_lookup_at_idx;
create index method_setup_due on method_setup (gateway_account_id, next_lookup_at) where next_lookup_at is not null;
drop index payment_method_check_at_idx;
create index payment_method_due on payment_method (gateway_account_id, check_at) where check_at is not null;
