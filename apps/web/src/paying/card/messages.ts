import { defineMessages } from '../../text/catalogue.ts';

/** Texts of the fields that take a new card, wherever they stand (payments §2, §3). */
export const t = defineMessages({
  'form.holder': 'Card Holder Name',
  'form.email': 'Email Receipt',
  'form.optional': '(optional)',
  'form.billing': 'Billing address',
  'form.address': 'Address',
  'form.city': 'City',
  'form.state': 'State',
  'form.zip': 'Zip',
  'form.country': 'Country',
  'form.chooseCountry': 'Choose a country',
  'form.card': 'card details',
  'form.cardFailed': 'The card form could not be loaded. Check your connection and try again',
  'problem.holder': 'Enter the name on the card',
  'problem.address': 'Enter your address',
  'problem.city': 'Enter your city',
  'problem.state': 'Enter your state',
  'problem.zip': 'Enter your zip',
  'problem.country': 'Choose your country',
  'problem.email': 'Enter an email address like name@example.com, or leave it empty',
});
