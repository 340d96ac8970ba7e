/** What ids of members name; in the shape that approvals take, of which this component knows nothing. */
export const identityNouns = [
  {
    noun: 'member',
    table: 'identity.member',
    key: 'principal_id',
    keyType: 'text',
    called: 't.principal_id',
  },
] as const;
