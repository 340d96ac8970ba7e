/** What a failure is about: this letter for ever, this letter for now, or the mail server and so every letter. */
export interface Judgement {
  readonly about: 'letter' | 'moment' | 'server';
  /** For operators: `smtp_550`, `etimedout`, `eauth` … Never the server's words, which name the recipient. */
  readonly reason: string;
}

/** Replies that tell of our login or of the server's end, not of the letter: 421 closing, 530 and 535 authentication. */
const ofServer = new Set([421, 530, 534, 535, 538]);

/**
 * A reply to the recipient or the contents is about the letter: 4yz for now, 5yz for ever (RFC 5321 §4.2.1). Anything before
 * that would meet the next letter as well: no connection, no login, no TLS, a sender that is refused.
 */
export function judge(error: unknown): Judgement {
  const { code, command, responseCode } = error as {
    readonly code?: unknown;
    readonly command?: unknown;
    readonly responseCode?: unknown;
  };
  const reply = typeof responseCode === 'number' ? responseCode : undefined;
  const reason =
    reply === undefined
      ? String(typeof code === 'string' ? code : 'unknown')
          .toLowerCase()
          .replace(/[^a-z0-9_]/g, '_')
          .slice(0, 40)
      : `smtp_${reply}`;
  if (reply === undefined) {
    // Refused without asking the server: larger than it allows, or an address that cannot be put on an envelope.
    return { about: code === 'EMESSAGE' || code === 'EENVELOPE' ? 'letter' : 'server', reason };
  }
  if ((command !== 'RCPT TO' && command !== 'DATA') || ofServer.has(reply)) return { about: 'server', reason };
  return { about: reply >= 500 ? 'letter' : 'moment', reason };
}
