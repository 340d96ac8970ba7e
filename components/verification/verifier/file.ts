/** The stand-alone verifier: one file, which ships with every export. */
export const verifierFile = new URL('./steward-audit-verify.mjs', import.meta.url);
