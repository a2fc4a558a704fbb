-- A bank account debited once, through a pay link: nobody is signed in, so the one who agrees is the account holder as named
-- on the form. What was agreed to stays with the attempt.
alter table consent drop constraint consent_purpose_check;
alter table consent add constraint consent_purpose_check check (purpose in ('autoPay', 'mandate', 'debit'));
alter table consent alter column user_id drop not null;
alter table consent add constraint consent_user_check check (user_id is not null or purpose = 'debit');

alter table attempt add column consent_id uuid;
alter table attempt add foreign key (customer_id, consent_id) references consent (customer_id, id);
