import type { PublicPayState } from '@counterfoil/domain/public-pay.ts';
import type { ComponentType } from 'react';
import { OutcomeFoot } from './outcome-foot.tsx';
import { t } from './outcome-messages.ts';
import type { PayView } from './pay-view.ts';
import type { ScreenProps } from './screen-props.ts';
import { screens } from './screens.tsx';

/** What the page draws and says where it is not loading and has no form. */
export interface Outcomes {
  readonly screens: Partial<Record<PublicPayState, ComponentType<ScreenProps>>>;
  readonly Foot: ComponentType<{ readonly view: PayView }>;
  /** The page's title in a state, and what screen readers say when it begins; undefined where it has none. */
  readonly headingOf: (state: PublicPayState) => string | undefined;
  readonly announcementOf: (view: PayView) => string;
}

const headings: Partial<Record<PublicPayState, string>> = {
  loadFailed: t('pay.failed'),
  misconfigured: t('misconfigured.title'),
  credited: t('credited.title'),
  paid: t('paid.title'),
  notPayable: t('notPayable.title'),
  requiresAction: t('action.title'),
  confirming: t('confirming.title'),
  submitted: t('submitted.title'),
  success: t('pay.successful'),
  failed: t('pay.failed'),
};

export const outcomes: Outcomes = {
  screens,
  Foot: OutcomeFoot,
  headingOf: (state) => headings[state],
  announcementOf({ state, failure, outcome }) {
    const heading = headings[state];
    if (heading === undefined) return '';
    const message = state === 'loadFailed' ? failure?.message : outcome?.message;
    return state === 'loadFailed' || state === 'failed'
      ? [heading, message].filter(Boolean).join('. ')
      : heading;
  },
};
