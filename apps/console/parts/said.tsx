import { Fragment, type ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import styles from './said.module.css';

/** Control, format, private and unassigned characters: those that hide, or turn text around (as components/approvals shows them). */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u;
const allowed = new Set(['\n', '\t']);
const longest = 600;

/** What an agent or a stranger wrote: text only, isolated from the direction around it, with hidden characters shown. */
export function Said({ children }: { readonly children: string | number | null | undefined }): ReactNode {
  const words = useWords().parts;
  if (children === null || children === undefined || children === '')
    return <span className={styles['none']}>{words.none}</span>;
  const said = String(children);
  const shown = (
    <bdi className={styles['text']}>
      {piecesOf(said).map((piece, at) => (
        <Fragment key={at}>
          {piece.hidden ? (
            <span className={styles['hidden']} title={words.hidden(piece.text)}>
              {piece.text}
            </span>
          ) : (
            piece.text
          )}
        </Fragment>
      ))}
    </bdi>
  );
  if (said.length <= longest) return shown;
  return (
    <span>
      <span className={styles['none']}>{words.long(said.length)}</span>
      <span className={styles['long']} tabIndex={0} role="group" aria-label={words.long(said.length)}>
        {shown}
      </span>
    </span>
  );
}

interface Piece {
  readonly text: string;
  readonly hidden: boolean;
}

function piecesOf(said: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let plain = '';
  for (const character of said) {
    if (!unseen.test(character) || allowed.has(character)) {
      plain += character;
      continue;
    }
    const text = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    pieces.push({ text: plain, hidden: false }, { text, hidden: true });
    plain = '';
  }
  return [...pieces, { text: plain, hidden: false }];
}
