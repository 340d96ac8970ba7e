import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';

/**
 * What was being written, by its name: it outlives a reload and a login in this tab. What comes of an answer changes it by a
 * function of what is written by then.
 */
export function useDraft<T>(name: string, otherwise: T): [T, Dispatch<SetStateAction<T>>, () => void] {
  const key = `draft ${name}`;
  const [draft, setDraft] = useState<T>(() => {
    const kept = sessionStorage.getItem(key);
    return kept === null ? otherwise : (JSON.parse(kept) as T);
  });
  const [touched, setTouched] = useState(false);
  useEffect(() => {
    if (touched) keep(key, draft);
  }, [key, draft, touched]);
  const forget = (): void => {
    setTouched(false);
    setDraft(otherwise);
    sessionStorage.removeItem(key);
  };
  const change = (next: SetStateAction<T>): void => {
    setTouched(true);
    setDraft(next);
  };
  return [draft, change, forget];
}

/** What is larger than a tab may keep, such as a big file, is not kept: it is there until the page is left. */
function keep(key: string, draft: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(draft));
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'QuotaExceededError')) throw error;
    sessionStorage.removeItem(key);
  }
}
