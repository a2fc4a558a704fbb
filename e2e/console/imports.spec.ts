import { sampleCall, sampleUbl } from '../../apps/api/src/features/imports/invoices/sample-documents.ts';
import { expectAccessible } from '../support/accessible.ts';
import { follow, invitation, press, tabTo } from '../support/console.ts';
import { runCommand } from '../support/stack/child.ts';
import { expect, test } from '../support/test.ts';

test('an operator drops files, sees what would change, imports them, corrects a quarantined row and undoes an import, by keyboard alone', async ({
  page,
  stack,
  providers,
}) => {
  // Many screens, each looked at wide and narrow, light and dark.
  test.slow();
  // From the start: on a busy machine a key is faster than the browser learns to hand its dialog over.
  page.on('filechooser', () => undefined);
  const provider = await providers.add();
  const { resellerId, customerId } = provider;
  const { code, err } = await runCommand(
    ['customer', 'set', '--customer', customerId, '--account-code', 'A1'],
    stack.env,
  );
  expect(code, err).toBe(0);
  const { url } = await invitation(stack, provider, 'billing');
  await follow(page, url);
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await expect(page.getByText('No imports yet')).toBeVisible();
  await expectAccessible(page, 'console-imports-empty');

  const calls = [
    sampleCall({ accountCode: 'A1', uniqueId: `${resellerId}.1` }),
    sampleCall({ accountCode: 'A1', uniqueId: `${resellerId}.2` }),
    sampleCall({ accountCode: 'A9', uniqueId: `${resellerId}.3` }),
  ];
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('u')]);
  await chooser.setFiles({ name: 'calls.csv', mimeType: 'text/csv', buffer: Buffer.from(calls.join('')) });
  await expect(page.getByRole('heading', { level: 1, name: 'calls.csv' })).toBeVisible();
  const changes = page.getByRole('table', { name: 'What changes' });
  await expect(changes.getByRole('row', { name: /^New 2/ })).toBeVisible();
  await expect(changes.getByRole('row', { name: /^Set aside 1/ })).toBeVisible();
  await expect(page.getByText(/account code 'A9'/)).toBeVisible();
  await expectAccessible(page, 'console-import-checked');

  await page.keyboard.press('s');
  await expect(page.getByText('2 rows in, 1 set aside')).toBeVisible();
  const waiting = page.getByRole('table', { name: 'Quarantine' });
  await expect(waiting.getByRole('row')).toHaveCount(2);
  await expectAccessible(page, 'console-import-done');
  await page.keyboard.press('j');
  await page.keyboard.press('f');
  const correct = page.getByRole('dialog', { name: 'Correct row 3' });
  await tabTo(page, correct.getByLabel('accountcode'));
  await page.keyboard.press('Control+A');
  await page.keyboard.type('A1');
  await expectAccessible(page, 'console-import-correct', { within: 'dialog' });
  await page.keyboard.press('Enter');
  await expect(page.getByText('It is in the books now.')).toBeVisible();
  await expect(page.getByText('Nothing waits any more')).toBeVisible();

  await press(page, page.getByRole('button', { name: 'Undo this import' }));
  const undo = page.getByRole('dialog', { name: 'Undo the import of calls.csv?' });
  await tabTo(page, undo.getByLabel('Reason'));
  await page.keyboard.type('The file of February was sent again');
  await expectAccessible(page, 'console-import-undo', { within: 'dialog' });
  await press(page, undo.getByRole('button', { name: 'Take 2 records out' }));
  await expect(page.getByText('2 rows taken out')).toBeVisible();

  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await expect(page.getByRole('heading', { level: 1, name: 'Imports' })).toBeVisible();
  const [several] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('u')]);
  await several.setFiles([
    {
      name: 'bill.xml',
      mimeType: 'application/xml',
      buffer: Buffer.from(sampleUbl({ number: `E-${resellerId}` })),
    },
    { name: 'notes.csv', mimeType: 'text/csv', buffer: Buffer.from('neither\n') },
  ]);
  await expect(page.getByText(/^notes\.csv was not taken: Neither an e-invoice/)).toBeVisible();
  await press(page, page.getByRole('link', { name: 'bill.xml' }));
  await expect(page.getByRole('heading', { level: 1, name: 'bill.xml' })).toBeVisible();
  await expect(page.getByRole('row', { name: /^New 1/ })).toBeVisible();
  await page.keyboard.press('s');
  await expect(page.getByText('1 row in')).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  const list = page.getByRole('table', { name: 'Imports' });
  await expect(list.getByRole('row')).toHaveCount(4);
  const [another] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('u')]);
  await another.setFiles({ name: 'march.csv', mimeType: 'text/csv', buffer: Buffer.from(calls.join('')) });
  await expect(page.getByRole('button', { name: 'Start import' })).toBeVisible();
  const runId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await providers.whileImporting(runId, async () => {
    await page.reload();
    await expect(page.getByText('Importing')).toBeVisible();
    await press(page, page.getByRole('button', { name: 'Stop import' }));
    const stop = page.getByRole('dialog', { name: 'Stop the import of march.csv?' });
    await expectAccessible(page, 'console-import-stop', { within: 'dialog' });
    await press(page, stop.getByRole('button', { name: 'Stop import' }));
    await expect(page.getByText('Being stopped', { exact: true })).toBeVisible();
    await expectAccessible(page, 'console-import-stopping');
  });
  // The process that was at it is gone.
  const stopped = await runCommand(['import', 'stop', runId], stack.env);
  expect(stopped.code, stopped.err).toBe(0);
  await expect(page.getByText('Stopped with no rows in')).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await expect(list.getByRole('row', { name: /march\.csv .*Stopped/ })).toBeVisible();
  await expect(list.getByRole('row', { name: /calls\.csv .*Undone/ })).toBeVisible();
  await expectAccessible(page, 'console-imports');
});

test('an operator brings in customers from a German file: columns are guessed, put right and kept, by keyboard alone', async ({
  page,
  stack,
  providers,
}) => {
  test.slow();
  page.on('filechooser', () => undefined);
  const provider = await providers.add();
  const { url } = await invitation(stack, provider, 'billing');
  await follow(page, url);
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await expect(page.getByText('No imports yet')).toBeVisible();
  await press(page, page.getByText('Templates to fill in'));
  const [template] = await Promise.all([
    page.waitForEvent('download'),
    press(page, page.getByRole('button', { name: 'Download' })),
  ]);
  expect(template.suggestedFilename()).toBe('customers.csv');
  const rows = [
    'Kundennr.;Firma;E-Mail;Straße;PLZ;Ort;Region;Betreuer',
    'K-1;Müller & Söhne;post@mueller.example;Hauptstr. 1;20095;Hamburg;DE;Ada',
    'K-2;"=Größe";;Am Kai 2;28195;Bremen;DE;Ada',
    'K-3;;;;;;DE;Ada',
  ];
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('u')]);
  await chooser.setFiles({
    name: 'kunden.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`${rows.join('\r\n')}\r\n`, 'latin1'),
  });
  await expect(page.getByRole('heading', { level: 1, name: 'kunden.csv' })).toBeVisible();
  const columns = page.getByRole('table', { name: 'Columns' });
  await expect(columns.getByRole('row', { name: /^label.*Müller & Söhne/ })).toBeVisible();
  await expect(columns.getByLabel('Column for reference')).toHaveValue('column 0');
  await expect(page.getByText('Not taken: Betreuer.')).toBeVisible();
  const changes = page.getByRole('table', { name: 'What changes' });
  await expect(changes.getByRole('row', { name: /^New 2/ })).toBeVisible();
  await expect(changes.getByRole('row', { name: /^Set aside 1/ })).toBeVisible();
  await expectAccessible(page, 'console-import-columns');

  // The region is the country, which the file heads otherwise.
  await press(page, page.getByRole('button', { name: /^Show \d+ more$/ }));
  await tabTo(page, columns.getByLabel('Column for country'));
  await page.keyboard.press('R');
  await expect(columns.getByLabel('Column for country')).toHaveValue('column 6');
  const start = page.getByRole('button', { name: 'Start import' });
  // What was changed here is looked at first.
  await expect(start).toBeHidden();
  await tabTo(page, page.getByLabel('Keep for other files'));
  await page.keyboard.press('Space');
  await tabTo(page, page.getByLabel('Name of the mapping'));
  await page.keyboard.type('CRM export');
  await press(page, page.getByRole('button', { name: 'Look at the file so' }));
  await expect(start).toBeVisible();
  await expect(columns.getByRole('row', { name: /^country.*DE/ })).toBeVisible();
  await expect(changes.getByRole('row', { name: /^New 2/ })).toBeVisible();
  await page.keyboard.press('s');
  await expect(page.getByText('2 rows in, 1 set aside')).toBeVisible();
  await expectAccessible(page, 'console-import-rows');

  // What was kept reads the next file; what only a person can say is asked for.
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  const [again] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('u')]);
  await again.setFiles({
    name: 'bills.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'Invoice number,Customer number,Invoice date,Due date,Currency,Description,Amount\r\nB-1,K-1,03/04/2026,04/05/2026,EUR,Line,10.00\r\n',
    ),
  });
  await expect(page.getByText(/'03\/04\/2026' may be a day of either of two months/)).toBeVisible();
  await expect(start).toBeHidden();
  await expectAccessible(page, 'console-import-columns-open');
  await tabTo(page, page.getByLabel('Days are written'));
  await page.keyboard.type('03');
  await expect(page.getByLabel('Days are written')).toHaveValue('dayFirst');
  await press(page, page.getByRole('button', { name: 'Look at the file so' }));
  await expect(page.getByRole('button', { name: 'Start import' })).toBeVisible();
  await expect(changes.getByRole('row', { name: /^New 1/ })).toBeVisible();
  await page.keyboard.press('s');
  await expect(page.getByText('1 row in')).toBeVisible();
});
