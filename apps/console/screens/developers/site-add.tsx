import type { ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useChange } from '../../data/change.ts';
import { useTenant } from '../../data/organization.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { useWords } from '../../words/language.ts';

/** A site of the default brand, and the origins whose pages may use its keys. */
export function AddSite({ onClose }: { readonly onClose: () => void }): ReactNode {
  const words = useWords().developers;
  const tenant = useTenant();
  const { bind, act, forget } = useChange(
    'site',
    async ({ name = '', origins = '' }: Readonly<Record<string, string>>) =>
      api('studio', '/api/sites', {
        tenant,
        body: {
          name: name.trim(),
          origins: origins.split(/[\s,、，]+/).filter((one) => one !== ''),
        },
      }),
    onClose,
  );
  return (
    <Dialog title={words.addSite} onClose={onClose}>
      <Form
        submit={words.addSite}
        busy={act.isPending}
        error={act.error}
        onProposed={forget}
        onCancel={onClose}
        onSubmit={(values) => act.mutate(values)}
      >
        <Field label={words.siteName} {...bind('name')} />
        <Field label={words.origins} {...bind('origins')} optional hint={words.originsHint} />
      </Form>
    </Dialog>
  );
}
