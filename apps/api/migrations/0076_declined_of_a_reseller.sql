-- What was declined in a day, without a look at all that was not: docs/adr/0095-money-of-a-day.md.
create index attempt_declined_of_reseller on attempt (reseller_id, id) include (gateway, currency)
  where direction = 'charge' and state = 'declined';
