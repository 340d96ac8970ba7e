import { useState, type ReactNode } from 'react';
import { isDecimal, sum } from '../../data/decimal.ts';
import { useDraft } from '../../data/draft.ts';
import { graph } from '../../data/graph.ts';
import { useTenant } from '../../data/organization.ts';
import { useGraph } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Propose } from '../../parts/propose.tsx';
import { useFilters, useGo } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import { Allocations, useOpenDocuments } from './allocate.tsx';
import { today } from './days.ts';
import type { Document } from './document.tsx';
import { ofMoney, useAccounts } from './lookups.ts';
import { PartyField } from './party-field.tsx';
import { MoneyTabs } from './tabs.tsx';
import styles from './money.module.css';

interface Draft {
  readonly direction: 'received' | 'made';
  readonly partyId: string;
  readonly currency: string;
  readonly amount: string;
  readonly date: string;
  readonly account: string;
  readonly method: string;
  readonly reference: string;
  readonly allocations: Readonly<Record<string, string>>;
}

const nothing: Draft = {
  direction: 'received',
  partyId: '',
  currency: '',
  amount: '',
  date: today(),
  account: '',
  method: 'transfer',
  reference: '',
  allocations: {},
};

export default function NewPayment(): ReactNode {
  const words = useWords().money;
  const [{ document }] = useFilters();
  return (
    <Page title={words.recordPayment} lead={words.paymentLead} bar={<MoneyTabs />}>
      {document === undefined ? <Editor name="payment" otherwise={nothing} /> : <OfDocument id={document} />}
    </Page>
  );
}

/** All that is open of one document. */
function OfDocument({ id }: { readonly id: string }): ReactNode {
  const query = useGraph<{ readonly document: Document }>('money-document', { id });
  return (
    <Loaded query={query} lines={8}>
      {({ document: of }) => {
        const open = of.open?.amount ?? of.total.amount;
        return (
          <Editor
            name={`payment ${of.id}`}
            otherwise={{
              ...nothing,
              direction: of.kind === 'bill' ? 'made' : 'received',
              partyId: of.partyId,
              currency: of.currency,
              amount: open,
              reference: of.number ?? '',
              allocations: { [of.id]: open },
            }}
          />
        );
      }}
    </Loaded>
  );
}

function Editor({ name, otherwise }: { readonly name: string; readonly otherwise: Draft }): ReactNode {
  const words = useWords().money;
  const tenant = useTenant();
  const go = useGo();
  const [draft, change, forget] = useDraft<Draft>(`${tenant} ${name}`, otherwise);
  const [key] = useState(() => crypto.randomUUID());
  const { data: accounts = [] } = useAccounts();
  const offered = ofMoney(accounts);
  const account = draft.account === '' ? (offered[0]?.id ?? '') : draft.account;
  const currency = draft.currency === '' ? (offered[0]?.currency ?? '') : draft.currency;
  const open = useOpenDocuments(draft.partyId, draft.direction === 'received' ? 'invoice' : 'bill');
  const allocated = Object.entries(draft.allocations).filter(([, amount]) => amount !== '');
  const asked = {
    direction: draft.direction,
    currency,
    amount: draft.amount,
    date: draft.date,
    account,
    method: draft.method,
    ...(draft.reference === '' ? {} : { reference: draft.reference }),
  };
  const act = useAct(
    async () => {
      const allocations = allocated.map(([itemId, amount]) => ({ itemId, amount }));
      const { recordPayment } = await graph<{ readonly recordPayment: { readonly id: string } }>(
        tenant,
        'money-payment-record',
        {
          input: {
            ...asked,
            partyId: draft.partyId,
            idempotencyKey: key,
            ...(allocations.length === 0 ? {} : { allocations }),
          },
        },
      );
      return recordPayment.id;
    },
    {
      onDone: (id) => {
        forget();
        go(`/money/payments/${id}`);
      },
    },
  );
  const set = (part: Partial<Draft>): void => change((now) => ({ ...now, ...part }));
  return (
    <Form
      onSubmit={() => act.mutate(undefined)}
      error={act.error}
      // Beside the button, where money goes out.
      instead={draft.direction === 'made' ? null : undefined}
      onProposed={forget}
      busy={act.isPending}
      submit={words.recordPayment}
    >
      <Section title={words.payment}>
        <div className={styles['row']}>
          <Field
            label={words.direction}
            name="direction"
            pointer="/input/direction"
            value={draft.direction}
            onChange={(direction) =>
              set({ direction: direction === 'made' ? 'made' : 'received', partyId: '', allocations: {} })
            }
            options={Object.entries(words.directions)}
          />
          <Field
            label={words.day}
            name="date"
            pointer="/input/date"
            kind="date"
            value={draft.date}
            onChange={(date) => set({ date })}
          />
          <Field
            label={`${words.amount} ${currency}`}
            name="amount"
            pointer="/input/amount"
            kind="amount"
            currency={currency}
            value={draft.amount}
            onChange={(amount) => set({ amount })}
          />
          <Field
            label={words.intoAccount}
            name="account"
            pointer="/input/account"
            value={account}
            onChange={(next) => set({ account: next })}
            options={offered.map(({ id, code, name: text }) => [id, `${code} ${text}`] as const)}
          />
          <Field
            label={words.method}
            name="method"
            pointer="/input/method"
            value={draft.method}
            onChange={(method) => set({ method })}
            options={Object.entries(words.methods)}
          />
          <Field
            label={words.reference}
            name="reference"
            pointer="/input/reference"
            optional
            value={draft.reference}
            onChange={(reference) => set({ reference })}
          />
        </div>
        <PartyField
          role={draft.direction === 'received' ? 'customer' : 'supplier'}
          value={draft.partyId}
          onChange={({ id, currency: theirs }) => set({ partyId: id, currency: theirs, allocations: {} })}
        />
      </Section>
      {draft.partyId === '' ? null : (
        <Section title={words.paidFor}>
          <Loaded query={open} lines={2}>
            {({ documents }) =>
              documents.items.length === 0 ? (
                <p className={styles['soft']}>{words.allocateNone}</p>
              ) : (
                <Allocations
                  of={documents.items}
                  amounts={draft.allocations}
                  onChange={(allocations) => {
                    const given = Object.values(allocations).filter(isDecimal);
                    set({ allocations, ...(given.length === 0 ? {} : { amount: sum(...given) }) });
                  }}
                />
              )
            }
          </Loaded>
        </Section>
      )}
      {draft.direction === 'made' ? (
        <Propose
          tool="service_record_payment"
          asks={() => ({
            ...asked,
            party_id: draft.partyId,
            allocations: allocated.map(([id, amount]) => ({ document_id: id, amount })),
          })}
          onDone={forget}
        />
      ) : null}
    </Form>
  );
}
