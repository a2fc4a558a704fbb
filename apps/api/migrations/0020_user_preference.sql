-- How a user likes the portal, by name. What a value means is the portal's business; its size is limited by the contract.
create table user_preference (
  user_id  uuid not null references app_user (id) on delete cascade,
  key      text not null check (key ~ '^[a-z][a-z0-9.-]{0,99}$'),
  value    jsonb not null,
  primary key (user_id, key)
);
