import { describe, expect, it } from 'vitest';
import { useImportProgram } from '../../../../test/fixtures/import-program.ts';
import { importUndoJob } from './undo-job.ts';

const { fixture, rows, deps, provider } = useImportProgram();

const german = ['Kundennr.;Firma;seit', 'K-1;Müller;x', 'K-2;Söhne;y', ''].join('\n');
const rowsOf = { mapping: '', kind: 'customers' };

/** What an upload of rows is asked with: no mapping of usage records. */
const asked = (query: Record<string, string> = {}) => {
  const { mapping: _mapping, ...more } = { ...rowsOf, ...query };
  return more;
};

describe('an uploaded file of rows', () => {
  async function program() {
    const { reseller, get, post, work, show } = await provider();
    const send = async (method: 'POST' | 'PUT', url: string, payload: string | object, query = {}) => {
      const key = await keyOf(reseller.id);
      const answer = await fixture.app.inject({
        method,
        url: `/v1/admin${url}`,
        query,
        payload,
        headers: {
          authorization: `Bearer ${key}`,
          ...(typeof payload === 'string' && { 'content-type': 'text/csv' }),
        },
      });
      return { status: answer.statusCode, ...answer.json() };
    };
    const upload = async (payload: string, query: Record<string, string> = {}) =>
      send('POST', '/imports', payload, { fileName: 'crm.csv', ...query });
    const customers = () =>
      rows<{ label: string }>(
        'select label from customer where reseller_id = $1 and external_ref is not null order by external_ref',
        [reseller.id],
      );
    return { reseller, get, post, work, show, send, upload, customers };
  }
  const keys = new Map<number, string>();
  async function keyOf(resellerId: number): Promise<string> {
    const { programKey } = await import('../../../../test/fixtures/program.ts');
    const key = keys.get(resellerId) ?? (await programKey(fixture, resellerId, 'crm'));
    keys.set(resellerId, key);
    return key;
  }

  it('is guessed, looked at, started and undone', async () => {
    const { upload, work, show, post, customers } = await program();
    const { status, data } = await upload(german, { dryRun: 'true' });
    expect([status, data]).toMatchObject([202, { format: 'customers', state: 'checking' }]);
    const { id } = data;
    await work(id);
    expect(await show(id)).toMatchObject({
      state: 'checked',
      preview: { created: 2, updated: 0, quarantined: 0 },
      columns: {
        mapping: {
          entity: 'customers',
          delimiter: ';',
          columns: { reference: { column: 'Kundennr.' }, label: { column: 'Firma' } },
        },
        header: ['Kundennr.', 'Firma', 'seit'],
        samples: [
          ['K-1', 'Müller', 'x'],
          ['K-2', 'Söhne', 'y'],
        ],
        questions: [],
      },
    });
    expect(await customers()).toEqual([]);
    await post(`/imports/${id}/start`);
    await work(id);
    await work(id);
    expect(await show(id)).toMatchObject({ state: 'done', created: 2, unchanged: 0, quarantined: 0 });
    expect(await customers()).toEqual([{ label: 'Müller' }, { label: 'Söhne' }]);
    await post(`/imports/${id}/undo`, { note: 'the wrong file' });
    await importUndoJob(deps()).run({ id });
    expect(await show(id)).toMatchObject({ state: 'undone', undone: 2 });
    expect(await customers()).toEqual([]);
  });

  it('waits for what only a person can say; said once and saved, the next file needs nothing', async () => {
    const { upload, work, show, post, send, get } = await program();
    const invoices = (number: string) =>
      ['Invoice No,Client number,Date,Ccy,What,Price', `${number},C,03/04/2026,NZD,Line,1.00`, ''].join('\n');
    const { data } = await upload(invoices('A-1'), asked({ kind: 'invoices', dryRun: 'true' }));
    const { columns } = await show(data.id);
    expect(
      columns.questions.map(({ about, member }: { about: string; member: string }) => [about, member]),
    ).toEqual([
      ['column', 'lines.name'],
      ['dates', 'issuedOn'],
    ]);
    expect(await post(`/imports/${data.id}/start`)).toMatchObject({
      status: 409,
      code: 'import.columnsOpen',
    });
    const refused = await upload(invoices('A-1'), asked({ kind: 'invoices' }));
    expect(refused).toMatchObject({ status: 422, code: 'usageImport.unfit' });
    const mapping = {
      ...columns.mapping,
      name: 'shop',
      title: 'Shop',
      dates: 'dayFirst',
      columns: { ...columns.mapping.columns, 'lines.name': { column: 'What' } },
    };
    const unknown = { ...mapping, columns: { colour: { column: 'Date' } } };
    expect(await send('PUT', `/imports/${data.id}/columns`, { mapping: unknown })).toMatchObject({
      status: 422,
    });
    expect(await send('PUT', `/imports/${data.id}/columns`, { mapping, save: true })).toMatchObject({
      status: 202,
      data: { state: 'checking', columns: { questions: [] } },
    });
    await work(data.id);
    expect((await show(data.id)).preview).toMatchObject({ quarantined: 1, reasons: [{ cause: 'customer' }] });
    expect((await get('/import-mappings')).data).toContainEqual({
      name: 'shop',
      title: 'Shop',
      entity: 'invoices',
      isOwn: true,
    });
    const next = await upload(invoices('A-2'), { mapping: 'shop' });
    expect(next).toMatchObject({ status: 202, data: { state: 'waiting', format: 'invoices' } });
  });

  it('offers the columns of each kind, and a file to fill in', async () => {
    const { get, reseller } = await program();
    const { data } = await get('/import-kinds');
    expect(data[0]).toMatchObject({ name: 'customers', groupedBy: null });
    expect(data[0].columns[0]).toMatchObject({ name: 'reference', isRequired: true, form: 'text' });
    const template = await fixture.app.inject({
      url: '/v1/admin/import-kinds/customers/template',
      headers: { authorization: `Bearer ${await keyOf(reseller.id)}` },
    });
    expect(template.headers['content-type']).toContain('text/csv');
    expect(template.body.split('\r\n')[0]).toContain('"reference","label"');
  });
});
