/** A pattern as a regular expression's source: `*` one dotted part, `**` one or more. */
export const patternSource = (pattern: string): string =>
  pattern
    .split('.')
    .map((part) => (part === '**' ? '.+' : part === '*' ? '[^.]+' : RegExp.escape(part)))
    .join('\\.');

export const isPattern = (types: string): boolean => types.includes('*');
