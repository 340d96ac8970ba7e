import { Suspense, useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useDraft } from '../../data/draft.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { useApi } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/form.tsx';
import { later } from '../../parts/later.tsx';
import { Section } from '../../parts/page.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useGo } from '../../shell/go.tsx';
import { useWords } from '../../words/language.ts';
import { FieldEditor } from './field-editor.tsx';
import styles from './forms.module.css';
import { FormFrame } from './frame.tsx';
import type { FormField, FormWhole, Rule } from './types.ts';

const Preview = later(async () => import('./preview.tsx'));

export default function Builder(): ReactNode {
  return <FormFrame part="build">{(form) => <Build key={`${form.id} ${form.revision}`} of={form} />}</FormFrame>;
}

interface Written {
  readonly name: string;
  readonly fields: readonly FormField[];
  readonly rules: readonly Rule[];
  readonly emails: string;
}

const writtenOf = ({ name, fields, validationRules, notificationEmails }: FormWhole): Written => ({
  name,
  fields,
  rules: validationRules,
  emails: notificationEmails.join(', '),
});

function Build({ of }: { readonly of: FormWhole }): ReactNode {
  const words = useWords().forms;
  const tenant = useTenant();
  const go = useGo();
  const manages = useMay('owner', 'admin', 'developer', 'merchandiser') && of.status !== 'archived';
  const [written, setWritten, forget] = useDraft<Written>(`form ${of.id} ${of.revision}`, writtenOf(of));
  const [open, setOpen] = useState(-1);
  const schema = useApi<{ readonly fields: readonly { readonly key: string; readonly label: string }[] }>(
    'commerce',
    '/api/contact-schema',
  );
  const dirty = JSON.stringify(written) !== JSON.stringify(writtenOf(of));
  const path = `/api/forms/${of.id}`;
  const save = async (): Promise<FormWhole> =>
    api<FormWhole>('studio', path, {
      tenant,
      method: 'PATCH',
      body: {
        name: written.name,
        fields: written.fields,
        validationRules: written.rules,
        notificationEmails: written.emails
          .split(',')
          .map((one) => one.trim())
          .filter((one) => one !== ''),
        ...(written.fields.some(({ mapsTo }) => mapsTo !== undefined) ? { targetEntityType: 'crm_contact' } : {}),
        revision: of.revision,
      },
    });
  const saving = useAct(save, { onDone: forget });
  const publishing = useAct(
    async () => {
      const { revision } = dirty ? await save() : of;
      return api('studio', `${path}/publish`, { tenant, body: { revision } });
    },
    {
      onDone: () => {
        forget();
        go(`/forms/${of.id}/page`);
      },
    },
  );
  const status = useAct(async ([method, verb]: readonly [string, string]) =>
    api('studio', `${path}${verb}`, { tenant, method }),
  );
  const setFields = (fields: readonly FormField[], rules = written.rules): void =>
    setWritten({ ...written, fields, rules: rules.filter(({ field }) => fields.some(({ name }) => name === field)) });
  const move = (at: number, by: number): void => {
    const fields = [...written.fields];
    const [moved] = fields.splice(at, 1);
    if (moved !== undefined) fields.splice(at + by, 0, moved);
    setFields(fields);
    setOpen(open === at ? at + by : -1);
  };
  const add = (): void => {
    const names = new Set(written.fields.map(({ name }) => name.toLowerCase()));
    let at = written.fields.length + 1;
    while (names.has(`field_${at}`)) at += 1;
    setFields([...written.fields, { name: `field_${at}`, label: words.newField, type: 'text', required: false }]);
    setOpen(written.fields.length);
  };
  return (
    <div className={styles['builder']}>
      <div className={styles['stack']}>
        <Section title={words.fields} plain actions={manages ? <Button onClick={add}>{words.addField}</Button> : null}>
          <ol className={styles['fields']}>
            {written.fields.map((field, at) => (
              <FieldEditor
                key={at}
                of={field}
                at={at}
                last={at === written.fields.length - 1}
                rules={written.rules.filter((rule) => rule.field === field.name)}
                custom={schema.data?.fields ?? []}
                mayChange={manages}
                open={open === at}
                onOpen={(on) => setOpen(on ? at : -1)}
                onMove={(by) => move(at, by)}
                onRemove={() => setFields(written.fields.filter((_, place) => place !== at))}
                onChange={(next, rules) =>
                  setFields(
                    written.fields.map((one, place) => (place === at ? next : one)),
                    [...written.rules.filter((rule) => rule.field !== field.name), ...rules],
                  )
                }
              />
            ))}
          </ol>
        </Section>
        {manages ? (
          <Section title={words.settings}>
            <Field
              label={words.name}
              name="name"
              value={written.name}
              onChange={(name) => setWritten({ ...written, name })}
            />
            <Field
              label={words.notify}
              name="emails"
              optional
              hint={words.notifyHint}
              value={written.emails}
              onChange={(emails) => setWritten({ ...written, emails })}
            />
          </Section>
        ) : null}
        <Failure
          error={saving.error ?? publishing.error ?? status.error}
          onProposed={saving.error === null ? undefined : forget}
        />
        {manages ? (
          <div className={styles['row']}>
            <Button kind="first" busy={publishing.isPending} onClick={() => publishing.mutate(undefined)}>
              {dirty ? words.saveAndPublish : words.publish}
            </Button>
            <Button busy={saving.isPending} disabled={!dirty} onClick={() => saving.mutate(undefined)}>
              {words.saveDraft}
            </Button>
            {dirty ? <Button onClick={forget}>{words.discard}</Button> : null}
            {of.status === 'published' ? (
              <Button busy={status.isPending} onClick={() => status.mutate(['POST', '/unpublish'])}>
                {words.unpublish}
              </Button>
            ) : null}
            <Button kind="danger" busy={status.isPending} onClick={() => status.mutate(['DELETE', ''])}>
              {words.archive}
            </Button>
          </div>
        ) : of.status === 'archived' ? (
          <div>
            <Button busy={status.isPending} onClick={() => status.mutate(['POST', '/restore'])}>
              {words.restore}
            </Button>
          </div>
        ) : null}
      </div>
      <div className={styles['beside']}>
        <Section title={words.preview} plain>
          <p className={styles['soft']}>{words.previewLead}</p>
          <Suspense fallback={<Skeleton />}>
            <Preview of={{ fields: written.fields, validationRules: written.rules }} />
          </Suspense>
        </Section>
      </div>
    </div>
  );
}
