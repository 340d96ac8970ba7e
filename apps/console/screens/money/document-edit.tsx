import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { graph } from '../../data/graph.ts';
import { useTenant } from '../../data/organization.ts';
import { useGraph } from '../../data/queries.ts';
import { useDraft } from '../../data/draft.ts';
import { useAct } from '../../data/step-up.ts';
import { useAmountIn } from '../../parts/amount-in.ts';
import { Button } from '../../parts/button.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Go, useFilters, useGo } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import { today } from './days.ts';
import { CreditedSum, type Document } from './document.tsx';
import { creditKindOf, documentKinds, type DocumentKind } from './document-kinds.ts';
import { titleOf } from './documents.tsx';
import { useAccounts } from '../../data/accounts.ts';
import { ofSubledger, useTaxRates } from './lookups.ts';
import { PartyField } from './party-field.tsx';
import { MoneyTabs } from './tabs.tsx';
import { totalsOf } from './totals.ts';
import { TotalsShown } from './totals-shown.tsx';
import styles from './money.module.css';

interface Line {
  readonly description: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly account: string;
  readonly taxId: string;
}

interface Draft {
  readonly partyId: string;
  readonly currency: string;
  readonly issueDate: string;
  readonly dueDate: string;
  readonly pricing: 'exclusive' | 'inclusive';
  readonly reference: string;
  readonly supplierNumber: string;
  readonly notes: string;
  readonly lines: readonly Line[];
}

const emptyLine: Line = { description: '', quantity: '1', unitPrice: '', account: '', taxId: '' };

/** A new draft, by the kind in the address. */
export default function NewDocument(): ReactNode {
  const words = useWords().money;
  const [{ kind: asked, credits, party }] = useFilters();
  const kind = documentKinds.find((one) => one === asked) ?? 'invoice';
  if (credits !== undefined) return <NewCredit of={credits} />;
  return (
    <Page title={words.newOf(words.documentKinds[kind])} lead={words.draftLead} bar={<MoneyTabs />}>
      <Editor
        key={kind}
        kind={kind}
        name={`document ${kind}`}
        otherwise={{
          partyId: party ?? '',
          currency: '',
          issueDate: today(),
          dueDate: '',
          pricing: 'exclusive',
          reference: '',
          supplierNumber: '',
          notes: '',
          lines: [emptyLine],
        }}
      />
    </Page>
  );
}

/** A credit of a document: of the same party over the same lines, and over none where some of it is credited: nothing tells of which lines. */
function NewCredit({ of: id }: { readonly of: string }): ReactNode {
  const words = useWords().money;
  const query = useGraph<{ readonly document: Document }>('money-document', { id });
  const kind = creditKindOf(query.data?.document.kind ?? 'invoice');
  return (
    <Page title={words.newOf(words.documentKinds[kind])} lead={words.draftLead} bar={<MoneyTabs />}>
      <Loaded query={query} lines={10}>
        {({ document: of }) => (
          <>
            <p>
              {words.credits} <Go to={`/money/documents/${of.id}`}>{titleOf(words, of.kind, of.number)}</Go>
            </p>
            {of.credited === null ? null : <CreditedSum of={of.credited} />}
            <Editor
              key={of.id}
              kind={kind}
              name={`document ${kind} ${of.id}`}
              credits={of.id}
              otherwise={{
                partyId: of.partyId,
                currency: of.currency,
                issueDate: today(),
                dueDate: '',
                pricing: of.pricing,
                reference: '',
                supplierNumber: '',
                notes: '',
                lines: of.credited === null ? linesOf(of) : [emptyLine],
              }}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const linesOf = ({ lines }: Document): readonly Line[] =>
  lines.map(({ description, quantity, unitPrice, accountId, taxId }) => ({
    description,
    quantity,
    unitPrice,
    account: accountId,
    taxId: taxId ?? '',
  }));

/** A draft that there is already. */
export function EditDocument(): ReactNode {
  const words = useWords().money;
  const { document: id = '' } = useParams({ strict: false }) as { document?: string };
  const query = useGraph<{ readonly document: Document }>('money-document', { id });
  return (
    <Page
      title={words.edit}
      part={query.data === undefined ? undefined : titleOf(words, query.data.document.kind, query.data.document.number)}
      lead={words.draftLead}
      bar={<MoneyTabs />}
    >
      <Loaded query={query} lines={10}>
        {({ document: of }) => (
          <Editor
            key={`${of.id} ${of.version}`}
            kind={of.kind}
            name={`document ${of.id} ${of.version}`}
            of={of}
            {...(of.credits === null ? {} : { credits: of.credits })}
            otherwise={{
              ...of,
              reference: of.reference ?? '',
              supplierNumber: of.supplierNumber ?? '',
              notes: of.notes ?? '',
              lines: linesOf(of),
            }}
          />
        )}
      </Loaded>
    </Page>
  );
}

const given = (text: string): string | undefined => (text === '' ? undefined : text);

function Editor({
  kind,
  name,
  of,
  credits,
  otherwise,
}: {
  readonly kind: DocumentKind;
  readonly name: string;
  readonly of?: Document;
  readonly credits?: string;
  readonly otherwise: Draft;
}): ReactNode {
  const words = useWords().money;
  const tenant = useTenant();
  const go = useGo();
  const [draft, change, forget] = useDraft<Draft>(`${tenant} ${name}`, otherwise);
  const [key] = useState(() => crypto.randomUUID());
  const { data: accounts = [] } = useAccounts();
  const taxes = useTaxRates();
  const amountIn = useAmountIn();
  const sells = kind === 'invoice' || kind === 'credit_note';
  const offered = accounts.filter(
    (one) => !ofSubledger(one) && (sells ? one.type !== 'expense' : one.type !== 'income'),
  );
  const usual = sells ? (offered.find(({ control }) => control === 'sales')?.id ?? '') : '';
  const currency = given(draft.currency) ?? accounts[0]?.currency ?? 'EUR';
  const percentageOf = (id: string): string => taxes.find((one) => one.id === id)?.percentage ?? '';
  const totals = totalsOf(
    draft.lines.map(({ quantity, unitPrice, taxId }) => ({
      quantity: amountIn(quantity) ?? '',
      unitPrice: amountIn(unitPrice) ?? '',
      percentage: percentageOf(taxId),
    })),
    currency,
    draft.pricing,
  );
  const act = useAct(
    async () => {
      const input = {
        partyId: draft.partyId,
        issueDate: draft.issueDate,
        dueDate: given(draft.dueDate),
        currency: given(draft.currency),
        pricing: draft.pricing,
        reference: given(draft.reference),
        supplierNumber: kind === 'bill' ? given(draft.supplierNumber) : undefined,
        notes: given(draft.notes),
        credits,
        lines: draft.lines.map(({ description, quantity, unitPrice, account, taxId }) => ({
          description,
          quantity,
          unitPrice,
          account: account === '' ? usual : account,
          taxId: given(taxId),
        })),
      };
      if (of === undefined) {
        const { createDocument } = await graph<{ readonly createDocument: { readonly id: string } }>(
          tenant,
          'money-document-create',
          { kind, input, idempotencyKey: key },
        );
        return createDocument.id;
      }
      await graph(tenant, 'money-document-update', { id: of.id, version: of.version, input });
      return of.id;
    },
    {
      onDone: (id) => {
        forget();
        go(`/money/documents/${id}`);
      },
    },
  );
  const set = (part: Partial<Draft>): void => change((now) => ({ ...now, ...part }));
  const setLine = (at: number, part: Partial<Line>): void =>
    set({ lines: draft.lines.map((line, place) => (place === at ? { ...line, ...part } : line)) });
  return (
    <Form
      onSubmit={() => act.mutate(undefined)}
      error={act.error}
      onProposed={forget}
      busy={act.isPending}
      submit={words.saveDraft}
    >
      <Section title={words.toWhom}>
        <PartyField
          role={sells ? 'customer' : 'supplier'}
          value={draft.partyId}
          onChange={({ id, currency: theirs }) => set({ partyId: id, currency: theirs })}
        />
        <div className={styles['row']}>
          <Field
            label={words.issueDate}
            name="issueDate"
            pointer="/input/issueDate"
            kind="date"
            value={draft.issueDate}
            onChange={(issueDate) => set({ issueDate })}
          />
          <Field
            label={words.dueDate}
            name="dueDate"
            pointer="/input/dueDate"
            kind="date"
            optional
            hint={words.dueDateHint}
            value={draft.dueDate}
            onChange={(dueDate) => set({ dueDate })}
          />
          <Field
            label={words.reference}
            name="reference"
            pointer="/input/reference"
            optional
            value={draft.reference}
            onChange={(reference) => set({ reference })}
          />
          {kind === 'bill' ? (
            <Field
              label={words.supplierNumber}
              name="supplierNumber"
              pointer="/input/supplierNumber"
              optional
              value={draft.supplierNumber}
              onChange={(supplierNumber) => set({ supplierNumber })}
            />
          ) : null}
          <Field
            label={words.pricing}
            name="pricing"
            pointer="/input/pricing"
            value={draft.pricing}
            onChange={(pricing) => set({ pricing: pricing === 'inclusive' ? 'inclusive' : 'exclusive' })}
            options={[
              ['exclusive', words.exclusive],
              ['inclusive', words.inclusive],
            ]}
          />
        </div>
      </Section>
      <Section title={words.lines}>
        <div className={styles['lines']}>
          {draft.lines.map((line, at) => (
            <div
              key={at}
              className={`${styles['line']} ${styles['documentLine']}`}
              role="group"
              aria-label={words.lineAt(at + 1)}
            >
              <Field
                label={words.description}
                name={`description${at}`}
                pointer={`/input/lines/${at}/description`}
                value={line.description}
                onChange={(description) => setLine(at, { description })}
              />
              <Field
                label={words.quantity}
                name={`quantity${at}`}
                pointer={`/input/lines/${at}/quantity`}
                kind="amount"
                value={line.quantity}
                onChange={(quantity) => setLine(at, { quantity })}
              />
              <Field
                label={words.unitPrice}
                name={`unitPrice${at}`}
                pointer={`/input/lines/${at}/unitPrice`}
                kind="amount"
                value={line.unitPrice}
                onChange={(unitPrice) => setLine(at, { unitPrice })}
              />
              <Field
                label={words.taxRate}
                name={`taxId${at}`}
                pointer={`/input/lines/${at}/taxId`}
                value={line.taxId}
                onChange={(taxId) => setLine(at, { taxId })}
                options={[['', words.taxNone], ...taxes.map(({ id, name: text }) => [id, text] as const)]}
              />
              <Field
                label={words.account}
                name={`account${at}`}
                pointer={`/input/lines/${at}/account`}
                value={line.account === '' ? usual : line.account}
                onChange={(account) => setLine(at, { account })}
                options={[
                  ...(usual === '' ? [['', words.accountChoose] as const] : []),
                  ...offered.map(({ id, code, name: text }) => [id, `${code} ${text}`] as const),
                ]}
              />
              <Button
                aria-label={words.removeLine(at + 1)}
                disabled={draft.lines.length === 1}
                onClick={() => set({ lines: draft.lines.filter((_, place) => place !== at) })}
              >
                ✕
              </Button>
            </div>
          ))}
        </div>
        <div>
          <Button
            onClick={() =>
              set({
                lines: [
                  ...draft.lines,
                  { ...emptyLine, taxId: draft.lines.at(-1)?.taxId ?? '', account: draft.lines.at(-1)?.account ?? '' },
                ],
              })
            }
          >
            {words.addLine}
          </Button>
        </div>
        <div aria-live="polite">
          {totals === undefined ? (
            <p className={styles['soft']}>{words.totalsWait}</p>
          ) : (
            <TotalsShown
              rows={[
                [words.net, { amount: totals.net, currency }],
                [words.tax, { amount: totals.tax, currency }],
                [words.total, { amount: totals.total, currency }],
              ]}
            />
          )}
        </div>
      </Section>
      <Field
        label={words.notes}
        name="notes"
        pointer="/input/notes"
        kind="area"
        optional
        value={draft.notes}
        onChange={(notes) => set({ notes })}
      />
    </Form>
  );
}
