import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi } from '../../data/queries.ts';
import { useSession } from '../../data/session.ts';
import { useAct } from '../../data/step-up.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Snippet } from '../../parts/copy.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { useWords } from '../../words/language.ts';
import styles from './forms.module.css';
import { FormFrame } from './frame.tsx';
import type { FormWhole, Site } from './types.ts';

export default function OnPage(): ReactNode {
  return <FormFrame part="onPage">{(form) => <Embed of={form} />}</FormFrame>;
}

function Embed({ of }: { readonly of: FormWhole }): ReactNode {
  const words = useWords().forms;
  const tenant = useTenant();
  const { addresses, production } = useSession();
  const manages = useMay('owner', 'admin', 'developer', 'merchandiser');
  const [key, setKey] = useState('');
  const site = useApi<Site>('studio', `/api/sites/${of.siteId}`);
  const issue = useAct(
    async (mode: 'live' | 'test') =>
      api<{ key: string }>('studio', `/api/sites/${of.siteId}/keys`, {
        tenant,
        body: { mode, label: of.name.slice(0, 60) },
      }),
    { onDone: (made) => setKey(made.key) },
  );
  const allow = useAct(async (origins: readonly string[]) =>
    api('studio', `/api/sites/${of.siteId}`, { tenant, method: 'PATCH', body: { origins } }),
  );
  if (of.activeVersion === null)
    return <Empty title={words.notPublished} action={<ButtonLink to={`/forms/${of.id}`}>{words.build}</ButtonLink>} />;
  const shown = key === '' ? 'pk_live_…' : key;
  const example = new URL(`${addresses.commerce}/example`);
  example.searchParams.set('form', of.id);
  example.searchParams.set('key', key);
  return (
    <div className={styles['stack']}>
      <Section title={words.snippet}>
        <p className={styles['soft']}>{words.snippetLead}</p>
        <Snippet
          label={words.snippet}
          text={`<script type="module" src="${addresses.storefront}/sdk.js"></script>\n<storefront-form form-id="${of.id}" sdk-key="${shown}"></storefront-form>`}
        />
        {issue.data === undefined ? null : <p role="status">{words.keyOnce}</p>}
        <Field label={words.keyFor} name="key" value={key} onChange={setKey} hint={words.ownKey} />
        {manages ? (
          <div className={styles['row']}>
            <Button kind="first" busy={issue.isPending} onClick={() => issue.mutate('live')}>
              {words.issueLive}
            </Button>
            <Button busy={issue.isPending} onClick={() => issue.mutate('test')}>
              {words.issueTest}
            </Button>
          </div>
        ) : null}
        <Failure error={issue.error} />
        {production || key === '' ? null : (
          <p>
            <a href={example.href} target="_blank" rel="noreferrer">
              {words.tryIt}
            </a>
          </p>
        )}
      </Section>
      <Section title={words.origins}>
        <Loaded query={site}>
          {({ origins }) => (
            <>
              {origins.length === 0 ? <p>{words.noOrigins}</p> : null}
              <ul>
                {origins.map((one) => (
                  <li key={one}>
                    <code>
                      <Said>{one}</Said>
                    </code>
                  </li>
                ))}
              </ul>
              {manages ? (
                <Form
                  submit={words.allow}
                  busy={allow.isPending}
                  error={allow.error}
                  onSubmit={({ origin = '' }, _form) => allow.mutate([...origins, origin])}
                >
                  <Field label={words.origin} name="origin" kind="url" pointer="/origins" hint={words.originHint} />
                </Form>
              ) : null}
            </>
          )}
        </Loaded>
      </Section>
    </div>
  );
}
