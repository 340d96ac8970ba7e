import { createHmac, hash } from 'node:crypto';

/** What is paid with. It follows from the id, so that a repeated request is told it again and nobody keeps it. */
export const tokenText = (secret: Uint8Array, id: string): string =>
  `vt_${createHmac('sha256', secret).update(`acp payment token ${id}`).digest('hex')}`;

export const tokenHash = (text: string): Buffer => hash('sha256', text, 'buffer');
