import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { addressOf } from '../../data/api.ts';
import { graph } from '../../data/graph.ts';
import { difference, sum } from '../../data/decimal.ts';
import { type Amount, decimalText, isNegative, isZero, moneyText, percentText } from '../../data/money.ts';
import { useMay, useOrganization, useTenant } from '../../data/organization.ts';
import { useGraph, type Paged } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { CreditedBeyond, type Credited } from '../../parts/credited.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Money } from '../../parts/money.tsx';
import { Day, Moment } from '../../parts/moment.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { usePrinted } from '../../parts/printed.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { Go } from '../../shell/go.tsx';
import { useRecord } from '../../shell/record.ts';
import { useLocale, useWords } from '../../words/language.ts';
import { AllocateOpen } from './allocate.tsx';
import { Cause } from './cause.tsx';
import { creditKindOf, type DocumentKind } from './document-kinds.ts';
import { Status, titleOf, type DocumentStatus } from './documents.tsx';
import { Files, type File } from './files.tsx';
import { useAccounts } from '../../data/accounts.ts';
import { bookkeepers } from './may.ts';
import { PartyChange } from './party-change.tsx';
import { MoneyTabs } from './tabs.tsx';
import { TakeBack } from './take-back.tsx';
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
  readonly seller: {
    readonly name: string | null;
    readonly address: string | null;
    readonly vatNumber: string | null;
    readonly registration: string | null;
    readonly paymentDetails: string | null;
  } | null;
  readonly buyer: { readonly name: string; readonly address: string | null; readonly vatNumber: string | null } | null;
  readonly credits: string | null;
  readonly credited: Credited | null;
  readonly creditedBy: readonly {
    readonly id: string;
    readonly number: string | null;
    readonly status: DocumentStatus;
    readonly issueDate: string;
    readonly total: Amount;
  }[];
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

const isCharge = ({ kind }: Document): boolean => kind === 'invoice' || kind === 'bill';

function Actions({ of }: { readonly of: Document }): ReactNode {
  const words = useWords().money;
  const tenant = useTenant();
  const may = useMay(...bookkeepers);
  const [voiding, setVoiding] = useState(false);
  const [issuing, setIssuing] = useState(false);
  const issue = useAct(async () => graph(tenant, 'money-document-issue', { id: of.id, version: of.version }));
  const sells = of.kind === 'invoice' || of.kind === 'credit_note';
  const { buyer, seller } = useOnPaper(of);
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
      {may && isCharge(of) && (of.status === 'issued' || of.status === 'paid') ? (
        <ButtonLink to={`/money/documents/new?kind=${creditKindOf(of.kind)}&credits=${of.id}`}>
          {words.creditIt}
        </ButtonLink>
      ) : null}
      {may && of.status === 'issued' ? (
        <>
          <Button onClick={() => setVoiding(true)} kind="danger">
            {words.void}
          </Button>
          {isCharge(of) ? (
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

          onClose={() => setIssuing(false)}
        >
          <p>{words.issueLead}</p>
          {sells && (of.seller?.address ?? null) === null ? (
            <p className={styles['soft']}>
              {words.sellerMissing} <Go to="/settings">{words.sellerMissingLink}</Go>
            </p>
          ) : null}
          <CreditedBeyond of={of.credited} />
          <Facts
            of={[
              ...(sells
                ? ([
                    [words.buyer, buyer],
                    [words.seller, seller],
                  ] as const)
                : ([[words.party, <Said key="p">{of.partyName}</Said>]] as const)),
              [words.issueDate, <Day key="i" on={of.issueDate} />],
              [words.dueDate, <Day key="d" on={of.dueDate} />],
              [words.net, <Money key="n" of={of.net} />],
              [words.tax, <Money key="t" of={of.tax} />],
              [words.total, <Money key="s" of={of.total} />],
            ]}
          />
        </Confirm>
      ) : null}
      {voiding ? (
        <TakeBack
          id={of.id}
          title={of.status === 'draft' ? words.discard : words.void}
          by="money-document-void"
          also={{ version: of.version }}
          dated={of.status !== 'draft'}
          onClose={() => setVoiding(false)}
        >
          <p>{of.status === 'draft' ? words.discardLead : words.voidLead}</p>
        </TakeBack>
      ) : null}
    </>
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
  const { buyer, seller } = useOnPaper(of);
  const [changing, setChanging] = useState(false);
  return (
    <>
      {of.status === 'void' || of.credits === null ? null : <CreditedBeyond of={of.credited} />}
      <Section title={words.lines} plain>
        <Table
          label={words.lines}
          rows={of.lines.map((line, at) => ({ ...line, at }))}
          rowKey={({ at }) => String(at)}
          columns={[
            { head: words.description, first: true, cell: ({ description }) => <Said>{description}</Said> },
            { head: words.account, cell: ({ accountId }) => accountOf(accountId), wide: true },
            { head: words.quantity, align: 'end', cell: ({ quantity }) => quantity },
            { head: words.unitPrice, align: 'end', cell: ({ unitPrice }) => decimalText(unitPrice, locale) },
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
      {of.creditedBy.length === 0 ? null : <Credits of={of} />}
      {credit && may && of.status === 'issued' && of.open !== null ? (
        <AllocateOpen
          creditId={of.id}
          partyId={of.partyId}
          open={of.open}
          kind={of.kind === 'credit_note' ? 'invoice' : 'bill'}
        />
      ) : null}
      <Section
        title={words.details}
        actions={may ? <Button onClick={() => setChanging(true)}>{words.changeParty}</Button> : null}
      >
        {changing ? <PartyChange id={of.partyId} onClose={() => setChanging(false)} /> : null}
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
                  {of.credited?.number ?? words.document}
                </Go>
              ),
            ],
            [words.buyer, buyer],
            [words.seller, seller],
            [
              words.payTo,
              typeof of.seller?.paymentDetails === 'string' ? (
                <Said key="pay">{of.seller.paymentDetails}</Said>
              ) : undefined,
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

/** Who buys and who sells, as the PDF says it. Only issuing keeps the name of the organization. */
function useOnPaper({ buyer, seller }: Document): Readonly<Record<'buyer' | 'seller', ReactNode>> {
  const printed = usePrinted();
  const { name } = useOrganization();
  return { buyer: printed(buyer), seller: printed(seller === null ? null : { ...seller, name: seller.name ?? name }) };
}

/** What credits it, and how much of it that is. */
function Credits({ of }: { readonly of: Document }): ReactNode {
  const words = useWords().money;
  const kind = creditKindOf(of.kind);
  return (
    <Section title={words.creditedBy} plain>
      <Table
        label={words.creditedBy}
        rows={of.creditedBy}
        rowKey={({ id }) => id}
        to={({ id }) => `/money/documents/${id}`}
        columns={[
          { head: words.number, first: true, cell: ({ number }) => number ?? titleOf(words, kind, null) },
          { head: words.issueDate, cell: ({ issueDate }) => <Day on={issueDate} /> },
          { head: words.status, cell: ({ status }) => words.statuses[status] },
          { head: words.total, align: 'end', cell: ({ total }) => <Money of={total} /> },
        ]}
      />
      {of.credited === null ? null : <CreditedSum of={of.credited} />}
    </Section>
  );
}

/** How much is credited of a document, and how much is left. */
export function CreditedSum({ of: { total, issued, drafts } }: { readonly of: Credited }): ReactNode {
  const words = useWords().money;
  const locale = useLocale();
  const text = (amount: string): string => moneyText({ ...total, amount }, locale);
  const all = sum(issued.amount, drafts.amount);
  const left = difference(total.amount, all);
  return (
    <p role="note">
      {isZero(drafts.amount)
        ? words.creditedSum(text(all), text(total.amount))
        : words.creditedSumDrafted(text(all), text(total.amount), text(drafts.amount))}{' '}
      {isNegative(left) ? words.creditedMore : isZero(left) ? words.creditedWhole : words.creditedLeft(text(left))}
    </p>
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
