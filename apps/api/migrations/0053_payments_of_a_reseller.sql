-- What a provider's programs ask: the newest payments of a reseller, and one by its id. docs/operator-api.md
create index attempt_of_reseller on attempt (reseller_id, id desc);
create index attempt_ref_by_attempt on attempt_ref (attempt_id);
