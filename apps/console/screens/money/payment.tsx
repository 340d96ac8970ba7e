import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { graph } from '../../data/graph.ts';
import type { Amount } from '../../data/money.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useGraph } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Money } from '../../parts/money.tsx';
import { Day } from '../../parts/moment.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { Go } from '../../shell/go.tsx';
import { useRecord } from '../../shell/record.ts';
import { useWords } from '../../words/language.ts';
import { AllocateOpen } from './allocate.tsx';
import { Cause } from './cause.tsx';
import { today } from './days.ts';
import { Files, type File } from './files.tsx';
import { useAccounts } from '../../data/accounts.ts';
import { bookkeepers } from './may.ts';
import { MoneyTabs } from './tabs.tsx';
import { TakeBack } from './take-back.tsx';

interface Payment {
  readonly id: string;
  readonly number: string;
  readonly date: string;
  readonly direction: 'made' | 'received';
  readonly method: 'card' | 'cash' | 'check' | 'network' | 'other' | 'transfer';
  readonly refund: boolean;
  readonly partyId: string;
  readonly partyName: string;
  readonly reference: string | null;
  readonly voidOn: string | null;
  readonly rate: string;
  readonly accountId: string;
  readonly entryId: string;
  readonly amount: Amount;
  readonly baseAmount: Amount;
  readonly open: Amount;
  readonly allocations: readonly {
    readonly id: string;
    readonly itemId: string;
    readonly date: string;
    readonly amount: Amount;
  }[];
  readonly attachments: readonly File[];
}

export default function PaymentScreen(): ReactNode {
  const words = useWords().money;
  const { payment: id = '' } = useParams({ strict: false }) as { payment?: string };
  const query = useGraph<{ readonly payment: Payment }>('money-payment', { id });
  const may = useMay(...bookkeepers);
  const [voiding, setVoiding] = useState(false);
  const of = query.data?.payment.id === id ? query.data.payment : undefined;
  useRecord(of === undefined ? undefined : { title: of.number, id: of.id });
  return (
    <Page
      title={of?.number ?? words.payment}
      {...(of === undefined
        ? {}
        : {
            lead: (
              <>
                {of.refund ? words.refund : words.directions[of.direction]} · <Said>{of.partyName}</Said> ·{' '}
                <Money of={of.amount} />
              </>
            ),
          })}
      actions={
        may && of?.voidOn === null ? (
          <Button kind="danger" onClick={() => setVoiding(true)}>
            {words.void}
          </Button>
        ) : null
      }
      bar={<MoneyTabs />}
    >
      <Loaded query={query} lines={8}>
        {({ payment }) => <Shown of={payment} />}
      </Loaded>
      {voiding && of !== undefined ? (
        <TakeBack id={of.id} title={words.void} by="money-payment-void" onClose={() => setVoiding(false)}>
          <p>{words.voidPaymentLead}</p>
        </TakeBack>
      ) : null}
    </Page>
  );
}

function Shown({ of }: { readonly of: Payment }): ReactNode {
  const words = useWords().money;
  const tenant = useTenant();
  const may = useMay(...bookkeepers);
  const { data: accounts = [] } = useAccounts();
  const account = accounts.find(({ id }) => id === of.accountId);
  const undo = useAct(async (id: string) => graph(tenant, 'money-allocation-undo', { id, date: today() }));
  return (
    <>
      {of.allocations.length === 0 ? null : (
        <Section title={words.paidFor} plain>
          <Table
            label={words.paidFor}
            rows={of.allocations}
            rowKey={({ id }) => id}
            to={({ itemId }) => `/money/documents/${itemId}`}
            columns={[
              { head: words.document, first: true, cell: ({ itemId }) => <NumberOf id={itemId} /> },
              { head: words.day, cell: ({ date }) => <Day on={date} /> },
              { head: words.allocated, align: 'end', cell: ({ amount }) => <Money of={amount} /> },
              ...(may
                ? [
                    {
                      head: words.undo,
                      align: 'end' as const,
                      cell: ({ id }: { readonly id: string }) => (
                        <Button busy={undo.isPending} onClick={() => undo.mutate(id)}>
                          {words.undo}
                        </Button>
                      ),
                    },
                  ]
                : []),
            ]}
          />
          <Failure error={undo.error} />
        </Section>
      )}
      {may && of.voidOn === null && !of.refund ? (
        <AllocateOpen
          creditId={of.id}
          partyId={of.partyId}
          open={of.open}
          kind={of.direction === 'received' ? 'invoice' : 'bill'}
        />
      ) : null}
      <Section title={words.details}>
        <Facts
          of={[
            [
              words.party,
              <Go key="party" to={`/money/payments?party=${of.partyId}`}>
                <Said>{of.partyName}</Said>
              </Go>,
            ],
            [words.day, <Day key="day" on={of.date} />],
            [words.amount, <Money key="amount" of={of.amount} />],
            [words.notAllocated, <Money key="open" of={of.open} />],
            [words.method, words.methods[of.method]],
            [words.account, account === undefined ? undefined : `${account.code} ${account.name}`],
            [words.reference, of.reference === null ? undefined : <Said key="reference">{of.reference}</Said>],
            [words.rate, /^1(?:\.0+)?$/.test(of.rate) ? undefined : of.rate],
            [
              words.entryHead,
              <Go key="entry" to={`/money/entries/${of.entryId}`}>
                {words.openEntry}
              </Go>,
            ],
            [words.voidedOn, of.voidOn === null ? undefined : <Day key="void" on={of.voidOn} />],
          ]}
        />
      </Section>
      <Files kind="payment" id={of.id} files={of.attachments} />
      <Cause resource={of.id} />
    </>
  );
}

/** An allocation names the other side by its id. */
function NumberOf({ id }: { readonly id: string }): ReactNode {
  const words = useWords().money;
  const { data } = useGraph<{ readonly document: { readonly number: string | null } }>('money-document', { id });
  return data?.document.number ?? words.document;
}
