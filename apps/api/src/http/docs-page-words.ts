import {
  ACCESS_TOKEN_SECONDS,
  CLIENT_ID,
  REFRESH_RETRY_SECONDS,
  REFRESH_TOKEN_SECONDS,
} from '@counterfoil/contract/auth.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/** What holds for all calls. */
export const introduction = `<section id="signing-in" aria-labelledby="signing-in-name">
<h2 id="signing-in-name">Signing in</h2>
<p>Trade user name and password for two tokens at <a href="#post-token"><code>POST /token</code></a>, as a form with the public client <code>${CLIENT_ID}</code>, which has no secret:</p>
<pre tabindex="0" aria-label="Example: signing in"><code>curl -d client_id=${CLIENT_ID} \\
     -d grant_type=password \\
     -d username=ada@demo.example \\
     --data-urlencode 'password=…' \\
     http://localhost:3000/token</code></pre>
<p>Send the access token with every call that needs a sign-in: <code>Authorization: Bearer …</code>. It lives ${ACCESS_TOKEN_SECONDS / MINUTE} minutes. A call with one that has ended is answered 401; renew it with <code>grant_type=refresh_token</code>. The refresh token lives ${REFRESH_TOKEN_SECONDS / DAY} days and is replaced by a new one at every use; where the answer was lost, the old one can be sent again for ${REFRESH_RETRY_SECONDS} seconds. Used later than that, it ends the session.</p>
<p>Calls for a customer take the header <code>X-Customer-Id</code> with an id from <a href="#get-v1-ec-me"><code>GET /v1/ec/me</code></a>. Without it they are about the user's first customer by label. An id that is not one of the user's is refused with <code>customer.notYours</code>.</p>
</section>
<section id="answers" aria-labelledby="answers-name">
<h2 id="answers-name">Answers</h2>
<p>An answer is <code>{"data": …}</code>; a list read page by page has <code>totalCount</code> beside it. <code>/token</code>, files and webhooks are not wrapped.</p>
<p>Amounts are JSON numbers in the currency that stands beside them. A day is <code>YYYY-MM-DD</code>, a moment is ISO 8601 in UTC. Ids are UUIDs. An id of somebody else's is answered as one that does not exist: 404.</p>
<p>Calls that pay answer 200 with a <code>status</code>: <code>succeeded</code>, <code>requires_action</code>, <code>processing</code> or <code>failed</code>. <code>failed</code> says that certainly nothing was taken. Where the outcome is not known yet, the status is <code>processing</code>; ask again, do not pay again.</p>
</section>`;
