-- Why Auto-Pay passes an invoice over, by its present name.
update autopay_plan set reason = 'amountNotRepresentable' where reason = 'tooFine';
update autopay_run set reason = 'amountNotRepresentable' where reason = 'tooFine';
