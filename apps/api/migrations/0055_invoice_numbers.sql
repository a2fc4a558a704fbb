-- An invoice by its number, whoever issued it: docs/operator-api.md
create index invoice_identity_by_number on invoice_identity (reseller_id, number);
