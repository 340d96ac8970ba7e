import type { Cause } from '../actions/action.ts';

/** In which emails to approvers are written. */
export type Language = 'en' | 'de' | 'es' | 'ja';

/** How a thing ends by an action, beside its name. */
interface Fates {
  readonly changed: string;
  readonly gone: string;
}

export interface Words extends Fates {
  /** Of days and times: the month by its name, as 01/12 is another day in another country. */
  readonly locale: string;
  /** A title as the language quotes. */
  readonly quoted: (title: string) => string;
  readonly needed: (title: string) => string;
  readonly agent: string;
  readonly person: string;
  readonly machine: string;
  readonly organization: string;
  readonly asks: (asker: string, command: string) => string;
  readonly over: (title: string) => string;
  readonly withdrawn: (command: string) => string;
  readonly causes: Readonly<Record<Cause, string>>;
  readonly amount: (amount: string) => string;
  readonly about: string;
  readonly more: (count: number) => string;
  readonly final: string;
  readonly see: (address: string) => string;
  readonly decide: (address: string) => string;
  readonly expires: (at: string) => string;
  readonly askers: Readonly<Record<'agent' | 'person' | 'machine', string>>;
}

const en: Words = {
  locale: 'en-GB',
  quoted: (title) => `“${title}”`,
  needed: (title) => `Approval needed: ${title}`,
  agent: 'agent',
  person: 'person',
  machine: 'machine',
  organization: 'organization',
  askers: { agent: 'An agent', person: 'A person', machine: 'A machine' },
  asks: (asker, command) => `${asker} asks for approval of ${command}. Nothing happens before it is approved.`,
  over: (title) => `No longer waits: ${title}`,
  withdrawn: (command) => `${command} was withdrawn. You need not decide any more.`,
  causes: {
    client_shut_out: 'The client that proposed it was shut out.',
    grant_narrowed: 'The grant of the agent that proposed it no longer allows this.',
    member_removed: 'The person who proposed it is no longer a member.',
    grant_missing: 'Each agent needs a grant now, and the agent that proposed it has none.',
  },
  amount: (amount) => `Amount: ${amount}`,
  about: 'For whom and about what (people and agents chose these names: do not trust what they say):',
  changed: 'would change',
  gone: 'would be gone',
  more: (count) => `and ${count} more`,
  final: 'ONCE APPROVED, THIS CANNOT BE UNDONE.',
  see: (address) => `See the action: ${address}`,
  decide: (address) => `See the action and decide: ${address}`,
  expires: (at) => `It expires on ${at}.`,
};

const de: Words = {
  locale: 'de-DE',
  quoted: (title) => `„${title}“`,
  needed: (title) => `Freigabe nötig: ${title}`,
  agent: 'Agent',
  person: 'Mensch',
  machine: 'Maschine',
  organization: 'Organisation',
  askers: { agent: 'Ein Agent', person: 'Ein Mensch', machine: 'Eine Maschine' },
  asks: (asker, command) => `${asker} bittet um Freigabe: ${command}. Vorher geschieht nichts.`,
  over: (title) => `Wartet nicht mehr: ${title}`,
  withdrawn: (command) => `${command} wurde zurückgezogen. Sie brauchen nicht mehr zu entscheiden.`,
  causes: {
    client_shut_out: 'Das Programm, das es vorschlug, wurde ausgesperrt.',
    grant_narrowed: 'Die Rechte des Agenten, der es vorschlug, reichen dafür nicht mehr.',
    member_removed: 'Wer es vorschlug, ist kein Mitglied mehr.',
    grant_missing: 'Jeder Agent braucht jetzt Rechte, und der Agent, der es vorschlug, hat keine.',
  },
  amount: (amount) => `Betrag: ${amount}`,
  about: 'Für wen und worüber (Menschen und Agenten haben diese Namen gewählt: Trauen Sie nicht dem, was darin steht):',
  changed: 'würde geändert',
  gone: 'wäre weg',
  more: (count) => `und ${count} mehr`,
  final: 'EINMAL FREIGEGEBEN, LÄSST SICH DAS NICHT RÜCKGÄNGIG MACHEN.',
  see: (address) => `Ansehen: ${address}`,
  decide: (address) => `Ansehen und entscheiden: ${address}`,
  expires: (at) => `Es läuft ab: ${at}.`,
};

const es: Words = {
  locale: 'es-ES',
  quoted: (title) => `«${title}»`,
  needed: (title) => `Aprobación necesaria: ${title}`,
  agent: 'agente',
  person: 'persona',
  machine: 'máquina',
  organization: 'organización',
  askers: { agent: 'Un agente', person: 'Una persona', machine: 'Una máquina' },
  asks: (asker, command) => `${asker} pide aprobación: ${command}. Antes no ocurre nada.`,
  over: (title) => `Ya no espera: ${title}`,
  withdrawn: (command) => `${command} se retiró. Ya no hace falta que decida.`,
  causes: {
    client_shut_out: 'Se cerró el acceso al programa que lo propuso.',
    grant_narrowed: 'Los permisos del agente que lo propuso ya no alcanzan.',
    member_removed: 'Quien lo propuso ya no es miembro.',
    grant_missing: 'Ahora cada agente necesita permisos, y el que lo propuso no tiene.',
  },
  amount: (amount) => `Importe: ${amount}`,
  about: 'Para quién y sobre qué (personas y agentes eligieron estos nombres: no se fíe de lo que dicen):',
  changed: 'cambiaría',
  gone: 'desaparecería',
  more: (count) => `y ${count} más`,
  final: 'UNA VEZ APROBADO, NO SE PUEDE DESHACER.',
  see: (address) => `Ver: ${address}`,
  decide: (address) => `Ver y decidir: ${address}`,
  expires: (at) => `Caduca: ${at}.`,
};

const ja: Words = {
  locale: 'ja-JP',
  quoted: (title) => `「${title}」`,
  needed: (title) => `承認待ち：${title}`,
  agent: 'エージェント',
  person: '人',
  machine: '機械',
  organization: '組織',
  askers: { agent: 'エージェント', person: 'メンバー', machine: '機械' },
  asks: (asker, command) => `${asker}が承認を求めています：${command}。承認されるまで何も実行されません。`,
  over: (title) => `承認は不要になりました：${title}`,
  withdrawn: (command) => `${command}は取り下げられました。承認の必要はありません。`,
  causes: {
    client_shut_out: '提案したプログラムは締め出されました。',
    grant_narrowed: '提案したエージェントの権限では、もうこれを行えません。',
    member_removed: '提案した人はもうメンバーではありません。',
    grant_missing: '現在は各エージェントに権限が必要ですが、提案したエージェントにはありません。',
  },
  amount: (amount) => `金額：${amount}`,
  about: '誰のため、何について（名前は人やエージェントが付けたものです。内容を信用しないでください）：',
  changed: '変更されます',
  gone: 'なくなります',
  more: (count) => `ほか${count}件`,
  final: '承認すると、取り消せません。',
  see: (address) => `内容を見る：${address}`,
  decide: (address) => `内容を見て決める：${address}`,
  expires: (at) => `期限：${at}`,
};

export const wordsIn: Readonly<Record<Language, Words>> = { en, de, es, ja };
