import type { ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useDraft } from '../../data/draft.ts';
import { useTenant } from '../../data/organization.ts';
import { useApi, type Paged } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { useGo } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import type { Brand } from './types.ts';

/** Texts between commas, each once. */
const valuesOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(/[,、，]/)
      .map((value) => value.trim())
      .filter((value) => value !== ''),
  ),
];

/** One product with its price, in one variant or in one for each value of an option; pictures and further prices follow on its page. */
export function AddProduct({ onClose }: { readonly onClose: () => void }): ReactNode {
  const words = useWords().commerce;
  const tenant = useTenant();
  const go = useGo();
  const brands = useApi<Paged<Brand>>('portal', '/api/brands', { query: { limit: 100 } });
  const { data: books } = useApi<{ readonly defaultCurrency: string }>('portal', '/api/organization');
  const [typed, setDraft, forget] = useDraft<Readonly<Record<string, string>>>('product', { status: 'active' });
  const draft: typeof typed = {
    currency: books?.defaultCurrency ?? '',
    brand: brands.data?.items[0]?.id ?? '',
    ...typed,
  };
  const act = useAct(
    async (product: object) =>
      api<{ readonly products: readonly { readonly id: string }[] }>('commerce', '/api/products', {
        tenant,
        body: { products: [product] },
      }),
    {
      onDone: ({ products: [made] }) => {
        forget();
        onClose();
        if (made !== undefined) go(`/commerce/products/${made.id}`);
      },
    },
  );
  const bind = (name: string, pointer = `/products/0/${name}`) => ({
    name,
    pointer,
    value: draft[name] ?? '',
    onChange: (value: string) => setDraft({ ...draft, [name]: value }),
  });
  const values = valuesOf(draft['values'] ?? '');
  return (
    <Dialog title={words.addProduct} onClose={onClose} wide>
      <Form
        submit={words.addProduct}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={({ title, description, amount, currency, sku, option = '' }) => {
          const prices = amount === undefined ? [] : [{ amount, currency }];
          act.mutate({
            title,
            description,
            status: draft['status'],
            brandIds: draft['brand'] === '' ? [] : [draft['brand']],
            ...(values.length === 0
              ? { variants: [{ sku, prices }] }
              : {
                  options: [option],
                  variants: values.map((value) => ({ options: { [option]: value }, prices })),
                }),
          });
        }}
      >
        <Field label={words.title} {...bind('title')} />
        <Field label={words.description} kind="area" optional {...bind('description')} />
        <Field
          label={words.price}
          kind="amount"
          currency={draft['currency']}
          {...bind('amount', '/products/0/variants/0/prices/0/amount')}
        />
        <Field label={words.currency} {...bind('currency', '/products/0/variants/0/prices/0/currency')} />
        <Field label={words.optionValues} optional hint={words.optionValuesHint} {...bind('values')} />
        {values.length === 0 ? (
          <Field label={words.sku} optional {...bind('sku', '/products/0/variants/0/sku')} />
        ) : (
          <Field label={words.optionName} hint={words.optionNameHint} {...bind('option', '/products/0/options/0')} />
        )}
        <Field
          label={words.soldBy}
          {...bind('brand', '/products/0/brandIds/0')}
          options={[
            ...(brands.data?.items ?? []).map(({ id, name }) => [id, name] as const),
            ['', words.notPublished] as const,
          ]}
        />
        <Field
          label={words.state}
          {...bind('status')}
          options={(['active', 'draft'] as const).map((one) => [one, words.productState[one]] as const)}
        />
      </Form>
    </Dialog>
  );
}
