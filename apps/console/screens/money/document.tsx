import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useDraft } from '../../data/draft.ts';
import { addressOf } from '../../data/api.ts';
import { graph } from '../../data/graph.ts';
import { type Amount, percentText } from '../../data/money.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useGraph, type Paged } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Money } from '../../parts/money.tsx';
import { Day, Moment } from '../../parts/moment.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Propose } from '../../parts/propose.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { Go } from '../../shell/go.tsx';
import { useRecord } from '../../shell/record.ts';
import { useLocale, useWords } from '../../words/language.ts';
import { AllocateOpen } from './allocate.tsx';
import { Cause } from './cause.tsx';
import { today } from './days.ts';
import type { DocumentKind } from './document-kinds.ts';
import { Status, titleOf, type DocumentStatus } from './documents.tsx';
import { Files, type File } from './files.tsx';
import { useAccounts } from './lookups.ts';
import { bookkeepers } from './may.ts';
import { MoneyTabs } from './tabs.tsx';
import { TotalsShown } from './totals-shown.tsx';
import styles from './money.module.css';

export interface Document {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly number: string | null;
  readonly status: DocumentStatus;
  readonly version: number;
  readonly partyId: string;
  readonly partyName: string;
  readonly issueDate: string;
  readonly dueDate: string;
  readonly issuedAt: string | null;
  readonly createdAt: string;
  readonly currency: string;
  readonly rate: string | null;
  readonly pricing: 'exclusive' | 'inclusive';
  readonly reference: string | null;
  readonly supplierNumber: string | null;
  readonly notes: string | null;
  readonly credits: string | null;
  readonly entryId: string | null;
  readonly net: Amount;
  readonly tax: Amount;
  readonly total: Amount;
  readonly open: Amount | null;
  readonly baseTotal: Amount | null;
  readonly lines: readonly {
    readonly accountId: string;
    readonly description: string;
    readonly quantity: string;
    readonly unitPrice: string;
    readonly percentage: string | null;
    readonly taxId: string | null;
    readonly net: Amount;
    readonly tax: Amount;
  }[];
  readonly taxes: readonly {
    readonly taxId: string;
    readonly name: string;
    readonly percentage: string;
    readonly net: Amount;
    readonly tax: Amount;
  }[];
  readonly attachments: readonly File[];
}

export default function DocumentScreen(): ReactNode {
  const words = useWords().money;
  const { document: id = '' } = useParams({ strict: false }) as { document?: string };
  const query = useGraph<{ readonly document: Document }>('money-document', { id });
  const of = query.data?.document.id === id ? query.data.document : undefined;
  useRecord(of === undefined ? undefined : { title: titleOf(words, of.kind, of.number), id: of.id });
  return (
    <Page
      title={of === undefined ? words.document : titleOf(words, of.kind, of.number)}
      {...(of === undefined
        ? {}
        : {
            lead: (
              <>
                {words.documentKinds[of.kind]} · <Said>{of.partyName}</Said> · <Status of={of} />
              </>
            ),
            actions: <Actions of={of} />,
          })}
      bar={<MoneyTabs />}
    >
      <Loaded query={query} lines={10}>
        {({ document }) => <Shown of={document} />}
      </Loaded>
    </Page>
  );
}

function Actions({ of }: { readonly of: Document }): ReactNode {
  const words = useWords().money;
  const tenant = useTenant();
  const may = useMay(...bookkeepers);
  const [voiding, setVoiding] = useState(false);
  const [issuing, setIssuing] = useState(false);
  const issue = useAct(async () => graph(tenant, 'money-document-issue', { id: of.id, version: of.version }));
  const sells = of.kind === 'invoice' || of.kind === 'credit_note';
  return (
    <>
      {sells && of.number !== null ? (
        <a href={addressOf('accounting', `/api/invoices/${of.id}/pdf`, { tenant })} download className={styles['file']}>
          PDF
        </a>
      ) : null}
      {may && of.status === 'draft' ? (
        <>
          <ButtonLink to={`/money/documents/${of.id}/edit`}>{words.edit}</ButtonLink>
          <Button onClick={() => setVoiding(true)} kind="danger">
            {words.discard}
          </Button>
          <Button kind="first" onClick={() => setIssuing(true)}>
            {words.issue}
          </Button>
        </>
      ) : null}
      {may && of.status === 'issued' ? (
        <>
          <Button onClick={() => setVoiding(true)} kind="danger">
            {words.void}
          </Button>
          {of.kind === 'invoice' || of.kind === 'bill' ? (
            <ButtonLink kind="first" to={`/money/payments/new?document=${of.id}`}>
              {words.recordPayment}
            </ButtonLink>
          ) : null}
        </>
      ) : null}
      {issuing ? (
        <Confirm
          title={words.issue}
          act={issue}
          onConfirm={() => issue.mutate(undefined, { onSuccess: () => setIssuing(false) })}
          submit={words.issueNow}
          instead={
            <Propose
              tool="service_issue_document"
              asks={() => ({ document_id: of.id, version: of.version })}
              onDone={() => setIssuing(false)}
            />
          }
          onClose={() => setIssuing(false)}
        >
          <p>{words.issueLead}</p>
          <Facts
            of={[
              [words.party, <Said key="p">{of.partyName}</Said>],
              [words.issueDate, <Day key="i" on={of.issueDate} />],
              [words.dueDate, <Day key="d" on={of.dueDate} />],
              [words.net, <Money key="n" of={of.net} />],
              [words.tax, <Money key="t" of={of.tax} />],
              [words.total, <Money key="s" of={of.total} />],
            ]}
          />
        </Confirm>
      ) : null}
      {voiding ? <Void of={of} onClose={() => setVoiding(false)} /> : null}
    </>
  );
}

function Void({ of, onClose }: { readonly of: Document; readonly onClose: () => void }): ReactNode {
  const words = useWords().money;
  const tenant = useTenant();
  const draft = of.status === 'draft';
  const [date, setDate, forget] = useDraft(`void ${of.id}`, today());
  const close = (): void => {
    forget();
    onClose();
  };
  const asked = { version: of.version, ...(draft ? {} : { date }) };
  const act = useAct(async () => graph(tenant, 'money-document-void', { id: of.id, ...asked }), { onDone: close });
  return (
    <Dialog title={draft ? words.discard : words.void} onClose={close}>
      <p>{draft ? words.discardLead : words.voidLead}</p>
      <Form
        onSubmit={() => act.mutate(undefined)}
        error={act.error}
        instead={
          <Propose tool="service_void_document" asks={() => ({ document_id: of.id, ...asked })} onDone={close} />
        }
        busy={act.isPending}
        submit={draft ? words.discard : words.void}
        onCancel={close}
      >
        {draft ? null : <Field label={words.day} name="date" kind="date" value={date} onChange={setDate} />}
      </Form>
    </Dialog>
  );
}

function Shown({ of }: { readonly of: Document }): ReactNode {
  const words = useWords().money;
  const locale = useLocale();
  const may = useMay(...bookkeepers);
  const { data: accounts = [] } = useAccounts();
  const accountOf = (id: string): string => {
    const found = accounts.find((one) => one.id === id);
    return found === undefined ? '' : `${found.code} ${found.name}`;
  };
  const credit = of.kind === 'credit_note' || of.kind === 'supplier_credit';
  return (
    <>
      <Section title={words.lines} plain>
        <Table
          label={words.lines}
          rows={of.lines.map((line, at) => ({ ...line, at }))}
          rowKey={({ at }) => String(at)}
          columns={[
            { head: words.description, first: true, cell: ({ description }) => <Said>{description}</Said> },
            { head: words.account, cell: ({ accountId }) => accountOf(accountId), wide: true },
            { head: words.quantity, align: 'end', cell: ({ quantity }) => quantity },
            { head: words.unitPrice, align: 'end', cell: ({ unitPrice }) => unitPrice },
            {
              head: words.taxRate,
              align: 'end',
              cell: ({ percentage }) => (percentage === null ? '–' : percentText(percentage, locale)),
            },
            { head: words.net, align: 'end', cell: ({ net }) => <Money of={net} /> },
          ]}
        />
        <TotalsShown
          rows={[
            [words.net, of.net],
            ...of.taxes.map(({ name, tax }) => [name, tax] as const),
            [words.total, of.total],
            ...(of.open === null || of.status === 'void' ? [] : [[words.open, of.open] as const]),
          ]}
        />
      </Section>
      {of.status === 'draft' ? null : <Payments of={of} />}
      {credit && may && of.status === 'issued' && of.open !== null ? (
        <AllocateOpen
          creditId={of.id}
          partyId={of.partyId}
          open={of.open}
          kind={of.kind === 'credit_note' ? 'invoice' : 'bill'}
        />
      ) : null}
      <Section title={words.details}>
        <Facts
          of={[
            [
              words.party,
              <Go key="party" to={`/money/documents?party=${of.partyId}`}>
                <Said>{of.partyName}</Said>
              </Go>,
            ],
            [words.issueDate, <Day key="issued" on={of.issueDate} />],
            [words.dueDate, <Day key="due" on={of.dueDate} />],
            [words.reference, of.reference === null ? undefined : <Said key="reference">{of.reference}</Said>],
            [
              words.supplierNumber,
              of.supplierNumber === null ? undefined : <Said key="theirs">{of.supplierNumber}</Said>,
            ],
            [words.pricing, of.pricing === 'exclusive' ? words.exclusive : words.inclusive],
            [words.rate, of.rate === null || /^1(?:\.0+)?$/.test(of.rate) ? undefined : of.rate],
            [
              words.entryHead,
              of.entryId === null ? undefined : (
                <Go key="entry" to={`/money/entries/${of.entryId}`}>
                  {words.openEntry}
                </Go>
              ),
            ],
            [
              words.credits,
              of.credits === null ? undefined : (
                <Go key="credits" to={`/money/documents/${of.credits}`}>
                  {words.document}
                </Go>
              ),
            ],
            [words.notes, of.notes === null ? undefined : <Said key="notes">{of.notes}</Said>],
            [words.issuedAt, of.issuedAt === null ? undefined : <Moment key="at" at={of.issuedAt} />],
          ]}
        />
      </Section>
      <Files kind="document" id={of.id} files={of.attachments} />
      <Cause resource={of.id} />
    </>
  );
}

interface Paying {
  readonly id: string;
  readonly number: string;
  readonly date: string;
  readonly voidOn: string | null;
  readonly amount: Amount;
  readonly allocations: readonly { readonly itemId: string; readonly date: string; readonly amount: Amount }[];
}

/** What paid it, among the payments of its party. */
function Payments({ of }: { readonly of: Document }): ReactNode {
  const words = useWords().money;
  const query = useGraph<{ readonly payments: Paged<Paying> }>('money-payments', {
    partyId: of.partyId,
    allocations: true,
  });
  return (
    <Loaded query={query} lines={2}>
      {({ payments }) => {
        const rows = payments.items.flatMap((payment) =>
          payment.allocations
            .filter(({ itemId }) => itemId === of.id)
            .map((part, at) => ({ ...payment, part, key: `${payment.id} ${at}` })),
        );
        if (rows.length === 0) return null;
        return (
          <Section title={words.paidBy} plain>
            <Table
              label={words.paidBy}
              rows={rows}
              rowKey={({ key }) => key}
              to={({ id }) => `/money/payments/${id}`}
              columns={[
                { head: words.number, first: true, cell: ({ number }) => number },
                { head: words.day, cell: ({ part }) => <Day on={part.date} /> },
                { head: words.payment, align: 'end', cell: ({ amount }) => <Money of={amount} /> },
                { head: words.allocated, align: 'end', cell: ({ part }) => <Money of={part.amount} /> },
              ]}
            />
          </Section>
        );
      }}
    </Loaded>
  );
}
