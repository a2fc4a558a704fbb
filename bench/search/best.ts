/**
 * The best that one statement does: all that the product looks for, in one round trip, on the same indexes. `$1` is the reseller,
 * `$2` a pattern in small letters, `$3` a query of words, `$4` how many of each.
 */
export const BEST_SQL = `
  with words as materialized (
    -- Materialized: with the limit beside it the planner would look through all customers for a word that none has.
    select customer_id, label from reseller_customer
     where array[reseller_id] @> array[$1::int] and to_tsvector('simple', label) @@ to_tsquery('simple', $3)),
  found as materialized (
    (select 1 as way, customer_id, label as matched from reseller_customer
      where reseller_id = $1 and lower(label) like $2 order by lower(label) using ~<~ limit $4)
    union all
    (select 2, customer_id, value from customer_identity
      where reseller_id = $1 and lower(value) like $2 order by lower(value) using ~<~ limit $4)
    union all
    (select 3, customer_id, email from customer
      where reseller_id = $1 and email is not null and lower(email) like $2 order by lower(email) using ~<~ limit $4)
    union all
    (select 4, customer_id, label from words limit $4))
  select 'customer' as what, c.customer_id, f.matched, c.label as name from found f join customer c using (customer_id)
  union all
  select 'user', m.customer_id, u.email, u.display_name
    from (select id, email, display_name from app_user
           where reseller_id = $1 and email like $2 order by email using ~<~ limit $4) u
    left join membership m on m.user_id = u.id
  union all
  select 'user', m.customer_id, u.email, u.display_name
    from (select id, email, display_name from app_user
           where reseller_id = $1 and lower(display_name) like $2 order by lower(display_name) using ~<~ limit $4) u
    left join membership m on m.user_id = u.id
  union all
  select 'invoice', i.customer_id, i.number, c.label
    from (select customer_id, number from invoice
           where reseller_id = $1 and lower(number) like $2 order by lower(number) using ~<~ limit $4) i
    join customer c using (customer_id)
  union all
  select 'item', n.customer_id, n.number, c.label
    from (select customer_id, number from service_item_number
           where reseller_id = $1 and lower(number) like $2 order by lower(number) using ~<~ limit $4) n
    join customer c using (customer_id)`;

/** The values of {@link BEST_SQL}. */
export const bestValues = (resellerId: number, text: string, limit: number): unknown[] => [
  resellerId,
  `${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`,
  (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `${word}:*`).join(' & '),
  limit,
];
