import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { graph } from '../../data/graph.ts';
import { useTenant } from '../../data/organization.ts';
import { useAct } from '../../data/step-up.ts';
import { isExplained, nextOpen, type BankLine, type Suggestion } from './bank-line.ts';
import { today } from './days.ts';

/** What explains a line: entries, or an account that it is posted to. */
export type Explanation =
  | { readonly kind: 'entries'; readonly entries: readonly { readonly entryId: string; readonly amount?: string }[] }
  | { readonly kind: 'account'; readonly account: string };

interface Explaining {
  readonly line: BankLine;
  readonly by: Explanation;
  readonly next: string | undefined;
}

/** What was done last, so that it can be undone. */
interface Done {
  readonly lineId: string;
  readonly matchIds: readonly string[];
  /** Entries that were posted for it: they are reversed too. */
  readonly posted: readonly string[];
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

/** This line, and the next that are open. */
const linesFrom = (line: BankLine | undefined, lines: readonly BankLine[]): readonly BankLine[] =>
  lines
    .slice(lines.findIndex(({ id }) => id === line?.id))
    .filter((one) => one.id === line?.id || !isExplained(one))
    .slice(0, together);

/** Lines that were changed in this sitting, what is undone next, and the verbs. @param first the line that is looked at first */
export function useReconciling(first?: string) {
  const tenant = useTenant();
  const [touched, setTouched] = useState<ReadonlyMap<string, BankLine>>(new Map());
  const [done, setDone] = useState<readonly Done[]>([]);
  const [selected, setSelected] = useState(first);
  const keep = (line: BankLine): void => setTouched((before) => new Map(before).set(line.id, line));

  const explain = useAct(
    async ({ line, by }: Explaining) =>
      by.kind === 'account'
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
      onDone: (after, { line, by, next }) => {
        keep(after);
        const before = new Set(line.matches.map(({ matchId }) => matchId));
        const made = after.matches.filter(({ matchId }) => !before.has(matchId));
        setDone((all) => [
          ...all,
          {
            lineId: line.id,
            matchIds: made.map(({ matchId }) => matchId),
            posted: by.kind === 'account' ? made.map(({ entryId }) => entryId) : [],
          },
        ]);
        if (isExplained(after)) setSelected(next ?? line.id);
      },
    },
  );

  const undo = useAct(
    async ({ matchIds, posted }: Done) => {
      let line: BankLine | undefined;
      for (const matchId of matchIds) {
        const answer = await graph<{ readonly unmatchBankLine: BankLine }>(tenant, 'money-bank-unmatch', { matchId });
        line = answer.unmatchBankLine;
      }
      for (const id of posted)
        await graph(tenant, 'money-entry-reverse', { id, date: today(), narration: line?.description ?? '' });
      return line;
    },
    {
      onDone: (line, { lineId }) => {
        if (line !== undefined) keep(line);
        setDone((all) => all.slice(0, -1));
        setSelected(lineId);
      },
    },
  );

  // A match moves no money; posting a line may.
  const { line, by } = explain.variables ?? {};
  const proposal =
    explain.error !== null && line !== undefined && by?.kind === 'account'
      ? { tool: 'service_post_bank_line', asks: { line_id: line.id, account: by.account } }
      : undefined;
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
    /** What was refused, as approvers are asked for it. */
    proposal,
    explain: (line: BankLine, by: Explanation, lines: readonly BankLine[]): void => {
      if (!explain.isPending && !undo.isPending) explain.mutate({ line, by, next: nextOpen(lines, line.id) });
    },
    undo: (): void => {
      const last = done.at(-1);
      if (last === undefined || explain.isPending || undo.isPending) return;
      explain.reset();
      undo.mutate(last);
    },
    undoable: done.length > 0,
    busy: explain.isPending || undo.isPending,
    error: explain.error ?? undo.error,
    count: done.length,
  };
}
