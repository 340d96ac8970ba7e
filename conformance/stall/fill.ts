import { RegExpParser, type AST } from '@eslint-community/regexpp';
import { hostileTexts, longest, type Shape } from './hostile.ts';

/** How inputs are filled in one round. */
export interface Round {
  /** Chooses among what is equal: values of an enum, shapes of a union, files. */
  readonly turn: number;
  readonly text: keyof typeof hostileTexts;
  /** Whether the bounds that the schema tells are kept; else everything is as long as `room` lets it. */
  readonly within: boolean;
  /** Characters of a text and items of a list at most. */
  readonly room: number;
  readonly mostItems: number;
  /** Values that exist in the tenant, by the name of the member; of an item by its place. Undefined leaves the member out. */
  readonly known: Readonly<Record<string, (index: number, turn: number) => unknown>>;
}

export class Unfillable extends Error {}

/** A value of the shape, every member of which is given. @throws Unfillable where the shape is none that is known here */
export function fill(shape: Shape, round: Round, name = '', index = 0): unknown {
  const { turn, within } = round;
  const plain = name.replaceAll('_', '').toLowerCase();
  if ((within || plain === 'tenantid') && Object.hasOwn(round.known, plain)) return round.known[plain]?.(index, turn);
  const options = shape.anyOf ?? shape.oneOf;
  if (options !== undefined) {
    const given = options.filter(({ type }) => type !== 'null');
    const chosen = given[turn % given.length];
    if (chosen === undefined) throw new Unfillable(`${name}: a union of nothing`);
    return fill(chosen, round, name, index);
  }
  if (shape.const !== undefined) return shape.const;
  if (shape.enum !== undefined)
    return within ? shape.enum[turn % shape.enum.length] : fill({ type: 'string' }, round, name, index);
  const type = typeof shape.type === 'object' ? shape.type.find((one) => one !== 'null') : shape.type;
  switch (type) {
    case 'string':
      return textOf(shape, round, name, index);
    case 'integer':
    case 'number':
      return within ? ((turn % 2 === 0 ? shape.maximum : shape.minimum) ?? 1) : number;
    case 'boolean':
      return turn % 2 === 0;
    case 'array': {
      const most = within ? Math.min(shape.maxItems ?? round.mostItems, round.mostItems) : round.mostItems;
      return Array.from({ length: Math.max(most, shape.minItems ?? 0) }, (_one, at) =>
        fill(
          shape.items ?? {},
          {
            ...round,
            room: Math.max(1, Math.floor(round.room / Math.max(most, 1))),
            mostItems: Math.min(round.mostItems, 10),
          },
          name,
          at,
        ),
      );
    }
    case 'object':
      return objectOf(shape, round, name, index);
    case undefined:
      return anything(round);
    default:
      throw new Unfillable(`${name}: no value is known of the type ${JSON.stringify(shape.type)}`);
  }
}

/** Whether a text that the round chooses can stand somewhere in it, or a file. */
export function takesText(shape: Shape, known: Round['known'], name = ''): boolean {
  const plain = name.replaceAll('_', '').toLowerCase();
  if (files.has(plain)) return true;
  if (Object.hasOwn(known, plain)) return false;
  if (shape.type === undefined && (shape.anyOf ?? shape.oneOf ?? shape.enum) === undefined && shape.const === undefined)
    return true;
  if (String(shape.type) === 'string' || String(shape.type) === 'string,null')
    return shape.format === undefined && shape.enum === undefined;
  if (shape.items !== undefined) return takesText(shape.items, known, name);
  if (String(shape.type) === 'object' && shape.properties === undefined) return true;
  return (
    [...(shape.anyOf ?? shape.oneOf ?? [])].some((one) => takesText(one, known, name)) ||
    Object.entries(shape.properties ?? {}).some(([key, one]) => takesText(one, known, key))
  );
}

const files: ReadonlySet<string> = new Set(['content', 'contentbase64', 'custom']);

/** Stands for a number of very many digits, which JSON.stringify cannot write. */
const number = '@number@';

/** The JSON of a filled value. */
export const jsonOf = (value: unknown, digits = longest): string =>
  JSON.stringify(value).replaceAll(`"${number}"`, () => `1.${'0'.repeat(digits)}1`);

function objectOf(shape: Shape, round: Round, name: string, index: number): unknown {
  const made: [string, unknown][] = Object.entries(shape.properties ?? {}).map(([key, one]) => [
    key,
    fill(one, round, key, index),
  ]);
  const open = shape.additionalProperties;
  if (shape.properties === undefined && open !== false) {
    const many = Math.min(round.mostItems, 200);
    for (let at = 0; at < many; at += 1) {
      const key =
        shape.propertyNames?.pattern === undefined ? `key_${at}` : shortest(shape.propertyNames.pattern, 12) + at;
      made.push([
        key,
        fill(
          typeof open === 'object' ? open : {},
          { ...round, room: Math.max(1, Math.floor(round.room / many)), mostItems: 5 },
          '',
          at,
        ),
      ]);
    }
  }
  if (!round.within && name === '')
    for (let at = 0; at < Math.max(round.mostItems, 1_000); at += 1) made.push([`no_such_${at}`, 0]);
  return Object.fromEntries(made.filter(([, value]) => value !== undefined));
}

/** Of a member that takes any JSON. */
function anything(round: Round): unknown {
  let value: unknown = hostileTexts[round.text]?.(Math.min(round.room, 4_000));
  for (let depth = 0; depth < 20; depth += 1) value = depth % 2 === 0 ? [value] : { [`k${depth}`]: value };
  return value;
}

const formats: Readonly<Record<string, (room: number, index: number) => string>> = {
  uuid: (_room, index) => `0190a0a0-0000-7000-8000-${String(index).padStart(12, '0')}`,
  date: () => '2026-03-02',
  'date-time': () => `2026-03-02T00:00:00.000Z`,
  email: (room, index) =>
    `${String(index).padStart(4, 'a')}@${'a.'.repeat(Math.max(0, Math.min(room, 200) / 2 - 10))}example.com`,
  uri: (room) => `https://example.com/${'a/'.repeat(Math.max(0, Math.min(room, 2_000) / 2 - 20))}`,
  binary: (room) => 'a'.repeat(room),
};

function textOf(shape: Shape, { within, room, text }: Round, name: string, index: number): string {
  const made = hostileTexts[text];
  if (made === undefined) throw new Unfillable(`no text ${text}`);
  if (!within) return made(room);
  const most = Math.min(shape.maxLength ?? room, Math.max(room, shape.minLength ?? 0));
  const format = shape.format === undefined ? undefined : formats[shape.format];
  if (format !== undefined) return format(most, index);
  if (shape.format !== undefined) throw new Unfillable(`${name}: no text is known of the format ${shape.format}`);
  if (shape.pattern !== undefined) {
    const fits = new RegExp(shape.pattern, 'u');
    const wished = made(most);
    return fits.test(wished) ? wished : shortest(shape.pattern, most);
  }
  const own = index === 0 ? '' : String(index);
  return own.length < most ? own + made(most - own.length) : made(most);
}

/** A text that the pattern describes, long where it lets it. @throws Unfillable */
export function shortest(pattern: string, room: number): string {
  const written = write(new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true }), room);
  if (!new RegExp(pattern, 'u').test(written)) throw new Unfillable(`no text is known for the pattern ${pattern}`);
  return written;
}

const candidates = ['a', 'A', '1', '0', '_', '-', '.', ':', '/', '@', ' ', '+', '=', 'Z'];

function write(node: AST.Node, room: number): string {
  switch (node.type) {
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return node.alternatives[0] === undefined ? '' : write(node.alternatives[0], room);
    case 'Alternative':
      return node.elements.map((one) => write(one, Math.floor(room / node.elements.length))).join('');
    case 'Assertion':
      return '';
    case 'Quantifier': {
      const once = write(node.element, room);
      return once.repeat(Math.max(node.min, Math.min(node.max, once === '' ? 0 : Math.floor(room / once.length))));
    }
    default: {
      const fits = new RegExp(`^(?:${node.raw})$`, 'u');
      const found =
        candidates.find((one) => fits.test(one)) ??
        (node.type === 'Character' ? String.fromCodePoint(node.value) : undefined);
      if (found === undefined) throw new Unfillable(`no character is known for ${node.raw}`);
      return found;
    }
  }
}
