import { expectAccessible } from '../support/accessible.ts';
import { follow, invitation, tabTo } from '../support/console.ts';
import { expect, test } from '../support/test.ts';

test('an operator changes a brand as a draft, sees what becomes of its colours, keeps the draft where it is refused, and publishes it, by keyboard alone', async ({
  page,
  stack,
  providers,
  cleanConsole,
}) => {
  // The browser says so where a test looks into a frame in which nothing may run.
  cleanConsole.allow(/^Blocked script execution in .*brand-preview/);
  test.slow();
  const provider = await providers.add();
  const { url } = await invitation(stack, provider, 'owner');
  await follow(page, url);
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await expect(page.getByRole('heading', { level: 1, name: 'Brands' })).toBeVisible();
  await expectAccessible(page, 'console-brands');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Contrast' })).toContainText('Every pair holds');

  await tabTo(page, page.getByRole('textbox', { name: 'Accent', exact: true }));
  await page.keyboard.press('Control+A');
  await page.keyboard.type('#7ac143');
  const links = page.getByRole('row').filter({ hasText: 'Links on the page' });
  await expect(links).toContainText('#7ac143');
  await expect(page.getByText('1 change not published')).toBeVisible();

  await test.step('what is refused keeps the draft, over a reload too', async () => {
    await tabTo(page, page.getByRole('textbox', { name: 'Terms' }));
    await page.keyboard.type('not an address');
    await page.keyboard.press('Control+S');
    await expect(page.getByText(/^Not published: /)).toBeVisible();
    await expectAccessible(page, 'console-brand');
    await page.reload();
    await expect(page.getByText('2 changes not published')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Terms' })).toHaveValue('not an address');
  });
  await tabTo(page, page.getByRole('textbox', { name: 'Terms' }));
  await page.keyboard.press('Control+A');
  await page.keyboard.type('https://north.example/terms');
  await test.step('the portal’s own screens are drawn with the draft', async () => {
    const tabs = page.getByRole('tablist', { name: 'Preview' });
    await tabTo(page, tabs.getByRole('tab', { name: 'Dashboard' }));
    const frame = page.frameLocator('iframe');
    await expect(frame.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    const accent = () =>
      frame.locator(':root').evaluate((root) => getComputedStyle(root).getPropertyValue('--accent'));
    await expect.poll(accent).toBe('#7ac143');
    for (const [key, content] of [
      ['ArrowRight', frame.getByRole('button', { name: /^Pay / })],
      ['ArrowRight', frame.getByRole('heading', { name: /^You paid / })],
      ['Home', frame.getByRole('textbox', { name: 'Username' })],
    ] as const) {
      await page.keyboard.press(key);
      await expect(content).toBeVisible();
    }
    await page.keyboard.press('End');
    const letter = await page.locator('iframe').getAttribute('src');
    const answer = await page.request.get(`${stack.url}${letter}`);
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'application/pdf']);
    await page.keyboard.press('Home');
  });
  await page.keyboard.press('Control+S');
  await expect(page.getByText('Published: it holds from the next page on.')).toBeVisible();
  await expect(page.getByText('nothing changed')).toBeVisible();

  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await expect(page.getByRole('heading', { level: 1, name: 'Audit trail' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: '#7ac143' })).toBeVisible();

  await page.goto(`${provider.url}/login`);
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Terms' })).toHaveAttribute(
    'href',
    'https://north.example/terms',
  );
  await expectAccessible(page, 'sign-in-with-legal-pages');
});
