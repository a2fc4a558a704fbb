-- A refund says how much of it is fee, which may be all where nothing else of its payment is left: docs/adr/0123-fee-of-a-refund.md
alter table attempt drop constraint attempt_check;
alter table attempt add constraint attempt_fee_minor_check
  check (fee_minor >= 0 and (fee_minor < amount_minor or direction = 'refund' and fee_minor = amount_minor));
