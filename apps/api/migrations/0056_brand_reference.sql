-- The provider's own name of a brand, by which its programs put it: docs/operator-api.md
alter table brand add column reference text check (reference <> '');
create unique index brand_reference on brand (reseller_id, reference) where reference is not null;
