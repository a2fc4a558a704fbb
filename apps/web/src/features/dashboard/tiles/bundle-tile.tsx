import type { Bundle } from '@counterfoil/contract/dashboard.ts';
import { readerLocale } from '../../../text/catalogue.ts';
import { Meter } from '../../../ui/data/meter.tsx';
import { meterState } from '../../../ui/data/meter-model.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Tile, type TileSpan } from '../../../ui/layout/tile.tsx';
import styles from '../dashboard.module.css';
import { bundleTileHeight } from '../layout.ts';
import { t } from '../messages.ts';

type Product = Bundle['bundle_products'][number];

/** Two decimals tell enough of a month's use; the records have them all. */
const formatNumber = (value: number): string =>
  new Intl.NumberFormat(readerLocale(), { maximumFractionDigits: 2 }).format(value);

/** A bundle's products: how much of each has been used. */
export function BundleTile({ bundle, span }: { readonly bundle: Bundle; readonly span: TileSpan }) {
  const { bundleName, bundle_products: products } = bundle;
  return (
    <Tile title={bundleName} span={span} minHeight={bundleTileHeight(products.length)}>
      {products.length === 0 ? (
        <p className={styles.small}>{t('bundle.none')}</p>
      ) : (
        <ul className={styles.products}>
          {products.map((product, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a bundle may hold a product twice, in a fixed order
            <ProductRow key={index} product={product} />
          ))}
        </ul>
      )}
    </Tile>
  );
}

function ProductRow({ product }: { readonly product: Product }) {
  const { productName, serviceItem, quantity, unitLabel: unit, consumption } = product;
  const { tone } = meterState(consumption, quantity);
  const used = t('bundle.used', {
    consumption: formatNumber(consumption),
    quantity: formatNumber(quantity),
    unit,
  });
  const left = leftText(product);
  return (
    <li>
      <div className={styles.productLine}>
        <span className={styles.productName}>
          {productName}
          {serviceItem !== null && <span className={styles.serviceItem}> {serviceItem}</span>}
        </span>
        <span className={styles.number}>{used}</span>
      </div>
      <Meter
        label={[productName, serviceItem].filter(Boolean).join(', ')}
        consumption={consumption}
        quantity={quantity}
        words={`${used}, ${left}`}
      />
      <p className={tone === 'warning' ? styles.warning : styles.small}>
        {tone === 'warning' && <Icon name="alert" />}
        {left}
      </p>
    </li>
  );
}

/** '126 GB left'; above 90 % also how much that is: '94% used, 126 GB left', '108% used, 40 min over'. */
export function leftText({ consumption, quantity, unitLabel: unit }: Product): string {
  const { left, tone } = meterState(consumption, quantity);
  const rest = t(left < 0 ? 'bundle.over' : 'bundle.left', { left: formatNumber(Math.abs(left)), unit });
  if (tone === 'plain' || quantity <= 0) return rest;
  const percent = new Intl.NumberFormat(readerLocale(), {
    style: 'percent',
    // 99.9 % is not all of it, and 100.2 % is more.
    roundingMode: left < 0 ? 'ceil' : 'floor',
  }).format(consumption / quantity);
  return t('bundle.warning', { percent, rest });
}
