-- What was still due of an invoice when its payment was booked, so that the receipt says the same for ever. Null: the
-- payment is not booked, was booked before this was kept, or took nothing.
alter table claim add column due_after_minor bigint check (due_after_minor >= 0);
