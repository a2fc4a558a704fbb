import { errors } from '@counterfoil/contract/errors.ts';
import { ACCESS_TOKEN_SECONDS, CLIENT_ID, REFRESH_RETRY_SECONDS } from '@counterfoil/contract/people/auth.ts';

const MINUTE = 60;

/** What holds for all calls, and every error; CommonMark with tables, as OpenAPI takes it. */
export const introduction = `Customer billing portal: everything its pages call, and the webhooks of payment gateways.

## Signing in

Trade user name and password for two tokens at \`POST /token\`, as a form with the public client \`${CLIENT_ID}\`, which has no secret:

\`\`\`
curl -d client_id=${CLIENT_ID} \\
     -d grant_type=password \\
     -d username=ada@demo.example \\
     --data-urlencode 'password=…' \\
     http://localhost:3000/token
\`\`\`

Send the access token with every call that needs a sign-in: \`Authorization: Bearer …\`. It lives ${ACCESS_TOKEN_SECONDS / MINUTE} minutes. A call with one that has ended is answered 401; renew it with \`grant_type=refresh_token\`. The refresh token lives 30 days, where the installation does not say otherwise, and is replaced by a new one at every use; where the answer was lost, the old one can be sent again for ${REFRESH_RETRY_SECONDS} seconds. Used later than that, it ends the session.

Calls for a customer take the header \`X-Customer-Id\` with an id from \`GET /v1/ec/me\`. Without it they are about the user's first customer by label. An id that is not one of the user's is refused with \`customer.notYours\`.

## Answers

An answer is \`{"data": …}\`; a list read page by page has \`totalCount\` beside it. \`/token\`, files and webhooks are not wrapped.

Amounts are JSON numbers in the currency that stands beside them. A day is \`YYYY-MM-DD\`, a moment is ISO 8601 in UTC. Ids are UUIDs. An id of somebody else's is answered as one that does not exist: 404.

Calls that pay answer 200 with a \`status\`: \`succeeded\`, \`requires_action\`, \`processing\` or \`failed\`. \`failed\` says that certainly nothing was taken. Where the outcome is not known yet, the status is \`processing\`; ask again, do not pay again.

## Errors

Outside \`/token\` a refusal is \`application/problem+json\` (RFC 9457). Programs read \`code\`; people read \`message\`; \`requestId\` finds the request in the log.

<details><summary>Every code</summary>

| Code | Status | Message |
|---|---|---|
${Object.entries(errors)
  .map(([code, { status, text }]) => `| \`${code}\` | ${status} | ${text.replaceAll('|', '\\|')} |`)
  .join('\n')}

</details>
`;
