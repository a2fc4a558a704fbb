import type { PayState } from '@counterfoil/domain/paying/pay-state.ts';
import type { ComponentType } from 'react';
import { t as shared } from '../../../paying/outcome/outcome-messages.ts';
import { outcomeTitles } from '../../../paying/outcome/outcome-screens.tsx';
import type { PayView } from '../pay-view.ts';
import type { ScreenProps } from '../screen-props.ts';
import { screens } from '../screens.tsx';
import { OutcomeFoot } from './outcome-foot.tsx';
import { t } from './outcome-messages.ts';

/** What the page draws and says where it is not loading and has no form. */
export interface Outcomes {
  readonly screens: Partial<Record<PayState, ComponentType<ScreenProps>>>;
  readonly Foot: ComponentType<{ readonly view: PayView }>;
  /** The page's title in a state, and what screen readers say when it begins; undefined where it has none. */
  readonly headingOf: (state: PayState) => string | undefined;
  readonly announcementOf: (view: PayView) => string;
}

const headings: Partial<Record<PayState, string>> = {
  ...outcomeTitles,
  loadFailed: shared('failed.title'),
  misconfigured: t('misconfigured.title'),
  credited: t('credited.title'),
  paid: t('paid.title'),
  notPayable: t('notPayable.title'),
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
