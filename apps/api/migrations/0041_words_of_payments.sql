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

-- Keeping a payment method is a method setup.
alter table method_saving rename to method_setup;
alter index method_saving_pkey rename to method_setup_pkey;
alter index method_saving_client_key rename to method_setup_client_key;
alter index method_saving_one_open rename to method_setup_one_open;
alter index method_saving_one_set_up rename to method_setup_one_browser;
alter table gateway_object drop constraint gateway_object_about_check;
update gateway_object set about = 'setup' where about = 'saving';
alter table gateway_object add constraint gateway_object_about_check
  check (about in ('charge', 'payer', 'method', 'mandate', 'setup'));
