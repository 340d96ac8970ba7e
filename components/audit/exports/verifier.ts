/** The stand-alone verifier: one file, which ships with every export. */
export const verifierFile = new URL('../verifier/steward-audit-verify.mjs', import.meta.url);
