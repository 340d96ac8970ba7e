import type { ReactNode } from 'react';
import { Problem, type FieldFault } from '../data/problem.ts';
import { stepUp } from '../data/step-up.ts';
import { useWords } from '../words/language.ts';
import { Button } from './button.tsx';
import styles from './refusal.module.css';

export interface RefusalProps {
  readonly error: Error | null | undefined;
  readonly again?: () => void;
  /** What is wrong with fields, where the page says it better than the server. */
  readonly faults?: readonly FieldFault[];
  /** What the field at a pointer is called on the page, where it stands there. */
  readonly labelOf?: (pointer: string) => string | undefined;
  /** How to leave it to approvers, where one person alone may not do it. */
  readonly instead?: ReactNode;
}

/** Why something is not shown or was not done, and what mends it. */
export function Refusal({
  error,
  again,
  faults = error instanceof Problem ? error.errors : [],
  labelOf,
  instead,
}: RefusalProps): ReactNode {
  const words = useWords().parts;
  if (error === null || error === undefined) return null;
  const problem = error instanceof Problem ? error : undefined;
  if (problem?.wantsLogin === true)
    return (
      <div className={`${styles['failure']} ${styles['waits']}`} role="alert">
        <p className={styles['title']}>{words.loginAgain}</p>
        <p>{words.loginAgainHint}</p>
        <div>
          <Button kind="first" onClick={stepUp}>
            {words.loginAgain}
          </Button>
        </div>
      </div>
    );
  const [title, hint] =
    problem === undefined
      ? [words.failed, error.message]
      : problem.wantsApproval
        ? [words.approvalWanted, words.approvalWantedHint]
        : problem.status === 403
          ? [words.refused, problem.code === 'insufficient_role' ? words.refusedHint : problem.detail]
          : problem.status === 404
            ? [words.notFound, words.notFoundHint]
            : problem.status === 429
              ? [words.limited, words.limitedHint]
              : problem.passing
                ? [words.down, words.downHint]
                : [words.failed, detailOf(problem)];
  return (
    <div className={styles['failure']} role="alert">
      <p className={styles['title']}>{title}</p>
      {hint === '' ? null : <p>{hint}</p>}
      {faults.length === 0 ? null : (
        <ul className={styles['faults']} aria-label={words.checkFields}>
          {faults.map(({ pointer, detail }) => {
            const place = labelOf?.(pointer) ?? placeOf(pointer);
            return (
              <li key={`${pointer} ${detail}`} title={pointer}>
                {place === undefined ? null : <strong>{place}</strong>} {detail}
              </li>
            );
          })}
        </ul>
      )}
      {problem === undefined || faults.length > 0 ? null : (
        <p className={styles['code']}>
          {words.code} <code>{problem.code}</code>
        </p>
      )}
      {problem?.wantsApproval === true ? instead : null}
      {again === undefined ? null : (
        <div>
          <Button onClick={again}>{words.again}</Button>
        </div>
      )}
    </div>
  );
}

/** What was refused, without what is said of a field below. */
function detailOf({ detail, errors }: Problem): string {
  const repeated = errors
    .flatMap((fault) => [`${fault.pointer}: ${fault.detail}`, fault.detail])
    .find((said) => said !== '' && detail.endsWith(said));
  return repeated === undefined ? detail : detail.slice(0, -repeated.length).trimEnd();
}

/**
 * Where no field of the page is meant, which one of several is: the members on the way below what holds them all, lists counted from one. The name
 * of a single member tells people nothing that the sentence does not.
 */
function placeOf(pointer: string): string | undefined {
  const parts = pointer
    .replace(/^\/(?:input|arguments)(?=\/)/, '')
    .split('/')
    .slice(1);
  if (!parts.some((part) => /^\d+$/.test(part))) return undefined;
  return parts.map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : wordsOf(part))).join(' · ');
}

const wordsOf = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim();
