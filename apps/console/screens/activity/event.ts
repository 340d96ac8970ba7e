/** An event of the log, as the API answers it. */
export interface LogEvent {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly source: string;
  readonly source_system?: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly dimensional_tags?: Readonly<Record<string, string>>;
  readonly principal_chain: readonly Principal[];
  readonly ingested_by: Principal;
  readonly display_names?: Readonly<Record<string, string>>;
  readonly occurred_at: string;
  readonly received_at: string;
  readonly causal_id?: string;
  readonly correlation_id?: string;
  readonly row_hash: string;
  readonly prev_hash: string;
}

export interface Principal {
  readonly principal_type: string;
  readonly principal_id: string;
}

export interface Head {
  readonly head: { readonly sequence: number; readonly row_hash: string; readonly received_at: string } | null;
  readonly sealed_through: string | null;
}

/** Whether the day on which it was received is signed and can change no more. */
export const isSealed = ({ received_at: at }: Pick<LogEvent, 'received_at'>, through: string | null): boolean =>
  through !== null && at.slice(0, 10) <= through;

/** Qualifiers of the field, which are the search parameters of the address and of the API. */
export const qualifiers = [
  'type',
  'principal',
  'resource',
  'correlation_id',
  'causal_id',
  'grammar',
  'received_from',
  'received_before',
  'occurred_from',
  'occurred_before',
  'sequence_from',
  'sequence_to',
] as const;
type Qualifier = (typeof qualifiers)[number];
export type Qualified = Partial<Readonly<Record<Qualifier, string>>>;

const isQualifier = (name: string): name is Qualifier => qualifiers.some((one) => one === name);

/** `type:portal.** principal:"user:somebody else"`: quotes where a value has spaces. */
export const fieldOf = (qualified: Qualified): string =>
  qualifiers
    .flatMap((name) => {
      const value = qualified[name];
      if (value === undefined) return [];
      return [`${name}:${/[\s"]/.test(value) ? JSON.stringify(value) : value}`];
    })
    .join(' ');

/** What was typed, by qualifier; a word without one is an id or a name that an event is about. */
export function readField(text: string): Qualified {
  const found: Partial<Record<Qualifier, string>> = {};
  for (const word of wordsIn(text)) {
    const cut = word.indexOf(':');
    const name = cut < 0 ? '' : word.slice(0, cut);
    if (isQualifier(name)) found[name] = unquoted(word.slice(cut + 1));
    else found.resource = unquoted(word);
  }
  return found;
}

/** Split at spaces that are in no quotes; a backslash in quotes takes the next character as it is. */
function wordsIn(text: string): readonly string[] {
  const words: string[] = [];
  let [word, quoted] = ['', false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (quoted && character === '\\') {
      word += character + (text[at + 1] ?? '');
      at += 1;
      continue;
    }
    if (character === '"') quoted = !quoted;
    if (quoted || character.trim() !== '') word += character;
    else if (word !== '') {
      words.push(word);
      word = '';
    }
  }
  return word === '' ? words : [...words, word];
}

/** Quotes that were left open end with the text. */
function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1);
  }
}

export const qualifiedOf = (filters: Readonly<Record<string, string | undefined>>): Qualified =>
  Object.fromEntries(
    qualifiers.flatMap((name) => {
      const value = filters[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
