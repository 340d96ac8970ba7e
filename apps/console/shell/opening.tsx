import { isCurrency } from '@steward/kernel/currency';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { api } from '../data/api.ts';
import { organizationsQuery, type Organization } from '../data/session.ts';
import { useAct } from '../data/step-up.ts';
import { Field, Form } from '../parts/form.tsx';
import { useLanguage, useWords } from '../words/language.ts';
import styles from './front.module.css';

interface Opened {
  readonly organization: Pick<Organization, 'id' | 'name'>;
}

/** A person opens an organization. */
export default function Opening({ onOpened }: { readonly onOpened: (id: string) => void }): ReactNode {
  const words = useWords().shell;
  const language = useLanguage();
  const queries = useQueryClient();
  const [currencies, months] = useMemo(() => {
    const named = new Intl.DisplayNames(language, { type: 'currency' });
    const month = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
    return [
      // Browsers know currencies that are no more too, in which nobody keeps books.
      Intl.supportedValuesOf('currency')
        .filter(isCurrency)
        .map((code) => [code, `${code} ${named.of(code) ?? ''}`] as const),
      Array.from({ length: 12 }, (_, at) => [String(at + 1), month.format(new Date(Date.UTC(2024, at, 1)))] as const),
    ];
  }, [language]);
  const open = useAct(
    async (given: Readonly<Record<string, string>>) =>
      api<Opened>('portal', '/api/external-agent/signup', {
        body: {
          organizationName: given['organizationName'] ?? '',
          // Nobody means a currency that they did not choose.
          defaultCurrency: given['defaultCurrency'] ?? '',
          persona: given['persona'] ?? 'general',
          fiscalYearStartMonth: Number(given['fiscalYearStartMonth']),
          language,
        },
      }),
    {
      onDone: ({ organization: { id, name } }) => {
        onOpened(id);
        queries.setQueryData(organizationsQuery.queryKey, (known = []) => [
          ...known.filter((one) => one.id !== id),
          { id, name, role: 'owner' as const },
        ]);
      },
    },
  );
  return (
    <section className={styles['opening']} aria-labelledby="opening">
      <h2 id="opening">{words.open}</h2>
      <p className={styles['lead']}>{words.openLead}</p>
      <Form submit={words.openIt} error={open.error} busy={open.isPending} onSubmit={(values) => open.mutate(values)}>
        <Field label={words.openName} name="organizationName" />
        <Field
          label={words.openCurrency}
          name="defaultCurrency"
          options={[['', words.openChoose], ...currencies]}
          hint={words.openCurrencyHint}
        />
        <Field
          label={words.openPersona}
          name="persona"
          options={Object.entries(words.openPersonas)}
          hint={words.openPersonaHint}
        />
        <Field label={words.openYear} name="fiscalYearStartMonth" options={months} />
      </Form>
    </section>
  );
}
