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

-- An attempt whose outcome cannot be found out needs review. Finding out is by look-ups.
alter table attempt drop constraint attempt_state_check;
alter table attempt drop column is_open;
update attempt set state = 'needsReview' where state = 'held';
update transition set from_state = 'needsReview' where from_state = 'held';
update transition set to_state = 'needsReview' where to_state = 'held';
alter table attempt add constraint attempt_state_check check (state in ('sending', 'requiresAction', 'pending', 'unknown',
  'needsReview', 'succeeded', 'declined', 'notAttempted', 'absent', 'closed'));
alter table attempt add column is_open boolean not null generated always as
  (state in ('sending', 'requiresAction', 'pending', 'unknown', 'needsReview')) stored;
alter table attempt rename column asks to lookups;
alter table attempt rename column asked_at to looked_up_at;
alter table attempt rename column next_ask_at to next_lookup_at;
alter table method_setup rename column asks to lookups;
alter table method_setup rename column next_ask_at to next_lookup_at;
alter index method_saving_next_ask_at_idx rename to method_setup_next_lookup_at_idx;
create unique index attempt_one_open_per_session on attempt (customer_id, session_id) where is_open;
create index attempt_open_next_lookup on attempt (next_lookup_at) where is_open;
create index attempt_open_by_method on attempt (customer_id, payment_method_id) where is_open;
