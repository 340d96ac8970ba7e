import { longest, piecesOf } from '@steward/approvals/reading';
import { Fragment, type ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import styles from './said.module.css';

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
            afterAt(piece.text)
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

/** An address of e-mail is broken after its `@`, before it is broken within a word. */
const afterAt = (text: string): ReactNode =>
  text.split('@').map((part, at) => (
    <Fragment key={at}>
      {at === 0 ? '' : '@'}
      {at === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));

/** Whatever stands in a place of ours: text is said, since somebody may have written it. */
export const Shown = ({ children }: { readonly children: ReactNode }): ReactNode =>
  typeof children === 'string' && children !== '' ? <Said>{children}</Said> : children;
