import { prerender } from 'react-dom/static';
import { expect, it } from 'vitest';
import { ApiError } from '../../../lib/api/api-error.ts';
import { emptyDraft } from '../../../paying/card/card-draft.ts';
import { outcomes } from '../outcome/outcomes.tsx';
import { PayPage } from '../pay-page.tsx';
import { flowOf } from '../test-support.ts';

const pageOf = async (code: 'payLink.expired' | 'payLink.notFound') => {
  const error = new ApiError(code === 'payLink.expired' ? 410 : 404, code, 'This payment link is over');
  const { flow } = flowOf({ details: [error] });
  await flow.start();
  const { prelude } = await prerender(<PayPage flow={flow} outcomes={() => outcomes} kept={emptyDraft} />);
  return new Response(prelude as ReadableStream).text();
};

it('an expired link offers a new one by mail [decisions.6.control.pay-link-expired]', async () => {
  const page = await pageOf('payLink.expired');
  expect(page).toMatch(/<button[^>]*>.*Mail me a new link.*<\/button>/);
  expect(page).toContain('role="status"');
});

it('a link that nobody has does not', async () => {
  expect(await pageOf('payLink.notFound')).not.toContain('Mail me a new link');
});
