-- A change of SECRET_KEY seals everything again. What digests were made of is not kept, so that their key stays: from the first
-- change on it stands here, sealed with the key of the time. Null: it is derived from the key that `digest` tells.
alter table key_check add column digest_key_sealed bytea;
