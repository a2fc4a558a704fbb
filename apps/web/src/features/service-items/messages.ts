import { defineMessages } from '../../text/catalogue.ts';

/** Texts of the service items page; its title is the brand's own word (specification, portal §2). */
export const t = defineMessages({
  menu: 'Service Items',
  'search.hint': 'Name, description or cost centre',
  'edit.title': 'Edit {name}',
  empty: 'There is nothing here yet',
  emptyWhy: 'Telephone numbers, lines and devices appear here when your provider has set them up.',
  'found.noneWhy': 'Try a part of the name, or search for something else.',
});
