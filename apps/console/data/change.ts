import { useDraft } from './draft.ts';
import { useAct } from './step-up.ts';

export type Typed = Readonly<Record<string, string>>;

/**
 * A change of something with a draft that lasts through a login and a reload: sent by the button alone, and closed once it is done.
 * @param name of the draft
 */
export function useChange<Body>(
  name: string,
  send: (body: Body) => Promise<unknown>,
  onClose: () => void,
  initial: Typed = {},
) {
  const [draft, setDraft, forget] = useDraft<Typed>(name, initial);
  const act = useAct(send, {
    onDone: () => {
      forget();
      onClose();
    },
  });
  const bind = (field: string) => ({
    name: field,
    value: draft[field] ?? '',
    onChange: (value: string) => setDraft({ ...draft, [field]: value }),
  });
  return { draft, setDraft, bind, act, forget };
}
