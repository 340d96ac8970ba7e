import { labelOf, wordsOf } from '@steward/approvals/reading';

/** What stands below these is called what somebody chose, and stays as it is: in words of ours it would pass for something of ours. */
const chosen: ReadonlySet<string> = new Set([
  'became',
  'clearing_accounts',
  'custom',
  'discarded',
  'door_state',
  'headers',
  'option_values',
  'options',
  'settings',
  'source',
]);

export const isChosen = (name: string): boolean => chosen.has(snakeOf(name));

/** Tables of words (`dictionary`). */
type Labels = Readonly<Record<string, string>>;

/** What members are called to the reader. */
export interface Labelling {
  /** As `labelOf`, in the language of the page. */
  readonly label: typeof labelOf;
  readonly noun: (noun: string) => string;
  /** The members on the way to what differs; below what somebody chose, as they are. */
  readonly path: (parts: readonly string[], given: unknown, called: ReadonlyMap<string, string>) => readonly string[];
}

/**
 * In English, names of members are words already (`wordsOf`).
 * @param own somebody chose what members are called here
 */
export function labelling(labels: Labels, own = false): Labelling {
  const label: Labelling['label'] = (name, given, called) => {
    const english = labelOf(name, given, called);
    const snake = snakeOf(name);
    const whole = labels[snake];
    if (whole !== undefined) return whole;
    const stem = /^(.+)_id(s?)$/.exec(snake);
    const of = stem?.[1] === undefined ? undefined : (labels[stem[1] + (stem[2] ?? '')] ?? labels[stem[1]]);
    if (of === undefined) return english;
    return english === wordsOf(name) ? `${of} (ID)` : of;
  };
  const as: Labelling['label'] = own ? (name) => wordsOf(name) : label;
  return {
    label: as,
    noun: (noun) => labels[noun] ?? wordsOf(noun),
    path: (parts, given, called) => {
      const from = own ? 0 : parts.findIndex(isChosen) + 1 || parts.length;
      return parts.map((part, at) => (at < from ? label(part, given, called) : wordsOf(part)));
    },
  };
}

const snakeOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
