/** What tabs of one browser tell each other. */
export type Told =
  | { readonly type: 'stepped-up' }
  | { readonly type: 'signed-in'; readonly person: string }
  | { readonly type: 'signed-out' }
  | { readonly type: 'event'; readonly tenant: string; readonly event: Announced };

/** What the stream of events says: nothing but what and where. */
export interface Announced {
  readonly id: string;
  readonly type: string;
  readonly subject?: string;
  readonly time: string;
}

const open = (): BroadcastChannel => new BroadcastChannel('steward-console');

/** To all other tabs, and never to this one. */
export function tell(told: Told): void {
  const channel = open();
  channel.postMessage(told);
  channel.close();
}

/** @returns what ends it */
export function listen(heed: (told: Told) => void): () => void {
  const channel = open();
  channel.addEventListener('message', ({ data }: MessageEvent<Told>) => heed(data));
  return () => channel.close();
}
