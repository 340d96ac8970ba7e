import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { legible } from '../../data/legible.ts';
import { useDraft } from '../../data/draft.ts';
import { useTenant } from '../../data/organization.ts';
import { useAct } from '../../data/step-up.ts';
import { useAmountIn } from '../../parts/amount-in.ts';
import { Missing } from '../../parts/loaded.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { useWords } from '../../words/language.ts';
import styles from './commerce.module.css';
import { optionsText, type Price, type ProductWhole, type Variant } from './types.ts';

interface Row {
  readonly key: string;
  readonly product: string;
  readonly variant: Variant;
  readonly price: Price;
}

/** Prices of every variant of the products, changed together: all of them or none. */
export function Prices({
  products,
  onClose,
  onDone,
}: {
  readonly products: readonly { readonly id: string }[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}): ReactNode {
  const words = useWords().commerce;
  const amountIn = useAmountIn();
  const tenant = useTenant();
  const ids = products.map(({ id }) => id).toSorted();
  const [draft, setDraft, forget] = useDraft<Readonly<Record<string, string>>>(
    `prices ${ids.join(' ')}`.slice(0, 200),
    {},
  );
  const whole = useQueries({
    queries: ids.map((id) => ({
      queryKey: [tenant, 'commerce', `/api/products/${id}`, {}],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        api<ProductWhole>('commerce', `/api/products/${id}`, { tenant, signal }),
    })),
  });
  const act = useAct(
    async (variants: readonly object[]) => api('commerce', '/api/products/prices', { tenant, body: { variants } }),
    {
      onDone: () => {
        forget();
        onDone();
      },
    },
  );
  const rows: readonly Row[] = whole.flatMap(({ data }) =>
    (data?.variants ?? []).flatMap((variant) =>
      variant.prices.map((price) => ({
        key: `${variant.id} ${price.currency} ${price.minQuantity}`,
        product: data?.title ?? '',
        variant,
        price,
      })),
    ),
  );
  const asked = whole.filter(({ data }) => data === undefined);
  const missing = asked.find(({ failureReason }) => failureReason !== null) ?? asked[0];
  /** As it was typed last: `Enter` sends what is still being typed. */
  const amountOf = (key: string, otherwise: string): string => {
    const text = draft[key] ?? otherwise;
    return amountIn(text) ?? text;
  };
  const changed = new Set(
    rows.filter(({ key, price }) => amountOf(key, price.amount) !== price.amount).map(({ variant }) => variant.id),
  );
  const send = (): void => {
    const variants = new Map(rows.map(({ variant }) => [variant.id, variant]));
    act.mutate(
      [...changed].map((variantId) => ({
        variantId,
        prices: (variants.get(variantId)?.prices ?? []).map(({ amount, currency, minQuantity, compareAt }) => ({
          amount: amountOf(`${variantId} ${currency} ${minQuantity}`, amount),
          currency,
          minQuantity,
          ...(compareAt === null ? {} : { compareAt }),
        })),
      })),
    );
  };
  return (
    <Dialog title={words.prices} onClose={onClose} wide>
      {missing !== undefined ? (
        <Missing query={missing} />
      ) : (
        <Form
          submit={words.savePrices(changed.size)}
          busy={act.isPending}
          error={act.error}
          onProposed={forget}
          onCancel={onClose}
          onSubmit={send}
        >
          <Table
            label={words.prices}
            rows={rows}
            rowKey={({ key }) => key}
            columns={[
              { head: words.product, cell: ({ product }) => <Said>{product}</Said> },
              {
                head: words.variant,
                cell: ({ variant }) => (
                  <Said>{[optionsText(variant.options), variant.sku].filter(Boolean).join(' · ')}</Said>
                ),
              },
              {
                head: words.from,
                align: 'end',
                wide: true,
                cell: ({ price }) => words.pieces(price.minQuantity),
              },
              {
                head: words.price,
                align: 'end',
                cell: ({ key, price, product, variant }) => (
                  <span className={styles['row']}>
                    <input
                      className={styles['price']}
                      inputMode="decimal"
                      autoComplete="off"
                      aria-label={legible(`${words.price}: ${product} ${optionsText(variant.options)}`)}
                      value={draft[key] ?? price.amount}
                      onChange={({ target }) => setDraft({ ...draft, [key]: target.value })}
                      onBlur={({ target }) => {
                        const amount = amountIn(target.value);
                        if (amount !== undefined && amount !== target.value) setDraft({ ...draft, [key]: amount });
                      }}
                    />
                    {price.currency}
                  </span>
                ),
              },
            ]}
          />
        </Form>
      )}
    </Dialog>
  );
}
