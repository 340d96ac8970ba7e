import { useState, type ReactNode } from 'react';
import { addressOf, api } from '../../data/api.ts';
import { useDraft } from '../../data/draft.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi, type Paged } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { textOf } from '../../data/text-file.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { FileInput } from '../../parts/file-input.tsx';
import { Field } from '../../parts/form.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { useWords } from '../../words/language.ts';
import styles from './commerce.module.css';
import { CommerceTabs, Row } from './parts.tsx';
import type { Brand } from './types.ts';

interface Imported {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly pictures: {
    readonly added: number;
    readonly skipped: readonly { readonly line: number; readonly detail: string }[];
  };
  readonly notImported: readonly { readonly column: string; readonly lines: number }[];
}

/** Products as a file, in and out. The server takes all of a file or nothing of it. */
export default function ProductImport(): ReactNode {
  const words = useWords().commerce;
  const tenant = useTenant();
  const manages = useMay('owner', 'admin', 'merchandiser', 'developer');
  // A login in between does not take the file along.
  const [file, setFile, forget] = useDraft<{ readonly name: string; readonly content: string } | null>(
    'products',
    null,
  );
  const { data: books } = useApi<{ readonly defaultCurrency: string }>('portal', '/api/organization');
  const [typed, setCurrency] = useDraft<string | null>('currency of products', null);
  const currency = typed ?? books?.defaultCurrency ?? '';
  const [brand, setBrand] = useState('');
  const brands = useApi<Paged<Brand>>('portal', '/api/brands', { query: { limit: 100 } });
  const act = useAct(
    async ({ content, dryRun }: { readonly content: string; readonly dryRun: boolean }) =>
      api<Imported>('commerce', '/api/products/import', {
        tenant,
        body: { content, currency, dryRun, ...(brand === '' ? {} : { publishTo: [brand] }) },
      }),
    {
      onDone: (_imported, { dryRun }) => {
        if (!dryRun) forget();
      },
    },
  );
  const done = act.data;
  return (
    <Page title={words.csv} lead={words.csvLead} bar={<CommerceTabs />}>
      <Section title={words.exportCsv}>
        <Row>
          <a
            className={styles['file']}
            download="products.csv"
            href={addressOf('commerce', '/api/products.csv', { tenant, query: { currency } })}
          >
            {words.exportIn(currency)}
          </a>
        </Row>
      </Section>
      {manages ? (
        <Section title={words.importCsv}>
          <div className={styles['pair']}>
            <Field
              label={words.currency}
              name="currency"
              value={currency}
              onChange={(text) => setCurrency(text.toUpperCase())}
            />
            <Field
              label={words.publishAt}
              name="brand"
              value={brand}
              onChange={setBrand}
              options={[['', words.nowhere], ...(brands.data?.items ?? []).map(({ id, name }) => [id, name] as const)]}
            />
          </div>
          <Row>
            <label className={styles['upload']}>
              {words.chooseFile}{' '}
              <FileInput
                accept=".csv,text/csv"
                onChoose={([chosen]) => {
                  act.reset();
                  if (chosen === undefined) return;
                  void textOf(chosen).then((content) => setFile({ name: chosen.name, content }));
                }}
              />
            </label>
          </Row>
          {file === null ? null : (
            <>
              <Facts
                of={[
                  [words.title, <Said key="name">{file.name}</Said>],
                  [words.columns, <Said key="head">{file.content.split(/\r?\n/, 1)[0]}</Said>],
                  [words.rows, file.content.split('\n').filter((line) => line.trim() !== '').length - 1],
                ]}
              />
              <p className={styles['soft']}>{words.allOrNothing}</p>
              <Row>
                <Button busy={act.isPending} onClick={() => act.mutate({ content: file.content, dryRun: true })}>
                  {words.tryImport}
                </Button>
                <Button
                  kind="first"
                  busy={act.isPending}
                  onClick={() => act.mutate({ content: file.content, dryRun: false })}
                >
                  {words.importNow}
                </Button>
              </Row>
            </>
          )}
          <Failure
            error={act.error}
            onProposed={forget}
            labelOf={(pointer) => (pointer === '/content' ? words.chooseFile : undefined)}
          />
          {done === undefined ? null : (
            <div role="status">
              {act.variables.dryRun ? <p>{words.triedImport}</p> : null}
              <Facts
                of={[
                  [words.added, done.added],
                  [words.changed, done.changed],
                  [words.unchanged, done.unchanged],
                  [words.pictures, done.pictures.added],
                  [
                    words.leftOut,
                    done.pictures.skipped.length === 0 ? undefined : (
                      <ul key="skipped">
                        {done.pictures.skipped.map(({ line, detail }) => (
                          <li key={line}>
                            {line}: <Said>{detail}</Said>
                          </li>
                        ))}
                      </ul>
                    ),
                  ],
                  [
                    words.notImported,
                    done.notImported.length === 0 ? undefined : (
                      <Said key="not">{done.notImported.map(({ column }) => column).join(', ')}</Said>
                    ),
                  ],
                ]}
              />
            </div>
          )}
        </Section>
      ) : null}
    </Page>
  );
}
