-- The installation's own name of a reseller, by which its programs put it: docs/operator-api.md
alter table reseller add column reference text check (reference <> '');
create unique index reseller_reference on reseller (reference) where reference is not null;
