-- By which passkey a session was begun, so that removing the passkey ends it. No foreign key: it outlives the passkey.
alter table user_session add column passkey_id uuid;

-- Sessions of before are known from the audit trail; of any other, `passkey_id` stays null and removing any passkey of
-- the user ends it.
update user_session s set passkey_id = (a.detail->>'passkey')::uuid
  from audit_event a
 where a.session_id = s.id and a.user_id = s.user_id and a.action = 'signIn.succeeded' and a.detail ? 'passkey'
   and s.method = 'passkey' and s.ended_at is null;

alter table user_session drop constraint user_session_end_reason_check;
alter table user_session add constraint user_session_end_reason_check
  check (end_reason in ('logout', 'reuse', 'password', 'removed', 'expired', 'elsewhere', 'factor', 'passkey'));

-- Until when a password that a command made opens the account; null for one that somebody chose.
alter table app_user add column password_expires_at timestamptz;
