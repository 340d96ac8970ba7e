import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { graph } from '../../data/graph.ts';
import { useTenant } from '../../data/organization.ts';
import { useAct } from '../../data/step-up.ts';
import { useWords } from '../../words/language.ts';
import { isExplained, nextOpen, without, type BankLine, type Suggestion } from './bank-line.ts';

/** What explains a line: entries, an account that it is posted to, or an open document that it pays; `amount` is not negative. */
export type Explanation =
  | { readonly kind: 'entries'; readonly entries: readonly { readonly entryId: string; readonly amount?: string }[] }
  | { readonly kind: 'account'; readonly account: string }
  | { readonly kind: 'document'; readonly documentId: string; readonly amount: string };

interface Explaining {
  readonly line: BankLine;
  readonly by: Explanation;
  readonly next: string | undefined;
}

/** What can be undone: matches of a line, of this sitting or of any before. */
interface Done {
  /** As it is since. */
  readonly line: BankLine;
  readonly matchIds: readonly string[];
}

/** Suggestions of so many lines are asked for at once, before somebody gets to them. */
const together = 8;

/** Suggestions of one line, never of the one before: what is picked must be what is seen. */
export function useSuggestions(line: BankLine | undefined, lines: readonly BankLine[]) {
  const tenant = useTenant();
  const queries = useQueryClient();
  const keyOf = (lineId: string): readonly string[] => [tenant, 'accounting', 'money-bank-suggestions', lineId];
  return useQuery({
    queryKey: keyOf(line?.id ?? ''),
    queryFn: async ({ signal }) => {
      const ids = linesFrom(line, lines)
        .map(({ id }) => id)
        .filter((id) => id === line?.id || (queries.getQueryState(keyOf(id))?.isInvalidated ?? true));
      const { bankSuggestionsOfLines: all } = await graph<{ readonly bankSuggestionsOfLines: readonly Suggestion[] }>(
        tenant,
        'money-bank-suggestions',
        { lineIds: ids },
        { signal, reads: true },
      );
      const of = (id: string): readonly Suggestion[] => all.filter(({ lineId }) => lineId === id);
      for (const id of ids) if (id !== line?.id) queries.setQueryData(keyOf(id), of(id));
      return of(line?.id ?? '');
    },
    enabled: line !== undefined && !isExplained(line),
  });
}

const idsOf = (matches: BankLine['matches']): readonly string[] => matches.map(({ matchId }) => matchId);

/** Whether an entry is there for nothing but the line. */
async function isPostedFor(tenant: string, entryId: string, line: BankLine): Promise<boolean> {
  const { journalEntry } = await graph<{ readonly journalEntry: { readonly kind: string; readonly sourceId: string } }>(
    tenant,
    'money-entry',
    { id: entryId },
    { reads: true },
  );
  return journalEntry.kind === 'bank_line' && journalEntry.sourceId === line.id;
}

/** This line, and the next that are open. */
const linesFrom = (line: BankLine | undefined, lines: readonly BankLine[]): readonly BankLine[] =>
  lines
    .slice(lines.findIndex(({ id }) => id === line?.id))
    .filter((one) => one.id === line?.id || !isExplained(one))
    .slice(0, together);

/**
 * Lines that were changed in this sitting, what is undone next, and the verbs.
 * @param first the line that is looked at first
 * @param agreedTo the day up to which bank and books agreed: its lines stay explained
 */
export function useReconciling(first: string | undefined, agreedTo: string | null) {
  const tenant = useTenant();
  const words = useWords().money;
  const [touched, setTouched] = useState<ReadonlyMap<string, BankLine>>(new Map());
  const [done, setDone] = useState<readonly Done[]>([]);
  const [selected, setSelected] = useState(first);
  const keep = (line: BankLine): void => setTouched((before) => new Map(before).set(line.id, line));

  const explain = useAct(
    async ({ line, by }: Explaining) =>
      by.kind === 'document'
        ? (
            await graph<{ readonly settleBankLine: BankLine }>(tenant, 'money-bank-settle', {
              lineId: line.id,
              allocations: [{ itemId: by.documentId, amount: by.amount }],
            })
          ).settleBankLine
        : by.kind === 'account'
          ? (
              await graph<{ readonly postBankLine: BankLine }>(tenant, 'money-bank-post', {
                lineId: line.id,
                account: by.account,
              })
            ).postBankLine
          : (
              await graph<{ readonly matchBankLine: BankLine }>(tenant, 'money-bank-match', {
                lineId: line.id,
                entries: by.entries,
              })
            ).matchBankLine,
    {
      onDone: (after, { line, next }) => {
        keep(after);
        const before = new Set(line.matches.map(({ matchId }) => matchId));
        const made = after.matches.filter(({ matchId }) => !before.has(matchId));
        setDone((all) => [...all, { line: after, matchIds: idsOf(made) }]);
        if (isExplained(after)) setSelected(next ?? line.id);
      },
    },
  );

  const undo = useAct(
    async ({ line, matchIds }: Done) => {
      const matches = line.matches.filter(({ matchId }) => matchIds.includes(matchId));
      const posted = await Promise.all(matches.map(async ({ entryId }) => isPostedFor(tenant, entryId, line)));
      // To reverse an entry takes its match back too, at once or when approvers say so: first, so that nothing is undone where they decide.
      // On the day of the line, so that bank and books agree by then as they did before.
      const narration = line.description || line.counterparty || words.reverse;
      for (const [at, { entryId }] of matches.entries())
        if (posted[at]) await graph(tenant, 'money-entry-reverse', { id: entryId, date: line.day, narration });
      for (const [at, { matchId }] of matches.entries())
        if (!posted[at]) await graph(tenant, 'money-bank-unmatch', { matchId });
    },
    {
      onDone: (_answer, { line, matchIds }) => {
        keep(without(line, matchIds));
        setDone((all) => all.filter((one) => !one.matchIds.some((matchId) => matchIds.includes(matchId))));
        setSelected(line.id);
      },
    },
  );
  /** At a line that is explained what explains it, at any other what was done last. */
  const undoneAt = (line: BankLine): Done | undefined => {
    const found = isExplained(line)
      ? (done.findLast((one) => one.line.id === line.id) ?? { line, matchIds: idsOf(line.matches) })
      : done.at(-1);
    return found === undefined || (agreedTo !== null && found.line.day <= agreedTo) ? undefined : found;
  };

  const forget = (): void => {
    explain.reset();
    undo.reset();
  };

  return {
    touched,
    selected,
    forget,
    /** What was refused belongs to the line that it was refused at. */
    select: (id: string): void => {
      forget();
      setSelected(id);
    },
    explain: (line: BankLine, by: Explanation, lines: readonly BankLine[]): void => {
      if (!explain.isPending && !undo.isPending) explain.mutate({ line, by, next: nextOpen(lines, line.id) });
    },
    undo: (line: BankLine): void => {
      const undone = undoneAt(line);
      if (undone === undefined || explain.isPending || undo.isPending) return;
      explain.reset();
      // Where it is refused, that is said beside its line.
      setSelected(undone.line.id);
      undo.mutate(undone);
    },
    undoneAt,
    busy: explain.isPending || undo.isPending,
    error: explain.error ?? undo.error,
    count: done.length,
  };
}
