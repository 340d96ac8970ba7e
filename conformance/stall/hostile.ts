/** The longest that is sent of one text where no schema bounds it: what is quadratic takes two tenths of a second and more for it. */
export const longest = 20_480;

const upTo = (length: number, begin: string, run: string, end: string): string => {
  const room = Math.max(0, length - begin.length - end.length);
  return `${begin}${run.repeat(Math.ceil(room / run.length)).slice(0, room)}${end}`.slice(0, length);
};

/** Texts that cost most where something looks at them badly, each of any length. */
export const hostileTexts: Readonly<Record<string, (length: number) => string>> = {
  zeros: (length) => upTo(length, '1.', '0', '1'),
  digits: (length) => upTo(length, '', '1', 'x'),
  blanks: (length) => upTo(length, 'a', ' \t', 'b'),
  unseen: (length) => upTo(length, 'a', '\u200B\u3000\u2060', 'b'),
  lines: (length) => upTo(length, 'a', '\r\n', 'b'),
  marks: (length) => upTo(length, 'a', '\u0301\u0316', 'b'),
  folds: (length) => upTo(length, '', 'İßﬁǆ', '!'),
  joined: (length) => upTo(length, '', '👩\u200D', 'b').toWellFormed(),
  dots: (length) => upTo(length, 'a@', 'a.', '!'),
  slashes: (length) => upTo(length, 'http://', '/', ' '),
  brackets: (length) => upTo(length, '', '[({<', ''),
  escapes: (length) => upTo(length, '', '\\"', ''),
  base64: (length) => upTo(length, '', 'QUJD', ' Q=='),
};

/** Texts that cost most where something reads lists, pairs and parameters, as headers, queries and forms have them. */
export const hostileLists: Readonly<Record<string, (length: number) => string>> = {
  items: (length) => upTo(length, '', 'a, ', '"'),
  commas: (length) => upTo(length, '', ',', 'a'),
  pairs: (length) => upTo(length, '', 'a=b; ', '='),
  parameters: (length) => upTo(length, 'a/b', ';q=0.1', ','),
  quoted: (length) => upTo(length, '"', '\\"', ''),
  tags: (length) => upTo(length, '', 'W/"a", ', '"'),
  members: (length) => upTo(length, '', 'a=b&', '='),
  nested: (length) => upTo(length, 'a', '[a]', '=b'),
  percents: (length) => upTo(length, '', '%25', '%'),
};

/** A JSON Schema, or the shape of a GraphQL type as one, as far as inputs use it. */
export interface Shape {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Shape;
  readonly propertyNames?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
}
