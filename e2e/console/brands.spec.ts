import { expectAccessible } from '../support/accessible.ts';
import { follow, invitation, press, tabTo } from '../support/console.ts';
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
  const frame = page.frameLocator('iframe');
  const part = async (name: string) => {
    const parts = page.getByRole('tablist', { name: 'What is edited' });
    await tabTo(page, parts.getByRole('tab', { selected: true }));
    for (const tab of await parts.getByRole('tab').allTextContents()) {
      await page.keyboard.press(tab === 'Look' ? 'Home' : 'ArrowRight');
      if (tab === name) return;
    }
  };

  await tabTo(page, page.getByRole('textbox', { name: 'Accent', exact: true }));
  await page.keyboard.press('Control+A');
  await page.keyboard.type('#7ac143');
  const links = page.getByRole('row').filter({ hasText: 'Links on the page' });
  await expect(links).toContainText('#7ac143');
  await expect(page.getByText('1 change not published')).toBeVisible();

  await test.step('the portal’s own screens are drawn with the draft', async () => {
    const tabs = page.getByRole('tablist', { name: 'Preview' });
    await tabTo(page, tabs.getByRole('tab', { name: 'Dashboard' }));
    await expect(frame.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    // A change loads the page in the frame again, under the question perhaps.
    const accent = () =>
      frame
        .locator(':root')
        .evaluate((root) => getComputedStyle(root).getPropertyValue('--accent'))
        .catch(() => undefined);
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

  await test.step('what is refused keeps the draft, over a reload too', async () => {
    await part('Names');
    await tabTo(page, page.getByRole('textbox', { name: 'Terms' }));
    await page.keyboard.type('not an address');
    await page.keyboard.press('Control+S');
    await expect(page.getByText(/^Not published: /)).toBeVisible();
    await expectAccessible(page, 'console-brand');
    await page.reload();
    await expect(page.getByText('2 changes not published')).toBeVisible();
    await part('Names');
    await expect(page.getByRole('textbox', { name: 'Terms' })).toHaveValue('not an address');
  });
  await tabTo(page, page.getByRole('textbox', { name: 'Terms' }));
  await page.keyboard.press('Control+A');
  await page.keyboard.type('https://north.example/terms');

  await test.step('a fee is added to what is paid', async () => {
    await part('Fees');
    const fee = page.getByRole('region', { name: 'Fee by card' });
    await tabTo(page, fee.getByRole('textbox', { name: 'Percent of what is due' }));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('1.5x');
    await expect(fee.getByText('From 0 to 100')).toBeVisible();
    await page.keyboard.press('Backspace');
    await expect(fee).toContainText(/costs .*1\.50 more/);
    await expect(frame.getByText(/14\.02/).first()).toBeVisible();
    await expectAccessible(page, 'console-brand-fees');
  });

  await test.step('a mail is written in the brand’s own words, and its standard words are taken again', async () => {
    await part('Mails');
    await tabTo(page, page.getByRole('combobox', { name: 'Mail', exact: true }));
    await page.keyboard.type('New password');
    await tabTo(page, page.getByRole('textbox', { name: 'Heading', exact: true }));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Forgotten again, {nobody}?');
    await expect(page.getByText('{nobody} stands for nothing in this mail')).toBeVisible();
    await expect(page.getByText(/Shown without the last change: .*\{nobody\}/)).toBeVisible();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Forgotten again at ');
    await press(page, page.getByRole('button', { name: '{companyName}' }));
    await expect(page.getByRole('textbox', { name: 'Heading', exact: true })).toHaveValue(
      'Forgotten again at {companyName}',
    );
    await expect(
      frame.getByRole('heading', { name: `Forgotten again at ${provider.companyName}` }),
    ).toBeVisible();
    await expect(page.getByText(`Subject: Choose a new password for ${provider.companyName}`)).toBeVisible();
    await expectAccessible(page, 'console-brand-mails');
    await tabTo(page, page.getByRole('textbox', { name: 'Subject' }));
    await page.keyboard.press('End');
    await page.keyboard.type(' today');
    await expect(
      page.getByText(`Subject: Choose a new password for ${provider.companyName} today`),
    ).toBeVisible();
    await press(page, page.getByRole('button', { name: 'Take the standard words' }));
    await expect(frame.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
    await expect(page.getByText('3 changes not published')).toBeVisible();
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
