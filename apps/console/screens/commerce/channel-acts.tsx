import type { ReactNode } from 'react';
import { api } from '../../data/api.ts';
import { useTenant } from '../../data/organization.ts';
import { useAct } from '../../data/step-up.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { useWords } from '../../words/language.ts';
import { describing, type Channel, sides } from './channel-types.ts';

interface Asked {
  readonly of: Channel;
  readonly onClose: () => void;
}

/** Which side counts stock, and the other follows. */
export function SetStock({ of, onClose }: Asked): ReactNode {
  const words = useWords().selling.channels;
  return (
    <SetSide of={of} onClose={onClose} what="stock" title={words.setStock}>
      <Field
        label={words.stock}
        name="stock"
        value={of.stock}
        options={sides.map((one) => [one, words.side[one]] as const)}
        hint={words.sideHint}
      />
      {of.shopLocations.length > 1 ? (
        <Field
          label={words.shopLocation}
          name="shopLocationId"
          value={of.shopLocationId ?? of.shopLocations[0]?.id}
          options={of.shopLocations.map(({ id, name }) => [id, name] as const)}
        />
      ) : null}
    </SetSide>
  );
}

/** Which side describes products, and the other follows. */
export function SetProducts({ of, onClose }: Asked): ReactNode {
  const words = useWords().selling.channels;
  return (
    <SetSide of={of} onClose={onClose} what="products" title={words.setProducts}>
      <Field
        label={words.products}
        name="products"
        value={of.products}
        options={describing.map((one) => [one, words.describes[one]] as const)}
        hint={words.describesHint}
      />
    </SetSide>
  );
}

/** Saves the fields, or proposes what they say where people must approve it. */
function SetSide({
  of,
  onClose,
  what,
  title,
  children,
}: Asked & { readonly what: 'stock' | 'products'; readonly title: string; readonly children: ReactNode }): ReactNode {
  const { selling, parts } = useWords();
  const tenant = useTenant();
  const act = useAct(
    async (body: object) => api('commerce', `/api/channels/${of.id}/${what}`, { tenant, method: 'PUT', body }),
    { onDone: onClose },
  );
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{selling.channels.sideLead}</p>
      <Form
        submit={parts.save}
        busy={act.isPending}
        error={act.error}
        onCancel={onClose}
        onProposed={onClose}
        onSubmit={(typed) => act.mutate(typed)}
      >
        {children}
      </Form>
    </Dialog>
  );
}

/** Reads the shop once more. */
export function ImportAgain({ of, onClose }: Asked): ReactNode {
  const words = useWords().selling.channels;
  const tenant = useTenant();
  const act = useAct(async (id: string) => api('commerce', `/api/channels/${id}/import`, { tenant, method: 'POST' }), {
    onDone: onClose,
  });
  return (
    <Confirm
      title={words.importAgain}
      act={act}
      submit={words.importAgain}
      onConfirm={() => act.mutate(of.id)}
      onClose={onClose}
    >
      {words.importLead}
    </Confirm>
  );
}

/** Ends it, until it is connected again. */
export function Disconnect({ of, onClose }: Asked): ReactNode {
  const words = useWords().selling.channels;
  const tenant = useTenant();
  const act = useAct(async (id: string) => api('commerce', `/api/channels/${id}`, { tenant, method: 'DELETE' }), {
    onDone: onClose,
  });
  return (
    <Confirm
      title={words.disconnectTitle(of.name)}
      act={act}
      submit={words.disconnect}
      danger
      onConfirm={() => act.mutate(of.id)}

      onClose={onClose}
    >
      {words.disconnectLead}
    </Confirm>
  );
}
