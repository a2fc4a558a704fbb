import {
  type UsageMapping,
  type UsageMappingText,
  usageMapping,
} from '@counterfoil/contract/operator/imports/usage-import.ts';
import { asterisk, looksLikeAsterisk } from './asterisk.ts';
import { cgrates, looksLikeCgrates } from './cgrates.ts';
import { ciscoCucm, looksLikeCiscoCucm } from './cisco-cucm.ts';
import {
  freeswitch,
  freeswitchAsterisk,
  looksLikeFreeswitch,
  looksLikeFreeswitchAsterisk,
} from './freeswitch.ts';
import { looksLikeTwilio, twilio } from './twilio.ts';
import type { Fields } from './voice.ts';

interface ReadyMapping {
  readonly mapping: UsageMapping;
  /** Whether a line of a file, header or record, is of this source. */
  readonly looksLike: (fields: Fields) => boolean;
}

const ready = (text: UsageMappingText, looksLike: ReadyMapping['looksLike']): ReadyMapping => ({
  mapping: usageMapping.parse(text),
  looksLike,
});

/** The mappings that come with the program, the most particular first: a file is of the first that knows a line. */
export const readyMappings: readonly ReadyMapping[] = [
  ready(ciscoCucm, looksLikeCiscoCucm),
  ready(twilio, looksLikeTwilio),
  ready(cgrates, looksLikeCgrates),
  ready(freeswitch, looksLikeFreeswitch),
  ready(freeswitchAsterisk, looksLikeFreeswitchAsterisk),
  ready(asterisk, looksLikeAsterisk),
];

/** A mapping that comes with the program, by name. */
export const readyMapping = (name: string): UsageMapping | undefined =>
  readyMappings.find(({ mapping }) => mapping.name === name)?.mapping;
