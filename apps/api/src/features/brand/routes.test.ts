import { expect, it } from 'vitest';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();

const extraTabs = (value: boolean) => ({
  endPortalTransactionsExtraTab1: value,
  endPortalTransactionsExtraTab2: value,
  endPortalTransactionsExtraTab3: value,
  endPortalTransactionsExtraTab4: value,
  endPortalTransactionsExtraTab5: value,
});

it('brand settings have the name and service of service items, the opening balance and the extra columns [portal.brand.{text.service-item,field.endServiceItemDisplayName,field.endServiceId,field.endShowOpeningBalance}, portal.brand.field.endPortalTransactionsExtraTab*]', async () => {
  const chosen = {
    endServiceItemDisplayName: 'Phone Number',
    endServiceId: '019364b2-7a00-7000-8000-000000000000',
    endShowOpeningBalance: true,
    ...extraTabs(true),
  };
  const { reseller, get } = await signedIn(fixture, chosen);
  expect((await get(`/v1/brands-settings/${reseller.brandId}`)).json().data).toMatchObject(chosen);
});

it('a brand about which nothing was said calls a service item so, and has no balance and no extra columns [portal.brand.{text.service-item,field.endServiceItemDisplayName,field.endServiceId,field.endShowOpeningBalance}, portal.brand.field.endPortalTransactionsExtraTab*]', async () => {
  const { reseller, get } = await signedIn(fixture, {});
  expect((await get(`/v1/brands-settings/${reseller.brandId}`)).json().data).toMatchObject({
    endServiceItemDisplayName: 'Service Item',
    endServiceId: null,
    endShowOpeningBalance: false,
    ...extraTabs(false),
  });
});
