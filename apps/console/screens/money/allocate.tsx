import type { ReactNode } from 'react';
import { difference, smaller, sum } from '../../data/decimal.ts';
import { useDraft } from '../../data/draft.ts';
import { graph } from '../../data/graph.ts';
import { isNegative, isZero, type Amount } from '../../data/money.ts';
import { useTenant } from '../../data/organization.ts';
import { useGraph, type Paged } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { amountsIn, useAmountIn } from '../../parts/amount-in.ts';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Money } from '../../parts/money.tsx';
import { Section } from '../../parts/page.tsx';
import { useWords } from '../../words/language.ts';
import { today } from './days.ts';
import styles from './money.module.css';

export interface OpenDocument {
  readonly id: string;
  readonly number: string | null;
  readonly dueDate: string;
  readonly open: Amount | null;
}

/** Documents of a party that are issued and not paid. */
export const useOpenDocuments = (partyId: string, kind: 'invoice' | 'bill') =>
  useGraph<{ readonly documents: Paged<OpenDocument> }>(
    'money-documents',
    { partyId, kind, status: 'issued' },
    { enabled: partyId !== '' },
  );

/** The open amount of a payment or a credit, given to documents of the same party. */
export function AllocateOpen({
  creditId,
  partyId,
  open,
  kind,
}: {
  readonly creditId: string;
  readonly partyId: string;
  readonly open: Amount;
  readonly kind: 'invoice' | 'bill';
}): ReactNode {
  const words = useWords().money;
  const tenant = useTenant();
  const query = useOpenDocuments(partyId, kind);
  const [amounts, setAmounts, forget] = useDraft<Readonly<Record<string, string>>>(`allocate ${creditId}`, {});
  const act = useAct(
    async ({ date, allocations }: { readonly date: string; readonly allocations: readonly object[] }) =>
      graph(tenant, 'money-allocate', { creditId, date, allocations }),
    { onDone: forget },
  );
  if (isZero(open.amount)) return null;
  return (
    <Section title={words.allocate}>
      <p className={styles['soft']}>{words.allocateLead}</p>
      <Loaded query={query} lines={2}>
        {({ documents }) =>
          documents.items.length === 0 ? (
            <p>{words.allocateNone}</p>
          ) : (
            <Form
              submit={words.allocate}
              busy={act.isPending}
              error={act.error}
              onProposed={forget}
              onSubmit={({ date = '' }) =>
                act.mutate({
                  date,
                  allocations: Object.entries(amounts)
                    .filter(([, amount]) => amount !== '')
                    .map(([itemId, amount]) => ({ itemId, amount })),
                })
              }
            >
              <Allocations of={documents.items} amounts={amounts} onChange={setAmounts} from={open} />
              <TotalLine amounts={amounts} open={open} />
              <Field label={words.day} name="date" kind="date" value={today()} />
            </Form>
          )
        }
      </Loaded>
    </Section>
  );
}

/**
 * An amount for each document: a button fills in what is open.
 * @param from of what it is taken: then no more is filled in than is left of it
 */
export function Allocations({
  of,
  amounts,
  onChange,
  from,
}: {
  readonly of: readonly OpenDocument[];
  readonly amounts: Readonly<Record<string, string>>;
  readonly onChange: (amounts: Readonly<Record<string, string>>) => void;
  readonly from?: Amount;
}): ReactNode {
  const words = useWords().money;
  const amountIn = useAmountIn();
  /** By the others. */
  const taken = (id: string): readonly string[] => amountsIn(Object.values({ ...amounts, [id]: '' }), amountIn);
  return (
    <div className={styles['row']}>
      {of.map(({ id, number, open }) => (
        <Field
          key={id}
          label={number ?? ''}
          name={`amount ${id}`}
          kind="amount"
          currency={open?.currency}
          value={amounts[id] ?? ''}
          onChange={(amount) => onChange({ ...amounts, [id]: amount })}
          hint={
            <button
              type="button"
              className={styles['fill']}
              onClick={() => onChange({ ...amounts, [id]: filled(open, from, taken(id)) })}
            >
              {words.open} <Money of={open} />
            </button>
          }
        />
      ))}
    </div>
  );
}

/** All that is open of a document, or what others leave of a credit in the same currency; nothing where they leave nothing. */
function filled(open: Amount | null, from: Amount | undefined, others: readonly string[]): string {
  if (open === null || from === undefined || open.currency !== from.currency) return open?.amount ?? '';
  const left = difference(from.amount, sum('0', ...others));
  return isNegative(left) || isZero(left) ? '' : smaller(open.amount, left);
}

function TotalLine({
  amounts,
  open,
}: {
  readonly amounts: Readonly<Record<string, string>>;
  readonly open: Amount;
}): ReactNode {
  const words = useWords().money;
  const amountIn = useAmountIn();
  const total = sum('0', ...amountsIn(Object.values(amounts), amountIn));
  return (
    <p className={styles['soft']}>
      {words.allocated} <Money of={{ ...open, amount: total }} /> · {words.open} <Money of={open} />
    </p>
  );
}
