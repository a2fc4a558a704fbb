import { defineMessages } from '../../text/catalogue.ts';

export const t = defineMessages({
  search: 'Search',
  count: '{count, plural, =0 {Nothing found} one {# found} other {# found}}',
  'found.none': 'Nothing matches your search',
  'found.clear': 'Clear search',
});
