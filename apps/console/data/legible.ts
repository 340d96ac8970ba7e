import { piecesOf } from '@steward/approvals/reading';

/** Text where nothing but text can stand (titles, choices, what is said of a picture), with characters that would not be seen named: ⟨U+202E⟩. */
export const legible = (text: string): string =>
  piecesOf(text)
    .map(({ text: piece, hidden }) => (hidden ? `⟨${piece}⟩` : piece))
    .join('');
