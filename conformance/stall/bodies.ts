const room = 60_000;
const filled = (begin: string, one: string, end: string): string => begin + one.repeat(room / one.length) + end;
const keys = (key: (at: number) => string): string =>
  `{${Array.from({ length: 5_000 }, (_one, at) => `${key(at)}:0`).join(',')}}`;

/** JSON that costs most to read, whatever is to be done with it; what matters to every reader first. */
export const bodies: readonly string[] = [
  filled('{"a":1.', '0', '1}'),
  filled('{"a":["', '\\u0041\\"', '"]}'),
  keys((at) => `"k${at}"`),
  filled('{"a":', '9', '}'),
  filled('{"a":1e', '0', '1}'),
  filled('{"a":[', '0,', '0]}'),
  filled('{"a":[', '{"a":[]},', '0]}'),
  filled('{"a":["', '\\n","', '"]}'),
  filled('{"a":"a', ' ', 'b"}'),
  keys((at) => `"\\n${at}"`),
  `{"a":${'[{"a":'.repeat(12)}[${'0,'.repeat(20_000)}0]${'}]'.repeat(12)}}`,
  filled('', '[', ''),
];
