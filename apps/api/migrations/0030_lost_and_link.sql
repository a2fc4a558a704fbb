-- What a gateway took back beyond what a charge brought in, and the link a payment was made through: see
-- docs/adr/0035-what-a-gateway-takes-beyond.md.

-- A second chargeback, or a refund of what a chargeback had taken: gone at the gateway, and no invoice's money.
alter table capture add column lost_minor bigint not null default 0 check (lost_minor >= 0);
-- As far as a person has dealt with it.
alter table capture add column lost_seen_minor bigint not null default 0 check (lost_seen_minor >= 0);

-- Hash of the pay link it was made through, as in pay_link; until now its return address told.
alter table attempt add column pay_link_hash bytea;
update attempt a set pay_link_hash = l.hash
  from pay_link l
 where l.customer_id = a.customer_id and a.direction = 'charge'
   and l.hash = sha256(convert_to(substring(a.return_to from '/pay/([^/?#]+)[?]attempt='), 'UTF8'));
