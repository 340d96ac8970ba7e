/** The command line was not understood: exit code 2 and the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What concerns the command that was called; everything where none is meant. */
export function usageOf([command = '', action = '']: readonly string[]): string {
  const blocks = usage.split(/\n(?=\s*\n| {2}\S)/);
  const meant = blocks.filter((block) => block.startsWith(`\n  ${command} `) || block.startsWith(`  ${command} `));
  const exact = meant.filter((block) => block.trimStart().startsWith(`${command} ${action} `));
  const shown = exact.length > 0 ? exact : meant;
  return shown.length === 0
    ? usage
    : ['Usage: steward <command>\n', ...shown.map((block) => block.trimEnd())].join('\n');
}

const usage = `Usage: steward <command>

  token --user alice@example.com     a token of that person for the running instance
        --client ci-bot              a machine's token
        --agent assistant-1          with --user: an agent acting for that person
        --approver                   with --user: may decide pending actions, and appoint
        --scope "openid mcp:read"    instead of the default scopes
        --tenant <id>                bound to one tenant
        --lifetime 3600              seconds
  token --service NAME               a platform service token and its SERVICE_TOKENS entry
  audit verify                       the source against the archive; exit 0 verified, 1 findings, 3 could not be verified
               [--tenant <id>]       of this tenant only
               [--archive ADDRESS]   instead of AUDIT_ARCHIVE: file:folder or s3://bucket/prefix
               [--key KEY]           trusts this public key, or a file of them, instead of the database's
               [--canonical]         also canonicalizes every text again
               [--workers n]         threads; as many as there are processors
               [--accept-incarnation n]      restored backups up to this number are known
               [--fresh-within days]         so many days may be over and unsealed: 3
               [--json]              machine-readable
               --offline --archive ADDRESS --key KEY         the archive by itself, without any database
               --proof FILE --key KEY [--archive ADDRESS]    one event's proof
  audit status [--json]              how far days are sealed, and what is in the way; exit 1 where something is
  audit seal --day 2026-03-01        seals every UTC day up to this one that is over
             [--tenant <id>]         of this tenant only
  audit proof --event <id>           the proof that it stands in a sealed day
              [--tenant <id>]        where it is known, it is found sooner
              [--format tlog-proof]  as C2SP has it, instead of JSON
              [--out FILE]           a new file instead of stdout
  audit receipt [--file FILE]        checks an event with its receipt, as it was answered, against the chain; else from stdin
                [--key steward/audit+…] [--tenant <id>] [--json]
  audit claim --reason "…"           the archive is this database's from now on: after a backup was restored, or a move
  audit export --tenant <id>         its events, with the verifier and the public keys
               --out FOLDER
               [--format csv]        instead of JSON Lines
               [--from 2026-03-01] [--to 2026-03-31]      received in; days, or times of RFC 3339
               [--type commerce.order.*] [--grammar …] [--principal user:alice] [--resource …]
               [--correlation …] [--cause …] [--sequence-from n] [--sequence-to n]
  audit erase --tenant <id>          destroys the key of a subject's personal data
              --subject <id>         as payloads name it
              --reason "…"           recorded for ever, so without naming anybody
        --from-archive [--tenant <id>] [--since 2026-03-01]    again, people too, after a restored backup
  audit hold --tenant <id>           the legal hold, under which nothing is erased or expires
             [--reason "…"]          places one
             [--release]             ends it
  audit expire [--tenant <id>]       removes archived rows older than AUDIT_RETENTION_DAYS
               [--dry-run]           says which
  audit keys                         the public keys that verifiers take, the current one last
  audit rotate-key [--lost]          a new signing key, vouched for by the present one unless that is lost
  audit rewrap                       wraps the keys of personal data with the first of AUDIT_MASTER_KEY
               [--lost <id>]         erases what only this lost master key opens
  bus status [--json]                how far each consumer of events is; exit 1 where something waits for you
  bus dead-letters                   events that were given up, and those that hold a parked tenant
                   [--consumer NAME] [--tenant <id>] [--limit n] [--json]
  bus retry --consumer NAME          dead letters are tried again, and parked tenants go on
            [--tenant <id>] [--event <id>]
  bus acknowledge --consumer NAME    what it had passed over is known
  bus replay --consumer NAME         it has events again, from one of these on
             --from-time 2026-03-01T12:00:00Z | --from-event <id> | --from-beginning
             [--tenant <id>]         of this tenant only
  bus prune --before 2026-03-01      removes older events, unless a consumer still needs one
  bus forget --consumer NAME         drops the place of a consumer that is no more
  mail status [--json]               letters that wait, were sent or were given up, over all tenants
  mail retry [--tenant <id>]         letters given up in the last seven days are due again
             [--reason smtp_550]     those given up for this reason only
  mail bounced <Message-ID>          a letter came back: its tenant is told, and the address left alone
  contact erase --tenant <id>        erases a person: contact, submissions, letters about it that wait
                --contact <id>       with all that were merged into it
                --submission <id>    instead: what one submission says
                [--reason requested] consent_withdrawn, objection, no_longer_needed, unlawful, legal_obligation
  tenant tier --tenant <id>          moves a tenant to a billing tier, at once
              --tier community       free, community, or one of PLANS
  demo                               the whole journey against a throw-away instance
  migrate                            brings DATABASE_OWNER_URL to the present schema

The instance is found by DATA_DIR (default .data); a token is the last line of the output.`;
