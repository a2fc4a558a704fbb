import { fixedId } from './random.ts';

/** What a customer has: a small office, a larger one, a fleet of SIM cards, or nothing at all. */
export type DemoProfile = 'small' | 'office' | 'fleet' | 'nothing';

export interface DemoCustomer {
  readonly id: string;
  /** Position in the world, from 1; stands in invoice numbers. */
  readonly ordinal: number;
  readonly key: string;
  readonly brandId: number;
  readonly label: string;
  readonly email: string;
  readonly country: string;
  readonly city: string;
  readonly postalCode: string;
  readonly street: string;
  readonly profile: DemoProfile;
  readonly costCentres: readonly (string | null)[];
  readonly sites: readonly string[];
  readonly people: readonly string[];
}

export interface DemoUser {
  readonly email: string;
  readonly name: string;
  readonly resellerId: number;
  /** Where to sign in. */
  readonly host: string;
  readonly customerIds: readonly string[];
}

export const DEMO_PASSWORD = 'Ledger!2026';

type Entry = readonly [
  key: string,
  brandId: number,
  label: string,
  country: string,
  city: string,
  postalCode: string,
  street: string,
  profile: DemoProfile,
];

/** Two hundred characters, as the longest name a customer may have. */
const longName =
  'The Amalgamated Northern and Western Society of Lighthouse Keepers, Harbour Pilots, Tide-Table Printers, ' +
  'Foghorn Tuners and Allied Coastal Trades (Mutual Benefit, Widows’ and Orphans’ Branch), Registered';
const length200 = longName.padEnd(200, ' Office of the Secretary and Treasurer').slice(0, 200);

const entries: readonly Entry[] = [
  [
    'mariner',
    1,
    'Mariner & Vale Coffee Roasters',
    'US',
    'Portland',
    '04101',
    '18 Commercial Street',
    'small',
  ],
  ['kestrel', 1, 'Kestrel Parcel Logistics', 'US', 'Worcester', '01604', '400 Depot Road', 'fleet'],
  ['byron', 1, 'Byron & Daughters Bookbinders', 'US', 'Northampton', '01060', '7 Crescent Lane', 'office'],
  ['keepers', 1, length200, 'US', 'Rockland', '04841', '1 Breakwater Road', 'small'],
  ['nakheel', 1, 'شركة النخيل للتجارة والخدمات اللوجستية', 'AE', 'دبي', '12345', 'شارع الميناء ١٢', 'small'],
  ['minato', 1, '株式会社みなと製作所', 'JP', '横浜市', '231-0001', '中区新港一丁目1番1号', 'small'],
  ['blank', 1, 'Blank Page Publishing', 'US', 'Bangor', '04401', '22 Empty Row', 'nothing'],
  ['wattle', 2, 'Wattle & Daub Builders', 'AU', 'Newcastle', '2300', '9 Hunter Quay', 'office'],
  ['arroyo', 3, 'Arroyo Skate Supply', 'US', 'Oakland', '94607', '315 Third Street', 'small'],
  ['fenwick', 4, 'Fenwick Rare Seeds', 'GB', 'Bristol', 'BS1 4ND', '4 Welsh Back', 'office'],
  ['moewe', 5, 'Möwe Schiffsausrüstung GmbH', 'DE', 'Hamburg', '20457', 'Am Sandtorkai 30', 'office'],
  ['granite', 6, 'Granite State Climbing Gym', 'US', 'Boulder', '80302', '88 Pearl Street', 'small'],
  ['cottonwood', 7, 'Cottonwood Veterinary Clinic', 'US', 'Omaha', '68102', '1200 Farnam Street', 'office'],
  ['saguaro', 8, 'Saguaro Solar Installers', 'US', 'Tempe', '85281', '51 Mill Avenue', 'small'],
  ['erable', 9, 'Érable & Fils, Érablière', 'CA', 'Gatineau', 'J8X 1A1', '14, rue du Moulin', 'office'],
  ['quandong', 10, 'Quandong Catering', 'AU', 'Adelaide', '5000', '3 Rundle Court', 'small'],
  ['channel', 11, 'North Channel Ferries', 'US', 'Juneau', '99801', '70 Marine Way', 'office'],
  ['corio', 12, 'Corio Bay Accountants', 'AU', 'Geelong', '3220', '62 Malop Street', 'office'],
  ['skerry', 13, 'Skerry Knitwear', 'GB', 'Dundee', 'DD1 4BG', '11 Exchange Street', 'small'],
  ['diwan', 14, 'Diwan House of Perfume', 'KW', 'Kuwait City', '15000', '5 Mubarak Street', 'small'],
];

const peopleOf: Readonly<Record<string, readonly string[]>> = {
  nakheel: ['ليلى', 'عمر', 'سارة', 'يوسف'],
  minato: ['佐藤', '鈴木', '高橋', '田中'],
  moewe: ['Anke', 'Jörg', 'Birgit', 'Sönke', 'Frauke', 'Uwe'],
};
const people = ['Dana', 'Luis', 'Priya', 'Tom', 'Wen', 'Grace', 'Amir', 'Nell', 'Otto', 'Ruth'];
const sitesOf: Readonly<Record<string, readonly string[]>> = {
  mariner: ['Roastery', 'Harbor Café'],
  kestrel: ['Worcester Depot', 'Albany Depot', 'Hartford Depot', 'Providence Depot', 'Nashua Depot'],
  nakheel: ['المكتب الرئيسي', 'المستودع'],
  minato: ['本社', '第二工場'],
};

export const demoCustomers: readonly DemoCustomer[] = entries.map(
  ([key, brandId, label, country, city, postalCode, street, profile], at) => ({
    key,
    brandId,
    label,
    country,
    city,
    postalCode,
    street,
    profile,
    id: fixedId(`customer ${key}`, undefined, at + 1),
    ordinal: at + 1,
    email: `accounts@${key}.example`,
    costCentres: at % 3 === 2 ? ['4100', '4200', null] : ['Sales', 'Operations', null, 'Administration'],
    sites: sitesOf[key] ?? ['Head office', 'Workshop'],
    people: peopleOf[key] ?? people,
  }),
);

const customer = (key: string): string =>
  fixedId(`customer ${key}`, undefined, 1 + entries.findIndex((one) => one[0] === key));

const user = (
  name: string,
  displayName: string,
  resellerId: number,
  host: string,
  ...keys: readonly string[]
): DemoUser => ({
  email: `${name}@demo.example`,
  name: displayName,
  resellerId,
  host,
  customerIds: keys.map(customer),
});

export const demoUsers: readonly DemoUser[] = [
  user('stripe', 'Stella Vale', 2204, 'localhost', 'mariner'),
  user('ada', 'Ada Byron', 2204, 'localhost', 'kestrel', 'byron', 'keepers'),
  user('layla', 'ليلى النخيل', 2204, 'localhost', 'nakheel'),
  user('haruka', '港 遥', 2204, 'localhost', 'minato'),
  user('empty', 'Paige Blank', 2204, 'localhost', 'blank'),
  user('au', 'Bruce Wattle', 2204, 'au.localhost', 'wattle'),
  user('us', 'Rosa Arroyo', 2204, 'us.localhost', 'arroyo'),
  user('gb', 'Imogen Fenwick', 2204, 'gb.localhost', 'fenwick'),
  user('eu', 'Anke Möwe', 2204, 'eu.localhost', 'moewe'),
  user('split', 'Cliff Granite', 8266, 'split.localhost', 'granite'),
  user('authorize', 'Vera Cottonwood', 3002, 'authorize.localhost', 'cottonwood'),
  user('ippay', 'Sol Saguaro', 3004, 'ippay.localhost', 'saguaro'),
  user('moneris', 'Édith Érable', 3005, 'moneris.localhost', 'erable'),
  user('pinch', 'Quinn Quandong', 3006, 'pinch.localhost', 'quandong'),
  user('nexio', 'Norah Ferrier', 3008, 'nexio.localhost', 'channel'),
  user('bpoint', 'Bay Corio', 3010, 'bpoint.localhost', 'corio'),
  user('gocardless', 'Isla Skerry', 3012, 'gocardless.localhost', 'skerry'),
  user('none', 'Noor Diwan', 3000, 'none.localhost', 'diwan'),
];
