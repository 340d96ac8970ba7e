import { useRef, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { countryName } from '../../data/country.ts';
import { useDraft } from '../../data/draft.ts';
import { graph } from '../../data/graph.ts';
import { percentText } from '../../data/money.ts';
import { useTenant } from '../../data/organization.ts';
import { useGraph } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useLanguage, useLocale, useWords } from '../../words/language.ts';

interface Rate {
  readonly id: string;
  readonly name: string;
  readonly percentage: string;
}

/** A country where tax is asked, at a rate that the books have or get now. */
export function AddTaxZone({ onClose }: { readonly onClose: () => void }): ReactNode {
  const words = useWords().selling;
  const rates = useGraph<{ readonly taxRates: readonly Rate[] }>('money-taxes', {});
  return (
    <Dialog title={words.addTaxZone} onClose={onClose}>
      <Loaded query={rates}>{({ taxRates }) => <Add rates={taxRates} onClose={onClose} />}</Loaded>
    </Dialog>
  );
}

function Add({ rates, onClose }: { readonly rates: readonly Rate[]; readonly onClose: () => void }): ReactNode {
  const words = useWords().selling;
  const tenant = useTenant();
  const language = useLanguage();
  const locale = useLocale();
  const [draft, setDraft, forget] = useDraft<Readonly<Record<string, string>>>('tax zone', {
    rate: rates[0]?.id ?? '',
  });
  /** A rate that was made for a zone that was refused: it is not made twice. */
  const made = useRef<Rate>(undefined);
  const act = useAct(
    async ({
      country,
      rate,
      name,
      percentage,
    }: Readonly<Record<'country' | 'rate' | 'name' | 'percentage', string>>) => {
      let taxId = rate;
      if (taxId === '') {
        const kept = made.current;
        if (kept === undefined || kept.name !== name || kept.percentage !== percentage) {
          const { createTaxRate } = await graph<{ readonly createTaxRate: { readonly id: string } }>(
            tenant,
            'tax-rate-create',
            { name, percentage },
          );
          made.current = { id: createTaxRate.id, name, percentage };
        }
        taxId = made.current?.id ?? '';
      }
      const zone = { name: countryName(country, language), country, rates: [{ category: 'standard', taxId }] };
      return api('commerce', '/api/tax-zones', { tenant, body: { zones: [zone] } });
    },
    {
      onDone: () => {
        forget();
        onClose();
      },
    },
  );
  const bind = (name: string, pointer = `/${name}`) => ({
    name,
    pointer,
    value: draft[name] ?? '',
    onChange: (value: string) => setDraft({ ...draft, [name]: value }),
  });
  return (
    <Form
      submit={words.addTaxZone}
      busy={act.isPending}
      error={act.error}
      onCancel={onClose}
      onSubmit={({ country = '', percentage = '', name = '' }) =>
        act.mutate({ country: country.toUpperCase().trim(), rate: draft['rate'] ?? '', name, percentage })
      }
    >
      <Field label={words.country} {...bind('country', '/zones/0/country')} hint={words.countryHint} />
      <Field
        label={words.taxRate}
        {...bind('rate', '/zones/0/rates/0/taxId')}
        options={[
          ...rates.map(({ id, name, percentage }) => [id, `${name} (${percentText(percentage, locale)})`] as const),
          ['', words.newTaxRate] as const,
        ]}
      />
      {draft['rate'] === '' ? (
        <>
          <Field label={words.name} {...bind('name')} hint={words.taxNameHint} />
          <Field label={words.percent} kind="amount" {...bind('percentage')} />
        </>
      ) : null}
    </Form>
  );
}
