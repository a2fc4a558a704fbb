-- A refund the bank could not deliver: the money is back at the gateway.
alter table reversal drop constraint reversal_kind_check;
alter table reversal add constraint reversal_kind_check check (kind in
  ('refund', 'refundFailed', 'void', 'lateFailure', 'chargeback', 'chargebackWon', 'resubmitted'));
