-- Tables take the words that payments engineers use. No row changes its meaning.

-- A charge is refunded.
alter table attempt drop constraint attempt_direction_check;
update attempt set direction = 'refund' where direction = 'giveBack';
alter table attempt add constraint attempt_direction_check check (direction in ('charge', 'refund'));
update attempt set labels = labels - 'givenBefore' || jsonb_build_object('refundedBefore', labels -> 'givenBefore')
 where labels ? 'givenBefore';

-- What an adapter wants to see again is the state of a gateway.
alter table attempt rename column bag_sealed to gateway_state_sealed;
alter table payer rename column bag_sealed to gateway_state_sealed;
alter table payment_method rename column bag_sealed to gateway_state_sealed;
alter table method_saving rename column bag_sealed to gateway_state_sealed;
