import { defineMessages } from '../text/catalogue.ts';

/** Texts of the frame around every signed-in page. */
export const t = defineMessages({
  'shell.skip': 'Skip to content',
  'shell.menu': 'Menu',
  'shell.mainMenu': 'Main',
  'shell.settings': 'Settings',
  'shell.logOut': 'Log Out',
  'shell.customer': 'Customer',
  'shell.selectCustomer': 'Select customer...',
  'shell.switching': 'Changing customer',
  'notFound.title': 'There is nothing at this address',
  'notFound.text': 'The address may be mistyped, or the page is no longer part of this portal.',
  'notFound.action': 'Go to the start page',
  'noAreas.title': 'There is nothing to show yet',
  'noAreas.text': 'Your provider has not switched on any part of this portal for you.',
  'failed.title': 'The portal could not be loaded',
  'failed.text': 'Nothing was changed.',
  'support.label': 'Support session',
  'support.text': '{actor} is signed in as {name}, {email}. Every change is recorded under both names.',
  'support.end': 'End support session',
});
