-- Pauses between look-ups, and methods that must not have changed: see docs/adr/0037-look-ups.md.

-- When each way of finding out was last used: way → time.
alter table attempt add column asked_at jsonb not null default '{}';
-- The saved method that is charged; null for what is not saved.
alter table attempt add column payment_method_id uuid;
create index attempt_open_by_method on attempt (customer_id, payment_method_id) where is_open;
-- When its contents may last have changed: written before a change is sent, and again when it is known.
alter table payment_method add column changed_at timestamptz;
