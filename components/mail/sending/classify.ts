/** What a failure is about: the address or this email for ever, this email for now, or the mail server and so every email. */
export interface Failure {
  readonly about: 'address' | 'email' | 'moment' | 'server';
  /** For operators: `smtp_550`, `etimedout`, `eauth` … Never the server's words, which name the recipient. */
  readonly reason: string;
}

/** Replies about our login or about the server itself, not about the email: 421 closing, 530 and 535 authentication. */
const ofServer = new Set([421, 530, 534, 535, 538]);

/**
 * Refused at its name, but for the sake of a rule (5.7: relaying denied, blocked), of a full mailbox (5.2.2, 5.2.3, 552) or of the server
 * itself (5.3): those say nothing of the address (RFC 3463 §3).
 */
const isOfAddress = (reply: number, said: string): boolean =>
  reply !== 552 && !/^\d{3}[ -]5\.(?:7\.\d|3\.\d|2\.[23]\b)/.test(said.slice(0, 20));

/**
 * A reply to the recipient or the contents is about the email: 4yz for now, 5yz for ever (RFC 5321 §4.2.1). Anything before
 * that would meet the next email as well: no connection, no login, no TLS, a sender that is refused.
 */
export function classifyFailure(error: unknown): Failure {
  const { code, command, response, responseCode } = error as {
    readonly code?: unknown;
    readonly command?: unknown;
    readonly response?: unknown;
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
    return { about: code === 'EMESSAGE' || code === 'EENVELOPE' ? 'email' : 'server', reason };
  }
  if ((command !== 'RCPT TO' && command !== 'DATA') || ofServer.has(reply)) return { about: 'server', reason };
  if (reply < 500) return { about: 'moment', reason };
  const said = typeof response === 'string' ? response : '';
  return { about: command === 'RCPT TO' && isOfAddress(reply, said) ? 'address' : 'email', reason };
}
