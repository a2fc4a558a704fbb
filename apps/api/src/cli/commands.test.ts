import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useCommands } from '../../test/fixtures/test-commands.ts';
import { VERSION } from '../version.ts';
import {
  customerOption,
  limitOption,
  resellerOption,
  sinceOption,
  untilOption,
} from './arguments/arguments.ts';
import type { CommandOption } from './command.ts';
import { commands } from './commands.ts';

const cli = useCommands();
const { run, json } = cli;

const entries = commands.flatMap((command) =>
  'actions' in command
    ? [
        ...(command.otherwise === undefined ? [] : [{ words: [command.name], load: command.otherwise.load }]),
        ...command.actions.map((action) => ({ words: [command.name, action.name], load: action.load })),
      ]
    : [{ words: [command.name], load: command.load }],
);
const actions = entries.map(({ words }) => [words.join(' '), words] as const);

describe('every command', () => {
  it.each(actions)('explains itself in any order: %s', async (name, words) => {
    const { code, out } = await run(...words, '--help');
    expect(code).toBe(0);
    expect(out).toContain(`counterfoil ${name}`);
    expect(out).toContain('--json');
    const [first = '', ...rest] = words;
    const others = [
      ['help', ...words],
      ['--help', ...words],
      [...words, '--json', '--help'],
      [first, '--help', ...rest],
    ];
    for (const other of others) expect(await run(...other)).toEqual({ code: 0, out, err: '' });
  });

  it.each(actions)('refuses an option there is not, in JSON too: %s', async (name, words) => {
    const wrong = [...words, '--no-such-option'];
    expect(await run(...wrong)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(name) });
    const { code, out, err } = await run(...wrong, '--json');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    const { error } = JSON.parse(err);
    expect(error).toEqual({ code: 'usage', message: expect.stringContaining("'--no-such-option'") });
  });

  it('says in JSON why it was refused, and which version it is', async () => {
    const refused = await run('brand', 'add', '--reseller', '4999', '--name', 'X', '--json');
    expect({ code: refused.code, out: refused.out }).toEqual({ code: 1, out: '' });
    expect(JSON.parse(refused.err)).toEqual({
      error: { code: 'failed', message: expect.stringContaining('no reseller 4999') },
    });
    for (const wrong of [['nonsense'], ['brand', 'nonsense'], ['reseller', 'add'], ['--nonsense']])
      expect(JSON.parse((await run(...wrong, '--json')).err)).toMatchObject({ error: { code: 'usage' } });
    expect(await run('--version')).toMatchObject({ code: 0, out: expect.stringContaining(VERSION) });
    expect(JSON.parse((await run('--version', '--json')).out)).toMatchObject({ version: VERSION });
  });

  it('says what there is instead of an unknown name', async () => {
    expect(await run('nonsense')).toMatchObject({
      code: 2,
      err: expect.stringContaining("no command 'nonsense'"),
    });
    expect(await run('brand', 'nonsense')).toMatchObject({
      code: 2,
      err: expect.stringContaining("no action 'nonsense'"),
    });
    expect(await run('brand')).toMatchObject({ code: 2, out: expect.stringContaining('image') });
    expect(await run('reseller', 'add', '--id', '7')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--name is missing'),
    });
  });
});

describe('an option that several commands have', () => {
  const shared: Readonly<Record<string, readonly [option: CommandOption, wrong: string, message: string]>> = {
    reseller: [resellerOption.reseller, 'acme', "--reseller takes a whole number from 1, not 'acme'"],
    limit: [limitOption.limit, '0', "--limit takes a whole number from 1, not '0'"],
    since: [sinceOption.since, 'soon', '--since takes a day or time'],
    until: [untilOption.until, '7 days', '--until takes a day or time'],
    customer: [customerOption.customer, '', ''],
  };

  it.each(entries)('is the same in all of them: $words', async ({ words, load }) => {
    for (const [name, option] of Object.entries((await load()).options)) {
      const [standard, wrong = '', message = ''] = shared[name] ?? [];
      if (standard === undefined) continue;
      const { multiple: _, ...rest } = option;
      expect(rest, `--${name}`).toEqual(standard);
      if (message === '') continue;
      expect(await run(...words, `--${name}`, wrong)).toMatchObject({
        code: 2,
        err: expect.stringContaining(message),
      });
    }
  });

  it('is there where it should be', async () => {
    const having = async (name: string) => {
      const loaded = await Promise.all(entries.map(async ({ load }) => (await load()).options));
      return loaded.filter((options) => name in options).length;
    };
    const counts = await Promise.all(Object.keys(shared).map(having));
    expect(Math.min(...counts)).toBeGreaterThan(1);
  });
});

describe('resellers and brands', () => {
  it('are made once, and changed by set [decisions.0.whole-branding]', async () => {
    expect(await json('reseller', 'add', '--id', '4100', '--name', 'Northline')).toMatchObject({
      added: 'created',
    });
    expect(await json('reseller', 'add', '--id', '4100', '--name', 'Northline')).toMatchObject({
      added: 'unchanged',
    });
    expect(await run('reseller', 'add', '--id', '4100', '--name', 'Other')).toMatchObject({
      code: 1,
      err: expect.stringContaining('reseller set'),
    });
    await json('reseller', 'set', '--id', '4100', '--setting', 'separateCardInputs=true');
    const list = await json<{ resellers: { id: number; settings: object }[] }>('reseller', 'list');
    expect(list.resellers.find((one) => one.id === 4100)?.settings).toEqual({ separateCardInputs: true });
    const brand = [
      'brand',
      'add',
      '--reseller',
      '4100',
      '--name',
      'Northline',
      '--host',
      'Bills.Northline.Example:8080',
      '--currency',
      'eur',
    ];
    const made = await json<{ id: number; hosts: string[] }>(...brand);
    expect(made.hosts).toEqual(['bills.northline.example']);
    expect(await json(...brand)).toMatchObject({ id: made.id, added: 'unchanged' });
    await json(
      'brand',
      'set',
      '--id',
      `${made.id}`,
      '--setting',
      'cardFee.basisPoints=150',
      '--setting',
      'endShowReports=false',
    );
    const settings = async () =>
      (await json<{ brands: { settings: object }[] }>('brand', 'list', '--reseller', '4100')).brands[0]
        ?.settings;
    const said = { cardFee: { basisPoints: 150 }, endShowReports: false };
    // Euros are never shown as the dollars of the default; the currency's own symbol goes with it, one that was said stays.
    expect(await settings()).toEqual({ ...said, currencySymbol: '€' });
    const set = (...change: string[]) => json('brand', 'set', '--id', `${made.id}`, ...change);
    await set('--currency', 'NZD');
    expect(await settings()).toEqual(said);
    await set('--setting', 'currencySymbol=NZ$');
    await set('--currency', 'eur');
    expect(await settings()).toEqual({ ...said, currencySymbol: 'NZ$' });
  });

  async function refuses(options: readonly string[], words: string): Promise<void> {
    await json('reseller', 'add', '--id', '4101', '--name', 'Refuser');
    const refused = await run('brand', 'add', '--reseller', '4101', '--name', 'Bad', ...options);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(words) });
    expect(await json('brand', 'list', '--reseller', '4101')).toEqual({ brands: [] });
  }

  it.each([
    [['--currency', 'XXQ'], 'no currency'],
    [['--time-zone', 'Mars/Base'], 'no time zone'],
    [['--colours', 'red,green'], 'seven colours'],
    [['--colours', '#fff,#fff,#fff,#fff,#fff,#fff,#ggg'], 'colour 7'],
    [['--setting', 'endShowNothing=true'], 'no setting'],
    [['--setting', 'endShowUsage=perhaps'], 'does not fit'],
    [['--host', 'not a host'], 'no host name'],
    [['--setting', 'supportEmail=nope'], "'supportEmail' does not fit: it must be a mail address"],
    [['--setting', 'supportEmail=Help <help@x.example>'], 'must be a mail address'],
    [['--setting', 'language=klingon!'], 'must be a language'],
    [['--setting', 'allowedOrigins=shop.example'], 'must be origins such as'],
    [['--setting', 'supportPhone=1\n2'], 'must be one line'],
    [['--setting', 'invoiceLabelSingular=In\tvoice'], 'must be one line'],
    [['--setting', 'paymentInstructions=Cash\u0007'], 'must be text, with line breaks at most'],
    [['--setting', 'moneyDigits=three'], "'moneyDigits' does not fit"],
  ])('refuse %s', refuses);

  it('refuse instructions that are too long', () =>
    refuses(['--setting', `paymentInstructions=${'x'.repeat(1_001)}`], "'paymentInstructions' does not fit"));

  it('keep hosts and images apart [decisions.0.whole-branding]', async () => {
    await json('reseller', 'add', '--id', '4102', '--name', 'Hosts');
    const { id: one } = await json<{ id: number }>(
      'brand',
      'add',
      '--reseller',
      '4102',
      '--name',
      'One',
      '--host',
      'one.example',
    );
    const { id: two } = await json<{ id: number }>('brand', 'add', '--reseller', '4102', '--name', 'Two');
    expect(await run('brand', 'host', '--id', `${two}`, '--add', 'one.example')).toMatchObject({
      code: 1,
      err: expect.stringContaining(`belongs to brand ${one}`),
    });
    await json('brand', 'host', '--id', `${one}`, '--add', 'uno.example', '--main');
    const hosts = async () =>
      (
        await json<{ brands: { id: number; hosts: string[] }[] }>('brand', 'list', '--reseller', '4102')
      ).brands.find((brand) => brand.id === one)?.hosts;
    expect(await hosts()).toEqual(['uno.example', 'one.example']);
    await json('brand', 'host', '--id', `${one}`, '--remove', 'uno.example');
    expect(await hosts()).toEqual(['one.example']);
    const logo = join(cli.folder, 'logo.svg');
    await writeFile(
      logo,
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4"/></svg>',
    );
    expect(await json('brand', 'image', '--id', `${one}`, '--logo', logo)).toMatchObject({
      stored: [{ kind: 'logo', contentType: 'image/svg+xml' }],
    });
    await writeFile(logo, '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    expect(await run('brand', 'image', '--id', `${one}`, '--logo', logo)).toMatchObject({
      code: 1,
      err: expect.stringContaining('scripts'),
    });
    expect(
      await run('brand', 'image', '--id', `${one}`, '--logo', join(cli.folder, 'missing')),
    ).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot be read'),
    });
  });
});
