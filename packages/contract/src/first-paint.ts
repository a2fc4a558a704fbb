import type { PortalSettings, RuntimeConfig } from './brand.ts';
import type { PaymentInfo } from './paying/public-pay.ts';

/** What a page's first markup is drawn from; written into the page, so that the browser draws the same. */
export interface FirstPaint {
  /** BCP 47: how the reader's browser writes figures. */
  readonly locale: string;
  /** The server's time, ISO: what is overdue. */
  readonly now: string;
  /** What the pay page's link asks for; null where the browser is to ask. */
  readonly payment: PaymentInfo | null;
}

/** Draws a page's first markup, `''` where only the browser can. The portal's build makes one for each such page. */
export type DrawPage = (config: RuntimeConfig, first: FirstPaint) => string;

/** Draws the dashboard with sample data, for the preview of a brand; nothing of it is sent to customers. */
export type DrawDashboard = (
  config: RuntimeConfig,
  first: FirstPaint,
  settings: PortalSettings,
) => Promise<string>;
