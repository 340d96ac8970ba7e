import { useState, type ReactNode } from 'react';
import { sum } from '../../data/decimal.ts';
import { useDraft } from '../../data/draft.ts';
import { numberFormat } from '../../data/formats.ts';
import { graph } from '../../data/graph.ts';
import { moneyText } from '../../data/money.ts';
import { useTenant } from '../../data/organization.ts';
import { useGraph, type Paged } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { amountsIn, useAmountIn } from '../../parts/amount-in.ts';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Propose } from '../../parts/propose.tsx';
import { useFilters, useGo } from '../../shell/go.tsx';
import { useLocale, useWords } from '../../words/language.ts';
import { Allocations, useOpenDocuments } from './allocate.tsx';
import { today } from './days.ts';
import type { Document } from './document.tsx';
import { useAccounts } from '../../data/accounts.ts';
import { baseOf, ofMoney } from './lookups.ts';
import { PartyField } from './party-field.tsx';
import { MoneyTabs } from './tabs.tsx';
import { worthOf } from './worth.ts';
import styles from './money.module.css';

interface Draft {
  readonly direction: 'received' | 'made';
  readonly partyId: string;
  readonly currency: string;
  readonly amount: string;
  /** Of another currency than that of the books; empty for the rate of the day. */
  readonly rate: string;
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
  rate: '',
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
  const base = baseOf(accounts);
  const amountIn = useAmountIn();
  const foreign = base !== undefined && currency !== base;
  const open = useOpenDocuments(draft.partyId, draft.direction === 'received' ? 'invoice' : 'bill');
  const allocated = Object.entries(draft.allocations).filter(([, amount]) => amount !== '');
  const asked = {
    direction: draft.direction,
    currency,
    amount: draft.amount,
    ...(foreign && draft.rate !== '' ? { rate: draft.rate } : {}),
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
          {foreign ? (
            <Field
              label={words.rate}
              name="rate"
              pointer="/input/rate"
              kind="amount"
              optional
              value={draft.rate}
              onChange={(rate) => set({ rate })}
              hint={<RateHint of={{ ...draft, currency }} base={base} />}
            />
          ) : null}
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
          onChange={({ id, currency: theirs }) => set({ partyId: id, currency: theirs, rate: '', allocations: {} })}
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
                    const given = amountsIn(Object.values(allocations), amountIn);
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

/** What a rate is, which one is taken where none is typed, and what the payment comes to at it. */
function RateHint({
  of: { amount, currency, date, rate },
  base,
}: {
  readonly of: Pick<Draft, 'amount' | 'currency' | 'date' | 'rate'>;
  readonly base: string;
}): ReactNode {
  const words = useWords().money;
  const locale = useLocale();
  const { data, isPlaceholderData } = useGraph<{ readonly exchangeRates: Paged<{ readonly rate: string }> }>(
    'money-rate',
    { currency, to: date },
    { enabled: date !== '' },
  );
  const amountIn = useAmountIn();
  // The rate of the day that was chosen before is none of this one.
  const known = isPlaceholderData ? undefined : data;
  const ofDay = known?.exchangeRates.items[0]?.rate;
  const worth = worthOf(amountIn(amount) ?? '', currency, rate === '' ? (ofDay ?? '') : (amountIn(rate) ?? ''), base);
  const figures = numberFormat(locale, { maximumFractionDigits: 12 });
  return [
    words.rateHint(base, currency),
    ...(known === undefined
      ? []
      : [
          ofDay === undefined ? words.rateMissing : words.rateOfDay(figures.format(ofDay as Intl.StringNumericLiteral)),
        ]),
    ...(worth === undefined ? [] : [words.comesTo(moneyText({ amount: worth, currency: base }, locale))]),
  ].join(' ');
}
