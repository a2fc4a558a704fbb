import { describe, expect, it } from 'vitest';
import { billingRows } from '../../../test/fixtures/billing-rows.ts';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const make = billingRows(fixture);

async function withItems() {
  const person = await signedIn(fixture);
  const { id } = person.customer;
  const voice = await make.service(person.reseller.id, 'Voice', { service_item_label: 'Number' });
  const data = await make.service(person.reseller.id, 'Data');
  const unused = await make.service(person.reseller.id, 'Unused');
  const first = await make.item(id, voice, '+44 1', { description: 'Reception', costCentre: 'CC-1' });
  const second = await make.item(id, voice, '+44 2');
  const sim = await make.item(id, data, 'SIM 1');
  return { ...person, voice, data, unused, first, second, sim };
}

describe('services and service items', () => {
  it('lists the services the customer has items of, with the provider’s words', async () => {
    const { voice, data, get } = await withItems();
    const none = {
      serviceItem2Label: null,
      serviceItem3Label: null,
      unitsLabel: null,
      recordTypeLabel: null,
    };
    expect((await get('/v1/ec/services')).json().data).toEqual([
      { id: data, name: 'Data', serviceItemLabel: null, ...none },
      { id: voice, name: 'Voice', serviceItemLabel: 'Number', ...none },
    ]);
  });

  it('lists the items of a service, or of all; a service without items has none [portal.service-items.field.serviceItem.*, portal.service-items.{call.list,field.list.service}]', async () => {
    const { voice, unused, first, second, sim, get } = await withItems();
    expect((await get(`/v1/ec/service-items?service=${voice}`)).json().data).toEqual([
      { id: first, serviceId: voice, serviceItem: '+44 1', description: 'Reception', costCentre: 'CC-1' },
      { id: second, serviceId: voice, serviceItem: '+44 2', description: null, costCentre: null },
    ]);
    const all = (await get('/v1/ec/service-items')).json().data.map(({ id }: { id: string }) => id);
    expect(all).toEqual([first, second, sim]);
    expect((await get(`/v1/ec/service-items?service=${unused}`)).json().data).toEqual([]);
    expect((await get('/v1/ec/service-items?service=nonsense')).statusCode).toBe(400);
  });

  it('names items by their ids, and finds them by words of what a choice shows', async () => {
    const { voice, data, first, second, sim, get } = await withItems();
    const { first: foreign } = await withItems();
    const idsOf = async (query: string) => {
      const { data, totalCount } = (await get(`/v1/ec/service-items?${query}`)).json();
      const ids = data.map(({ id }: { id: string }) => id);
      expect(totalCount).toBe(ids.length);
      return ids;
    };
    expect(await idsOf(`ids=${sim},${first},${sim}`)).toEqual([first, sim]);
    expect(await idsOf(`ids=${sim},${first}&service=${data}`)).toEqual([sim]);
    expect(await idsOf(`ids=${foreign}`)).toEqual([]);
    const few = Array.from({ length: 200 }, () => second).join(',');
    expect(await idsOf(`ids=${few}`)).toEqual([second]);
    for (const bad of [`${few},${second}`, `${second},`, 'x', ''])
      expect((await get(`/v1/ec/service-items?ids=${bad}`)).statusCode, bad).toBe(400);
    expect(await idsOf('label=recEPTion%20%2B44')).toEqual([first]);
    expect(await idsOf('label=%201%20')).toEqual([first, sim]);
    expect(await idsOf(`label=1&service=${voice}`)).toEqual([first]);
    // Its cost centre is not shown there.
    expect(await idsOf('label=CC-1')).toEqual([]);
    expect(await idsOf('label=%25')).toEqual([]);
  });
});

describe('PUT /v1/ec/service-items/{id}', () => {
  it('saves description and cost centre; empty and blank ones as null [portal.cost-centres.{empty-description,empty-cost-centre}, portal.service-items.{call.update,field.update.description,field.update.costCentre}]', async () => {
    const { first, voice, call } = await withItems();
    const put = (body: object) => call('PUT', `/v1/ec/service-items/${first}`, body);
    expect((await put({ description: '  Front desk ', costCentre: '' })).json().data).toEqual({
      id: first,
      serviceId: voice,
      serviceItem: '+44 1',
      description: 'Front desk',
      costCentre: null,
    });
    expect((await put({ description: '   ', costCentre: 'CC-9' })).json().data).toMatchObject({
      description: null,
      costCentre: 'CC-9',
    });
    // What is left out stays.
    expect((await put({})).json().data).toMatchObject({ description: null, costCentre: 'CC-9' });
  });

  it('takes 200 characters, and refuses more', async () => {
    const { first, call } = await withItems();
    const put = (text: string) => call('PUT', `/v1/ec/service-items/${first}`, { description: text });
    expect((await put('é'.repeat(200))).statusCode).toBe(200);
    expect((await put('x'.repeat(201))).statusCode).toBe(400);
  });

  it('offers the cost centres in use, each once, in the order people count', async () => {
    const { customer, voice, get } = await withItems();
    for (const [at, costCentre] of ['cc-10', 'CC-9', 'CC-9', null].entries())
      await make.item(customer.id, voice, `L ${at}`, { costCentre });
    const known = await get('/v1/ec/service-items/cost-centres');
    expect(known.json().data).toEqual(['CC-1', 'CC-9', 'cc-10']);
  });

  it('does not touch another customer’s item', async () => {
    const mine = await withItems();
    const other = await withItems();
    const answer = await mine.call('PUT', `/v1/ec/service-items/${other.first}`, { costCentre: 'MINE' });
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'serviceItem.notFound']);
    const theirs = await other.get(`/v1/ec/service-items?service=${other.voice}`);
    expect(theirs.json().data[0]).toMatchObject({ costCentre: 'CC-1' });
  });
});
