import type { ReactNode } from 'react';
import { useDraft } from '../../data/draft.ts';
import { graph } from '../../data/graph.ts';
import { useTenant } from '../../data/organization.ts';
import { useAct } from '../../data/step-up.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { useWords } from '../../words/language.ts';
import { today } from './days.ts';

interface TakeBackProps<Answer> {
  readonly id: string;
  /** What the dialog and its button say. */
  readonly title: string;
  /** What happens, in words. */
  readonly children: ReactNode;
  /** The GraphQL document that does it. */
  readonly by: string;
  /** Besides the id and the day. */
  readonly also?: Readonly<Record<string, unknown>>;
  /** Only what is in the books is taken back on a day. */
  readonly dated?: boolean;
  /** What the journal says of it, where that is asked for. */
  readonly narration?: string;
  readonly onDone?: (answer: Answer) => void;
  readonly onClose: () => void;
}

/** Asks before something is taken back: on which day, and as what. What is typed outlives a login. */
export function TakeBack<Answer>(props: TakeBackProps<Answer>): ReactNode {
  const { id, title, children, by, also = {}, dated = true, narration, onDone, onClose } = props;
  const words = useWords().money;
  const tenant = useTenant();
  const [typed, setTyped, forget] = useDraft(`take back ${id}`, { date: today(), narration });
  const close = (): void => {
    forget();
    onClose();
  };
  const asked = {
    ...also,
    ...(dated ? { date: typed.date } : {}),
    ...(narration === undefined ? {} : { narration: typed.narration }),
  };
  const act = useAct(async () => graph<Answer>(tenant, by, { id, ...asked }), {
    onDone: (answer) => {
      close();
      onDone?.(answer);
    },
  });
  return (
    <Dialog title={title} onClose={close}>
      {children}
      <Form
        onSubmit={() => act.mutate(undefined)}
        error={act.error}
        onProposed={close}
        busy={act.isPending}
        submit={title}
        onCancel={close}
      >
        {dated ? (
          <Field
            label={words.day}
            name="date"
            kind="date"
            value={typed.date}
            onChange={(date) => setTyped({ ...typed, date })}
          />
        ) : null}
        {narration === undefined ? null : (
          <Field
            label={words.narration}
            name="narration"
            value={typed.narration ?? ''}
            onChange={(text) => setTyped({ ...typed, narration: text })}
          />
        )}
      </Form>
    </Dialog>
  );
}
