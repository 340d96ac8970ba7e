import { useState, type ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useMay, useTenant } from '../../data/organization.ts';
import { usePages } from '../../data/queries.ts';
import { useAct } from '../../data/step-up.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { CursorList } from '../../parts/cursor-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Day } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { Said } from '../../parts/said.tsx';
import { Table } from '../../parts/table.tsx';
import { useWords } from '../../words/language.ts';
import { SettingsTabs } from './tabs.tsx';

interface Brand {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly createdAt: string;
}

type Asking = { readonly what: 'add' } | { readonly what: 'rename' | 'archive'; readonly of: Brand };

/** The names that the organization sells under. */
export default function Brands(): ReactNode {
  const { settings: words, shell, parts } = useWords();
  const tenant = useTenant();
  const may = useMay('owner', 'admin', 'merchandiser');
  const pages = usePages<Brand>('portal', '/api/brands');
  const [asking, setAsking] = useState<Asking>();
  const close = (): void => setAsking(undefined);
  const save = useAct(
    async ({ id, name }: { readonly id?: string; readonly name: string }) =>
      api('portal', id === undefined ? '/api/brands' : `/api/brands/${id}`, {
        tenant,
        method: id === undefined ? 'POST' : 'PATCH',
        body: { name },
      }),
    { onDone: close },
  );
  const archive = useAct(async ({ id }: Brand) => api('portal', `/api/brands/${id}`, { tenant, method: 'DELETE' }));
  const add = (
    <Button kind="first" onClick={() => setAsking({ what: 'add' })}>
      {words.addBrand}
    </Button>
  );
  return (
    <Page
      title={shell.settings}
      part={words.brands}
      lead={words.brandsLead}
      bar={<SettingsTabs />}
      actions={may ? add : undefined}
    >
      <CursorList pages={pages} empty={<Empty title={words.noBrands} prompt={words.noBrandsPrompt} />}>
        {(items) => (
          <Table
            label={words.brands}
            rows={items}
            rowKey={({ id }) => id}
            record={({ id, name }) => ({ title: name, id, place: 'portal', path: '/api/brands' })}
            columns={[
              {
                head: words.name,
                cell: ({ name, isDefault }) => (
                  <>
                    <Said>{name}</Said> {isDefault ? <Badge>{words.default}</Badge> : null}
                  </>
                ),
              },
              { head: words.since, cell: ({ createdAt }) => <Day on={createdAt} /> },
              ...(may
                ? [
                    {
                      head: words.actions,
                      align: 'end' as const,
                      cell: (of: Brand) => (
                        <>
                          <Button onClick={() => setAsking({ what: 'rename', of })}>{words.rename}</Button>{' '}
                          {of.isDefault ? null : (
                            <Button kind="danger" onClick={() => setAsking({ what: 'archive', of })}>
                              {words.archive}
                            </Button>
                          )}
                        </>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </CursorList>
      {asking?.what === 'add' || asking?.what === 'rename' ? (
        <Dialog title={asking.what === 'add' ? words.addBrand : words.rename} onClose={close}>
          <Form
            submit={parts.save}
            error={save.error}
            busy={save.isPending}
            onCancel={close}
            onSubmit={({ name = '' }) => save.mutate(asking.what === 'add' ? { name } : { id: asking.of.id, name })}
          >
            <Field label={words.name} name="name" value={asking.what === 'add' ? '' : asking.of.name} />
          </Form>
        </Dialog>
      ) : null}
      {asking?.what === 'archive' ? (
        <Confirm
          title={words.archive}
          act={archive}
          onConfirm={() => archive.mutate(asking.of, { onSuccess: close })}
          submit={words.archive}
          danger
          onClose={close}
        >
          <Said>{asking.of.name}</Said>: {words.archiveHint}
        </Confirm>
      ) : null}
    </Page>
  );
}
