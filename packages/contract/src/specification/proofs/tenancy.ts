import type { Proof, Proofs } from '../row.ts';

const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));
const ids = 'packages/domain/src/ids.test.ts';
const people = 'apps/api/test/people.test.ts';
const schema = 'apps/api/test/schema.test.ts';
const classes = 'apps/api/src/db/table-classes.test.ts';
const commands = by('apps/api/src/cli/commands-people.test.ts', 'refuse what does not belong together');
const names = by(people, 'is an e-mail address in any case, valid at any host');
const unique = by(people, 'is unique in the installation, across resellers');
const reference = [
  ...by(ids, 'has 18 characters of the narrowest alphabet and does not repeat', 'refuses %j'),
];

/** Tests that prove rows of tenancy: row id to file and title. */
export const proofs: Proofs = {
  'decisions.4.one-reseller': commands,
  'decisions.4.many-customers': by(
    'apps/api/src/features/auth/routes.test.ts',
    'lists the user’s customers by label and marks the chosen one',
  ),
  'decisions.4.user-name-email': by(people, 'is no %j', 'is an e-mail address in any case'),
  'decisions.4.user-name-unique': [...unique, ...commands],
  'decisions.4.user-name-case': [...names, ...commands],
  'decisions.4.user-name-any-host': names,
  'decisions.4.uuid-v7': [
    ...by(ids, 'makes version 7 in strictly rising order'),
    ...by(schema, 'no id is made by the database'),
  ],
  'decisions.4.constant.reference-length': reference,
  'decisions.4.constant.reference-characters': reference,
  'decisions.4.class-named': by(classes, 'is named, and no table is named that is not there'),
  'decisions.4.class-distributed': by(
    classes,
    'holds for distributed tables: customer_id stands first in every key',
  ),
  'decisions.4.class-reference': by(
    schema,
    'reseller, brand, service, record type, gateway settings, user and membership are reference',
  ),
  'decisions.4.class-look-up': by(
    schema,
    'pay link, gateway reference, session and one-time tokens are looked up by a key of their own',
  ),
  'decisions.4.look-up-answers': by(
    classes,
    'answers a customer_id for every look-up table, or says why its rows are no customer’s',
  ),
  'decisions.4.external-ref': [
    {
      file: 'apps/api/test/schema.test.ts',
      title: 'external_ref is unique per customer wherever a customer’s thing has one',
    },
  ],
};
