import { digest } from '@steward/tools';
import type { Deps } from '../deps.ts';
import type { Minor } from '../policy/money.ts';
import type { Action } from './action.ts';
import type { Shown } from './preview.ts';

interface Words {
  readonly tenant: string;
  readonly id: string;
  readonly previewHash: string;
  readonly shown: Pick<Shown, 'summary' | 'preview' | 'facts'>;
  readonly money: Minor | undefined;
  readonly payee: string | undefined;
}

/** The seal of what people are shown of an action, for its row: who decides must not read words that somebody wrote past the application. */
export function sealOfWords({ seals }: Pick<Deps, 'seals'>, words: Words): string {
  const { tenant, id, previewHash, shown, money, payee } = words;
  // As the database makes both digests of the row.
  const said = [
    shown.summary,
    shown.preview,
    money?.currency ?? '',
    String(money?.minor ?? ''),
    ...(payee === undefined ? [] : [payee]),
  ];
  return seals.of('words', [tenant, id, previewHash, digest(said.join('\n')), digest(JSON.stringify(shown.facts))]);
}

export const isSealed = (
  { seals }: Pick<Deps, 'seals'>,
  tenant: string,
  { id, previewHash, shownDigest, factsDigest }: Action,
  seal: unknown,
): boolean => seals.holds(seal, 'words', [tenant, id, previewHash, shownDigest, factsDigest]);
