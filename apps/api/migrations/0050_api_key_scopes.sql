-- What a key may do, until when, and the secret it had before it was rotated. Without a reseller it is the installation's
-- own and may act for each of them. docs/operator-api.md
alter table api_key
  alter column reseller_id drop not null,
  add column scopes text[],
  add column expires_at timestamptz,
  add column rotated_at timestamptz,
  add column previous_hash bytea unique,
  add column previous_until timestamptz,
  add check ((previous_hash is null) = (previous_until is null));

-- Keys of before could do just this.
update api_key set scopes = '{payments:read,payments:write,usage:read,usage:write}';
alter table api_key alter column scopes set not null, add check (cardinality(scopes) > 0);

create unique index on api_key (name) where reseller_id is null;
