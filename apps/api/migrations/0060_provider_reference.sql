-- Look-up: what the provider calls the things of its customers, each name once within the reseller and kind, so that its
-- programs put them by it: docs/adr/0083-master-data.md
create table provider_reference (
  reseller_id  integer not null,
  kind         text not null check (kind in ('agreement', 'billingPeriod', 'serviceItem', 'bundle', 'charge', 'adjustment')),
  reference    text not null check (reference <> ''),
  customer_id  uuid not null,
  id           uuid not null,
  primary key (reseller_id, kind, reference)
);
create unique index on provider_reference (customer_id, id);

-- Those known before. 'imported' is ours, of the agreement that imports make.
insert into provider_reference (reseller_id, kind, reference, customer_id, id)
select c.reseller_id, 'agreement', a.external_ref, a.customer_id, a.id
  from agreement a join customer c on c.customer_id = a.customer_id
 where a.external_ref <> '' and a.external_ref <> 'imported'
 order by a.id
on conflict do nothing;
insert into provider_reference (reseller_id, kind, reference, customer_id, id)
select c.reseller_id, 'serviceItem', i.external_ref, i.customer_id, i.id
  from service_item i join customer c on c.customer_id = i.customer_id
 where i.external_ref <> ''
 order by i.id
on conflict do nothing;

-- What the provider counted itself of a bundle, and for which month; without it usage is counted from the records.
alter table bundle add column used_month date check (extract(day from used_month) = 1);
alter table bundle_product add column used numeric(18,6);

-- Charges that no invoice carries yet, page by page.
create index invoice_line_open on invoice_line (customer_id, id) where invoice_id is null;
