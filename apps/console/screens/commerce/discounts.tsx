import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useDraft } from '../../data/draft.ts';
import { type Amount, percentText } from '../../data/money.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi, usePages } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { useLocale, useWords } from '../../words/language.ts';
import { CommerceTabs, Row } from './parts.tsx';

type Kind = 'percentage' | 'fixed_amount' | 'free_shipping' | 'buy_x_get_y';

interface Discount {
  readonly id: string;
  readonly name: string;
  readonly code: string | null;
  readonly kind: Kind;
  readonly status: 'active' | 'scheduled' | 'expired' | 'exhausted' | 'inactive' | 'archived';
  readonly percentage: string | null;
  readonly amounts: readonly Amount[];
  readonly used: number;
  readonly usageLimit: number | null;
  readonly endsAt: string | null;
  readonly active: boolean;
}

const tones: Readonly<Record<Discount['status'], Tone>> = {
  active: 'held',
  scheduled: 'waits',
  expired: 'plain',
  exhausted: 'plain',
  inactive: 'plain',
  archived: 'plain',
};

export default function Discounts(): ReactNode {
  const { selling: words, parts } = useWords();
  const locale = useLocale();
  const tenant = useTenant();
  const manages = useMay('owner', 'admin', 'merchandiser');
  const [adding, setAdding] = useState(false);
  const pages = usePages<Discount>('commerce', '/api/discounts');
  const act = useAct(async ({ id, active }: Discount) =>
    api('commerce', `/api/discounts/${id}`, { tenant, method: 'PATCH', body: { active: !active } }),
  );
  const add = manages ? (
    <Button kind="first" onClick={() => setAdding(true)}>
      {words.addDiscount}
    </Button>
  ) : null;
  return (
    <Page title={words.discounts} actions={add} bar={<CommerceTabs />}>
      {adding ? <Add onClose={() => setAdding(false)} /> : null}
      <Failure error={act.error} />
      <CursorList
        pages={pages}
        empty={
          <Empty
            title={words.noDiscounts}
            prompt={words.noDiscountsPrompt}
            {...(add === null ? {} : { action: add })}
          />
        }
      >
        {(items) => (
          <Table
            label={words.discounts}
            rows={items}
            rowKey={({ id }) => id}
            record={({ id, name }) => ({ title: name, id, place: 'commerce', path: `/api/discounts/${id}` })}
            columns={[
              { head: words.name, cell: ({ name }) => <Said>{name}</Said> },
              { head: words.code, cell: ({ code }) => (code === null ? words.byItself : <Said>{code}</Said>) },
              {
                head: words.lowers,
                cell: ({ kind, percentage, amounts }) =>
                  percentage !== null && kind === 'percentage' ? (
                    percentText(percentage, locale)
                  ) : kind === 'fixed_amount' ? (
                    <Row>
                      {amounts.map((amount) => (
                        <Money key={amount.currency} of={amount} />
                      ))}
                    </Row>
                  ) : (
                    words.discountKind[kind]
                  ),
              },
              {
                head: words.state,
                cell: ({ status }) => <Badge tone={tones[status]}>{words.discountState[status]}</Badge>,
              },
              {
                head: words.used,
                align: 'end',
                cell: ({ used, usageLimit }) => (usageLimit === null ? used : `${used} / ${usageLimit}`),
              },
              { head: words.until, wide: true, cell: ({ endsAt }) => <Moment at={endsAt} /> },
              ...(manages
                ? [
                    {
                      head: parts.actions,
                      cell: (one: Discount) => (
                        <Button busy={act.isPending} onClick={() => act.mutate(one)}>
                          {one.active ? words.turnOff : words.turnOn}
                        </Button>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </CursorList>
    </Page>
  );
}

function Add({ onClose }: { readonly onClose: () => void }): ReactNode {
  const words = useWords().selling;
  const tenant = useTenant();
  const { data: books } = useApi<{ readonly defaultCurrency: string }>('portal', '/api/organization');
  const [typed, setDraft, forget] = useDraft<Readonly<Record<string, string>>>('discount', { kind: 'percentage' });
  const draft: typeof typed = { currency: books?.defaultCurrency ?? '', ...typed };
  const act = useAct(async (body: object) => api('commerce', '/api/discounts', { tenant, body }), {
    onDone: () => {
      forget();
      onClose();
    },
  });
  const bind = (name: string) => ({
    name,
    value: draft[name] ?? '',
    onChange: (value: string) => setDraft({ ...draft, [name]: value }),
  });
  const kind = draft['kind'] ?? 'percentage';
  return (
    <Dialog title={words.addDiscount} onClose={onClose}>
      <Form
        submit={words.addDiscount}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={({ name, code, percentage, amount, currency }) =>
          act.mutate({
            name,
            code,
            kind,
            ...(kind === 'percentage' ? { percentage, appliesTo: 'order' } : {}),
            ...(kind === 'fixed_amount' ? { amounts: [{ amount, currency }], appliesTo: 'order' } : {}),
          })
        }
      >
        <Field label={words.name} {...bind('name')} />
        <Field label={words.code} optional hint={words.codeHint} {...bind('code')} />
        <Field
          label={words.lowers}
          {...bind('kind')}
          options={(['percentage', 'fixed_amount', 'free_shipping'] as const).map(
            (one) => [one, words.discountKind[one]] as const,
          )}
        />
        {kind === 'percentage' ? <Field label={words.percent} kind="amount" {...bind('percentage')} /> : null}
        {kind === 'fixed_amount' ? (
          <>
            <Field
              label={words.amount}
              kind="amount"
              currency={draft['currency']}
              pointer="/amounts/0/amount"
              {...bind('amount')}
            />
            <Field label={words.currency} pointer="/amounts/0/currency" {...bind('currency')} />
          </>
        ) : null}
      </Form>
    </Dialog>
  );
}
