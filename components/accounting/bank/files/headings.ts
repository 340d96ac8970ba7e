import { normalized } from '@steward/kernel';

/** Which column says what, by its heading; as banks name them where nothing is said. Headings are compared without case. */
export interface CsvColumns {
  readonly date?: string | undefined;
  readonly amount?: string | undefined;
  /** Instead of `amount`: two columns, both without sign. */
  readonly debit?: string | undefined;
  readonly credit?: string | undefined;
  /** Beside an `amount` without sign: whether it came in or went out. */
  readonly direction?: string | undefined;
  /** What became of the movement, such as `PENDING`. */
  readonly status?: string | undefined;
  readonly description?: string | undefined;
  readonly counterparty?: string | undefined;
  readonly reference?: string | undefined;
  readonly id?: string | undefined;
}
/** Where a table has both, the counterparty of what came in is its payer, and of what went out its payee. */
export type Column = keyof CsvColumns | 'currency' | 'payer' | 'payee';

/**
 * What banks call their columns, folded as `fold` does: English, German, French, Spanish, Italian, Portuguese, Dutch, Polish,
 * Swedish, Danish, Norwegian, Finnish, Estonian, Latvian, Lithuanian, Czech, Slovak, Slovene, Croatian, Hungarian, Romanian, Greek,
 * Turkish, Japanese. The first that a file has is taken, so the day of booking comes before the day of value.
 */
const customary: Readonly<Record<Column, readonly string[]>> = {
  date: list(`booking date, booked at, posted date, posting date, date posted, transaction date, buchungstag, buchungsdatum, buchung,
    date de comptabilisation, date comptabilisation, date comptable, date operation, date de l'operation, date d'operation, fecha operacion, fecha de operacion,
    fecha contable, fecha operativa, f. operacion, f. operativa, data contabile, data operazione, data registrazione, data di registrazione, data lancamento, data mov., data movimento,
    data do movimento, boekdatum, boekingsdatum, transactiedatum, transactiondate, data ksiegowania, data operacji, data transakcji, bokforingsdag,
    bokforingsdatum, reskontradatum, bogforingsdato, bogfort, bokfort dato, bokforingsdato, kirjauspaiva, kuupaev, datums, datum zauctovani, datum zauctovani transakce, datum zauctovania, datum provedeni,
    datum knjizenja, datum izvrsenja, dateop,
    konyveles datuma, konyvelesi datum, data inregistrarii, data inregistrare, data tranzactiei, data tranzactie, islem tarihi, tarih, 取引日, お取引日, 取扱日, お取扱日, 日付, 年月日, date, datum, fecha, data, dato, transaktionsdatum, transaktionsdag,
    tapahtumapaiva, ημερομηνια, ημερομηνια συναλλαγης, paivamaara, pvm, completed date, operation date, settlement date, value date, valuta, valutadatum, wertstellung, date de valeur, date valeur, fecha valor, f. valor, f.valor,
    data valuta, data valor, rentedatum, data waluty, valutadag, rentedato, valor, arvopaiva, maksupaiva, datum valute, datum splatnosti, erteknap`),
  amount:
    list(`amount, transaction amount, total amount, credit/debit amount, betrag, umsatz, montant, montant operation, montant de l'operation, montant total, importe, importo, montante, quantia, bedrag, kwota,
    kwota operacji, kwota transakcji, belopp, belob, belop, maara, summa, castka, castka transakce, castka v mene uctu, zauctovana castka,
    ciastka, objem, osszeg, suma, znesek, iznos, ποσο, tutar, islem tutari, 入出金, 入出金額, 取引金額, 金額, valor, value`),
  debit:
    list(`debit, debit amount, withdrawal, withdrawals, paid out, money out, soll, belastung, lastschrift, debito, cargo, cargos,
    dare, addebiti, addebito, uscite, debet, obciazenia, ut av konto, ut fra konto, ut, ud, deebet, debets, vydaje,
    znesek v breme, v breme, isplata, terheles, suma debit, χρεωση, borc, 出金, 出金額, 出金金額, お引出し, お引出金額, 引出金額, 支払金額, 支払い金額, お支払金額, お支払い金額, 払出金額, 払戻金額`),
  credit:
    list(`credit, credit amount, deposit, deposits, paid in, money in, haben, gutschrift, credito, abono, abonos, avere, accrediti, accredito,
    entrate, uznania, inn pa konto, inn til konto, inn, ind, kreedit, kredits, prijmy, znesek v dobro, v dobro, uplata,
    jovairas, suma credit, πιστωση, alacak, 入金, 入金額, 入金金額, お預入れ, お預入金額, 預入金額, 預り金額, 預かり金額, お預り金額, お預かり金額, 受入金額`),
  direction:
    list(`debit/credit, credit/debit, credit debit indicator, debit credit indicator, cr/dr, dr/cr, s/h, soll/haben, soll-haben,
    af bij, af/bij, creditdebet, d/c, d/k, deebet/kreedit, debets/kredits, terheles/jovairas, terheles vagy jovairas, sens, sens de l'operation, debito/credito, credit or debit, debit or credit, 入払区分, 入出金区分, 受払区分, 出入金区分`),
  status:
    list(`status, state, transaction status, booking status, umsatzstatus, buchungsstatus, statut, etat, estado, stato, estado do movimento, stav, stan,
    stav transakce, status transakcji, tila, olek, durum, allapot, stare, contabilizzazione, 状態, ステータス, 処理状況, info`),
  description:
    list(`description, memo, details, transaction details, narrative, particulars, transaction description, verwendungszweck, vorgang/verwendungszweck,
    zahlungsgrund, avisierungstext, notification text, texte de notification, testo di avviso, testo d'avviso, buchungsdetails, buchungs-info,
    buchungstext, beschreibung, beschreibung1, description1, text, libelle complet operation, libelle, libelle operation, detail, concepto, descripcion, descrizione completa, descrizione, descrizione operazioni, descrizione operazione, dettagli, causale, descricao, historico,
    movimiento, detail de l'ecriture, label, lancamento, omschrijving, notifications, mededelingen, mededeling, omschrijving-1, tytul, tytulem, opis, opis operacji, opis transakcji, szczegoly transakcji, beskrivning, rubrik, tekst, tittel,
    beskrivelse, forklaring, viesti, selite, selitys, otsikko, selgitus, informacija sanemejam, paaiskinimai, mokejimo paskirtis,
    zprava pro prijemce, informacia pre prijemcu, popis, popis transakce, namen, opis placanja, kozlemeny, kozlemeny/leiras, descriere,
    descrierea tranzactiei, detalii, detalii tranzactie, περιγραφη, αιτιολογια, aciklama, 摘要内容, 取引内容, お取引内容, お取り扱い内容, 入出金内容, 入出金先内容, 内容, 詳細, 詳細1, 摘要`),
  counterparty:
    list(`name / description, naam / omschrijving, name, payee name, counterparty name, counterparty, merchant, supplierfound, beguenstigter/zahlungspflichtiger,
    beguenstigter / auftraggeber, begunstigter / auftraggeber, begunstigter/zahlungspflichtiger, auftraggeber/empfanger, auftraggeber / empfanger,
    auftraggeber / begunstigter, auftraggeber/begunstigter, auftraggeber / beguenstigter, sender / empfanger, sender/empfanger,
    empfanger/zahlungspflichtiger, auftraggeber/zahlungsempfanger, name zahlungsbeteiligter, partnername, partner name, tiers, nom de la contrepartie,
    controparte, ordinante/beneficiario, beneficiario/ordinante, ordenante/beneficiario, beneficiario/ordenante,
    naam tegenpartij, naam tegenpartij bevat, tegenrekeninghouder, tegenpartij, nadawca/odbiorca, nadawca / odbiorca, odbiorca/zleceniodawca, dane kontrahenta, namn, navn,
    saaja/maksaja, saaja/maksja, saaja/maksja nimi, sanemejs/maksatajs, moketojas/gavejas, nimi, nazev protiuctu, nazev uctu protiuctu,
    platce/prijemce, nazov protiuctu, nazov protistrany, partner neve, partner elnevezese, 取引先, 相手先, 振込依頼人, 振込依頼人名`),
  payer:
    list(`payer, payer name, sender, remitter, auftraggeber, auftraggebername, zahlungspflichtiger, zahlungspflichtige*r, donneur d'ordre, emetteur, ordinante, ordenante,
    ordonator, platitor, betaler, opdrachtgever, nadawca, zleceniodawca, avsandare, avsender, afsender, maksaja, maksja, maksatajs, moketojas, platce, platca, placnik, platitelj`),
  payee:
    list(`payee, beneficiary, recipient, empfanger, empfaenger, empfangername, empfaengername, empfaenger 1, empfanger 1, zahlungsempfanger, zahlungsempfanger*in, begunstigter,
    beguenstigter, beneficiaire, destinataire, beneficiario, destinatario, beneficiar, begunstigde, ontvanger, odbiorca, mottagare, mottaker, modtager, saaja, sanemejs, gavejas,
    prijemce, prijemca, prejemnik, primatelj, alici`),
  reference:
    list(`reference, ref, ref., customer reference, referenz, referenznummer, zahlungsreferenz, kundenreferenz, kundenreferenz (end-to-end), referencia, referencia 1, riferimento,
    kenmerk, betalingskenmerk, gestructureerde mededeling, transactiereferentie, referentie, referens, reference de l'operation, payment reference, check number, cheque number, numer referencyjny, arkivreferanse, viite, viitenumero,
    viitenumber, variabilni symbol, variabilny symbol, vs, referinta, referinta tranzactiei`),
  id: list(
    'id, transaction id, fitid, transaktions-id, transaktions-nr., transaction no., zkb-referenz, transaction reference, identifiant, id transaccion, id transazione, arkistointitunnus, arhiveerimistunnus, nr transakcji, id pohybu, id operace',
  ),
  currency: list(
    'currency, wahrung, waehrung, devise, moneda, divisa, moeda, valuutta, valuuta, valiuta, munt, waluta, mena, mena uctu, devizanem, doviz, ccy, currency code, valuta, valutacode, devies, valutakode, valutakod, wahrungscode, whg, 通貨',
  ),
};

function list(names: string): readonly string[] {
  return names.split(',').map((name) => name.trim().replaceAll(/\s+/g, ' '));
}

/** A heading without case, width, marks on letters, a byte order mark, underscores between words and the `#` of one bank: `#Größe_1` is `grosse 1`. */
export function fold(heading: string): string {
  const plain = normalized(heading.slice(0, 200), 'NFKD')
    .replaceAll(/[\u0300-\u036f\ufeff]/g, '')
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .replaceAll('đ', 'd')
    .replaceAll('ß', 'ss')
    .replaceAll('\u2019', "'")
    .replaceAll('_', ' ')
    .trim()
    .replace(/^#/, '');
  // Kana have their marks beside them until then.
  return normalized(plain, 'NFC');
}

/** Of `amount (eur)`, `betrag in eur`, `montant en euros`, `amount eur`: the name alone. */
function bare(folded: string): string {
  const bracket = folded.indexOf('(');
  const words = (bracket > 0 ? folded.slice(0, bracket) : folded).trim().split(' ');
  if (
    words.length > 1 &&
    /^(?:[a-z]{3}|euros?|euroa|€|\$|£)$/.test(words.at(-1) ?? '') &&
    isMoney(words.at(-1) ?? '')
  ) {
    words.pop();
    if (words.length > 1 && ['in', 'en', 'em', 'w', 'i'].includes(words.at(-1) ?? '')) words.pop();
  }
  return words.join(' ');
}
const isMoney = (word: string): boolean =>
  /^(?:eur|euros?|euroa|usd|gbp|chf|pln|sek|nok|dkk|czk|huf|ron|try|cad|aud|nzd|jpy|brl|inr|€|\$|£)$/.test(word);

/** Customary headings of day and amount that no English ones are like. */
const foreign = new Set(
  (['date', 'amount', 'debit', 'credit'] as const).flatMap((column) =>
    customary[column].filter(
      (name) => !/\b(?:amounts?|dates?|debit|credit|withdrawals?|deposits?|paid|money|posted|booked)\b/.test(name),
    ),
  ),
);

/** The position of each column in a row of headings; -1 if there is none. */
export type Places = Readonly<Record<Column, number>>;

/** The places of a row that has a date and an amount (or debit and credit); undefined for any other row. */
export function placesOf(row: readonly string[], columns: CsvColumns): Places | undefined {
  const folded = row.map(fold);
  const bared = folded.map(bare);
  const place = (field: Column): number => {
    const wanted = field === 'currency' || field === 'payer' || field === 'payee' ? undefined : columns[field];
    if (wanted !== undefined) return folded.indexOf(fold(wanted));
    for (const name of customary[field]) {
      const found = folded.indexOf(name);
      if (found !== -1) return found;
      const near = bared.indexOf(name);
      if (near !== -1) return near;
    }
    return -1;
  };
  const places = Object.fromEntries(
    (Object.keys(customary) as Column[]).map((field) => [field, place(field)]),
  ) as Record<Column, number>;
  // What is named wins over what was only recognized.
  if (columns.amount !== undefined) {
    if (columns.debit === undefined) places.debit = -1;
    if (columns.credit === undefined) places.credit = -1;
  } else if ((columns.debit ?? columns.credit) !== undefined && places.debit !== -1 && places.credit !== -1)
    places.amount = -1;
  if (columns.counterparty !== undefined) [places.payer, places.payee] = [-1, -1];
  const whole = places.date !== -1 && (places.amount !== -1 || (places.debit !== -1 && places.credit !== -1));
  const asked = Object.values(columns).every((name) => name === undefined || folded.includes(fold(name)));
  return whole && asked ? places : undefined;
}

/** Whether the headings of day and amount are of a language that writes the day before the month, as all do here but English, which does both. */
export function isDayBeforeMonth(row: readonly string[], { date, amount, debit, credit }: Places): boolean {
  return [date, amount, debit, credit].some((at) => {
    const name = bare(fold(row[at] ?? ''));
    return foreign.has(name);
  });
}
