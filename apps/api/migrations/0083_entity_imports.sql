-- Customers, invoices and all else that is no usage come in by files too. docs/adr/0102-files-of-every-kind.md

-- 'entity': things of the kind that the import's options name, by the provider's own names and our ids.
alter table import_change drop constraint import_change_kind_check;
alter table import_change add check (kind in ('usage', 'invoice', 'entity'));
alter table import_change
  -- Of an entity it is said by the entity itself: some belong to no customer.
  alter column customer_id drop not null,
  -- Of entities: what the provider calls each of the ids.
  add column refs text[],
  add check ((kind = 'entity') = (refs is not null)),
  add check (kind = 'entity' or customer_id is not null);

-- 'row': a row of such a file, with the value that it would become.
alter table quarantine_entry drop constraint quarantine_entry_kind_check;
alter table quarantine_entry add check (kind in ('usage', 'invoice', 'file', 'row'));
