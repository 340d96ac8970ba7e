const alphanumeric = String.raw`[\p{L}\p{N}]`;
/** The ends of escapes of JSON and of addresses, whose last characters are no part of what follows. */
const escape = String.raw`\\(?:[bfnrt]|u[0-9a-f]{4})[._+\-]?|%[0-9a-f]{2}`;
const anothersBegins = String.raw`(?:(?<!${alphanumeric}[._+\-]?)|(?<=${escape}))`;
const anothersGoesOn = String.raw`(?![.\-]?${alphanumeric})`;

/**
 * Whether one of these texts occurs in another, in any case: an e-mail address or an E.164 number only as a whole, since
 * `m@example.co` is not `tom@example.com`; anything else, such as an id, anywhere. Reads plain text and the text of JSON alike.
 */
export function mentioning(texts: readonly string[]): (said: string) => boolean {
  const patterns = texts.map((text) => new RegExp(patternOf(text), 'iu'));
  return (said) => patterns.some((pattern) => pattern.test(said));
}

function patternOf(text: string): string {
  const exact = RegExp.escape(text);
  if (text.includes('@')) return `${anothersBegins}${exact}${anothersGoesOn}`;
  return text.startsWith('+') ? String.raw`${exact}(?!\p{N})` : exact;
}
