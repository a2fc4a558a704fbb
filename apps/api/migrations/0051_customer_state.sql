-- A disabled customer: nobody acts for it in the portal and Auto-Pay takes nothing; what it owes stays owed. The version
-- grows with each change and is the ETag. docs/operator-api.md
alter table customer
  add column disabled_at timestamptz,
  add column version integer not null default 1;
-- What a session needs to know of it.
alter table reseller_customer add column disabled_at timestamptz;

-- To find one by its address, or by how its name begins.
create index on customer (reseller_id, lower(email)) where email is not null;
create index on reseller_customer (reseller_id, lower(label) text_pattern_ops);
