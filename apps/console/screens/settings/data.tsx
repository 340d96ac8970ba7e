import { useState, type ReactNode } from 'react';
import { addressOf, api, type Place } from '../../data/api.ts';
import { dayOf } from '../../data/moment.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { useWords } from '../../words/language.ts';
import styles from './settings.module.css';
import { SettingsTabs } from './tabs.tsx';

/** Everything of the organization to take along, and what keeps it from being erased. */
export default function Data(): ReactNode {
  const { settings: words, shell } = useWords();
  const tenant = useTenant();
  const today = dayOf(Date.now());
  const period = { from: `${today.slice(0, 4)}-01-01`, to: today };
  const file = (place: Place, path: string, query = {}): string => addressOf(place, path, { tenant, query });
  const books = [
    [words.accounts, file('accounting', '/api/export/accounts.csv')],
    [words.parties, file('accounting', '/api/export/parties.csv')],
    [words.documents, file('accounting', '/api/export/documents.csv')],
    [words.payments, file('accounting', '/api/export/payments.csv')],
    [words.allocations, file('accounting', '/api/export/allocations.csv')],
    [words.bankLines, file('accounting', '/api/export/bank-lines.csv')],
    [words.journal, file('accounting', '/api/reports/journal.csv', period)],
    [words.products, file('commerce', '/api/products.csv')],
  ] as const;
  return (
    <Page title={shell.settings} part={words.data} lead={words.dataLead} bar={<SettingsTabs />}>
      <Section title={words.log}>
        <p>{words.logLead}</p>
        <div className={styles['downloads']}>
          <a href={file('accounting', '/api/audit/export', { format: 'jsonl' })} download>
            {words.logLines}
          </a>
          <a href={file('accounting', '/api/audit/export', { format: 'csv' })} download>
            {words.logCsv}
          </a>
          <a href={file('accounting', '/api/audit/verifier')} download>
            {words.verifier}
          </a>
        </div>
      </Section>
      <Section title={words.tables}>
        <div className={styles['downloads']}>
          {books.map(([name, address]) => (
            <a key={address} href={address} download>
              {name}
            </a>
          ))}
        </div>
      </Section>
      <Hold />
    </Page>
  );
}

interface Held {
  readonly hold: { readonly reason: string; readonly placed_by: string; readonly placed_at: string } | null;
}

function Hold(): ReactNode {
  const { settings: words } = useWords();
  const tenant = useTenant();
  const may = useMay('owner', 'admin');
  const held = useApi<Held>('accounting', '/api/audit/hold', { enabled: may });
  const [asking, setAsking] = useState<'place' | 'release'>();
  const close = (): void => setAsking(undefined);
  const place = useAct(
    async (body: Readonly<Record<string, string>>) =>
      api('accounting', '/api/audit/hold', { tenant, method: 'PUT', body }),
    { onDone: close },
  );
  const release = useAct(async () => api('accounting', '/api/audit/hold', { tenant, method: 'DELETE' }));
  if (!may) return null;
  return (
    <Section title={words.hold}>
      <p>{words.holdLead}</p>
      <Loaded query={held} lines={2}>
        {({ hold }) =>
          hold === null ? (
            <div>
              <Button onClick={() => setAsking('place')}>{words.placeHold}</Button>
            </div>
          ) : (
            <>
              <Facts
                of={[
                  [words.reason, <Said key="reason">{hold.reason}</Said>],
                  [words.who, <Said key="who">{hold.placed_by}</Said>],
                  [words.since, <Moment key="since" at={hold.placed_at} />],
                ]}
              />
              <div>
                <Button kind="danger" onClick={() => setAsking('release')}>
                  {words.releaseHold}
                </Button>
              </div>
            </>
          )
        }
      </Loaded>
      {asking === 'place' ? (
        <Dialog title={words.placeHold} onClose={close}>
          <Form
            submit={words.placeHold}
            error={place.error}
            busy={place.isPending}
            onCancel={close}
            onSubmit={(values) => place.mutate(values)}
          >
            <Field label={words.reason} name="reason" />
          </Form>
        </Dialog>
      ) : null}
      {asking === 'release' ? (
        <Confirm
          title={words.releaseHold}
          act={release}
          onConfirm={() => release.mutate(undefined, { onSuccess: () => setAsking(undefined) })}
          submit={words.releaseHold}
          danger
          onClose={close}
        >
          {words.releaseHint}
        </Confirm>
      ) : null}
    </Section>
  );
}
