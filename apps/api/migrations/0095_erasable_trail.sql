-- Personal values of a line of the audit trail can be erased, and the chain of seals still holds: a line is sealed by what says
-- nothing of a person and by a salted hash of the rest. docs/adr/0113-erasure.md
-- `salt` goes with the values, so that the hash tells nothing of them; `personal` is the hash that stays in their place.
alter table audit_event add column salt uuid, add column personal bytea check (length(personal) = 32);
-- Seals of before cover lines in another form. The chain begins again; the next rounds seal every line.
update audit_event set seal = null where seal is not null;
delete from audit_seal;
-- A program of before, which may run for a while yet, makes no seals in its form.
alter table audit_seal add column form smallint not null check (form = 2);
