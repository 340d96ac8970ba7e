import type { fulfilmentStatuses, paymentStatuses, statuses } from '../words.ts';
import type { manualMethods } from '../payments/handlers/manual.ts';
import type { Language } from './format.ts';
import type { brandPages } from './shown.ts';

/** What readers are told, in one language. Subjects contain nothing but these words and an order's number. */
export interface Words {
  /** What the picture beside the name of a brand is. */
  readonly logo: (brand: string) => string;
  /** Above everything of an order that is a test. */
  readonly test: string;
  readonly subject: {
    readonly placed: (order: string) => string;
    readonly shipped: (order: string) => string;
    readonly delivered: (order: string) => string;
    readonly cancelled: (order: string) => string;
    readonly refunded: (order: string) => string;
    /** A refund of which no money moves. */
    readonly credited: (order: string) => string;
    readonly edited: (order: string) => string;
  };
  readonly intro: {
    readonly placed: (order: string, at: string) => string;
    readonly shipped: (order: string, at: string) => string;
    readonly delivered: (order: string, at: string) => string;
    readonly cancelled: (order: string, at: string) => string;
    readonly refunded: (order: string, at: string) => string;
    readonly credited: (order: string, at: string) => string;
    readonly edited: (order: string, at: string) => string;
  };
  /** To whoever runs the shop. */
  readonly merchant: {
    readonly placed: (order: string) => string;
    readonly edited: (order: string) => string;
    readonly placedOn: (order: string, at: string) => string;
    readonly editedOn: (order: string, at: string) => string;
    readonly payment: (state: string) => string;
    readonly buyer: string;
    readonly note: string;
    readonly console: string;
    readonly asBuyer: string;
    readonly unchecked: string;
    readonly confirm: string;
    readonly end: string;
  };
  readonly order: (order: string) => string;
  readonly placedAt: string;
  readonly state: string;
  readonly items: string;
  readonly shipment: string;
  readonly discount: string;
  readonly subtotal: string;
  readonly shipping: string;
  readonly tax: (percentage: string) => string;
  readonly taxContained: (percentage: string) => string;
  readonly reverseCharge: string;
  readonly total: string;
  readonly paid: string;
  readonly refunded: string;
  /** The sum of one refund. */
  readonly refund: string;
  /** What is given back beside lines and shipping. */
  readonly adjustment: string;
  /** What is given back since an edit left it over. */
  readonly overpaid: string;
  /** What was taken back of an order before it was paid. */
  readonly credited: string;
  readonly leftToPay: string;
  readonly leftToGiveBack: string;
  /** Above what an edit changed of the total, and by how much. */
  readonly changed: string;
  readonly differs: string;
  readonly givenBack: string;
  readonly givenBackBy: Readonly<Record<'merchant' | 'handler', (amount: string) => string>>;
  readonly shipTo: string;
  readonly billTo: string;
  /** How it is to be paid. */
  readonly toPay: string;
  /** What a transfer is to say, so that the bank's line is found. */
  readonly payReference: (number: string) => string;
  /** Until when, and what becomes of the order else. */
  readonly payBy: (day: string) => string;
  /** Why an order that nobody paid is cancelled, and what is to do else. */
  readonly missedDay: (day: string) => string;
  readonly methods: Readonly<Record<(typeof manualMethods)[number], string>>;
  readonly tracking: string;
  readonly track: string;
  /** Pages of the brand, below all else. */
  readonly pages: Readonly<Record<(typeof brandPages)[number], string>>;
  /** Above links to invoices and credit notes. */
  readonly papers: string;
  readonly paper: Readonly<Record<'invoice' | 'credit_note', string>>;
  /** The invoice that a test would have. */
  readonly preview: string;
  readonly look: string;
  /** Why somebody gets this letter, and that nothing is to be done about it. */
  readonly why: string;
  readonly gone: readonly [title: string, text: string];
  readonly status: Readonly<Record<(typeof statuses)[number], string>>;
  readonly payment: Readonly<Record<(typeof paymentStatuses)[number], string>>;
  readonly fulfilment: Readonly<Record<(typeof fulfilmentStatuses)[number], string>>;
}

export const wordsIn: Readonly<Record<Language, Words>> = {
  en: {
    logo: (brand) => `Logo of ${brand}`,
    test: 'TEST: this order was made with a test key. Nothing is sold, sent or charged.',
    subject: {
      placed: (order) => `Your order ${order}`,
      shipped: (order) => `Your order ${order} is on its way`,
      delivered: (order) => `Your order ${order} has arrived`,
      cancelled: (order) => `Your order ${order} is cancelled`,
      refunded: (order) => `Refund for your order ${order}`,
      credited: (order) => `Less to pay for your order ${order}`,
      edited: (order) => `Your order ${order} was changed`,
    },
    intro: {
      placed: (order, at) => `Thank you. Your order ${order} was received on ${at}.`,
      shipped: (order, at) => `This part of your order ${order} left on ${at}.`,
      delivered: (order, at) => `This part of your order ${order} was delivered on ${at}.`,
      cancelled: (order, at) => `Your order ${order} was cancelled on ${at}. Nothing more of it will be sent.`,
      refunded: (order, at) => `A refund for your order ${order} was approved on ${at}.`,
      credited: (order, at) => `Since ${at} you have less to pay for your order ${order}.`,
      edited: (order, at) => `Your order ${order} was changed on ${at}. This is how it stands now.`,
    },
    merchant: {
      placed: (order) => `New order ${order}`,
      edited: (order) => `Order ${order} was edited`,
      placedOn: (order, at) => `Order ${order} was placed on ${at}.`,
      editedOn: (order, at) => `Order ${order} was edited on ${at}.`,
      payment: (state) => `${state}.`,
      buyer: 'Buyer',
      note: 'Note',
      console: 'The order in the console',
      asBuyer: 'The order, as its buyer sees it',
      unchecked: 'The buyer typed the name, the addresses and the note. Nobody has checked them.',
      confirm: 'Confirm that you want these letters',
      end: 'End these letters',
    },
    order: (order) => `Order ${order}`,
    placedAt: 'Placed',
    state: 'Status',
    items: 'Items',
    shipment: 'Sent',
    discount: 'Discount',
    subtotal: 'Subtotal',
    shipping: 'Shipping',
    tax: (percentage) => `Tax ${percentage}`,
    taxContained: (percentage) => `including tax ${percentage}`,
    reverseCharge: 'Reverse charge: the recipient owes the tax.',
    total: 'Total',
    paid: 'Paid',
    refunded: 'Refunded',
    refund: 'Refund',
    adjustment: 'Other amount',
    overpaid: 'Paid too much',
    credited: 'No longer to pay',
    leftToPay: 'Still to pay',
    leftToGiveBack: 'To be given back',
    changed: 'What changes',
    differs: 'Difference',
    givenBack: 'How you get the money',
    givenBackBy: {
      merchant: (amount) => `${amount}: the shop transfers it to you.`,
      handler: (amount) => `${amount}: to the means by which you paid.`,
    },
    shipTo: 'Delivery address',
    billTo: 'Billing address',
    toPay: 'How to pay',
    payReference: (number) => `Reference: ${number}`,
    payBy: (day) => `Please pay by ${day}. An order that has not been paid by then is cancelled.`,
    missedDay: (day) => `No payment had arrived by ${day}. If you have paid, please tell the shop.`,
    methods: { invoice: 'Invoice', bank_transfer: 'Bank transfer', cash_on_delivery: 'Cash on delivery' },
    tracking: 'Tracking number',
    track: 'Track the parcel',
    pages: {
      terms: 'Terms of sale',
      privacy: 'Privacy',
      returns: 'Returns and refunds',
      shipping: 'Shipping',
      faq: 'Questions and answers',
    },
    papers: 'Documents',
    paper: { invoice: 'Invoice', credit_note: 'Credit note' },
    preview: 'TEST: preview of the invoice',
    look: 'See your order',
    why: 'Somebody gave this address with the order. If it was not you, you need not do anything.',
    gone: [
      'This order is not here',
      'The link is not complete, or the order is no longer kept. Use the link of the letter as it is.',
    ],
    status: { open: 'Open', closed: 'Completed', cancelled: 'Cancelled' },
    payment: {
      pending: 'Payment pending',
      authorized: 'Payment authorized',
      partially_paid: 'Partially paid',
      paid: 'Paid',
      partially_refunded: 'Partially refunded',
      refunded: 'Refunded',
      voided: 'Payment voided',
    },
    fulfilment: {
      unfulfilled: 'Not yet sent',
      partially_fulfilled: 'Partially sent',
      fulfilled: 'Sent',
      partially_returned: 'Partially returned',
      returned: 'Returned',
    },
  },
  de: {
    logo: (brand) => `Logo von ${brand}`,
    test: 'TEST: Diese Bestellung wurde mit einem Testschlüssel aufgegeben. Nichts wird verkauft, versandt oder abgebucht.',
    subject: {
      placed: (order) => `Ihre Bestellung ${order}`,
      shipped: (order) => `Ihre Bestellung ${order} ist unterwegs`,
      delivered: (order) => `Ihre Bestellung ${order} ist angekommen`,
      cancelled: (order) => `Ihre Bestellung ${order} wurde storniert`,
      refunded: (order) => `Erstattung zu Ihrer Bestellung ${order}`,
      credited: (order) => `Gutschrift zu Ihrer Bestellung ${order}`,
      edited: (order) => `Ihre Bestellung ${order} wurde geändert`,
    },
    intro: {
      placed: (order, at) => `Vielen Dank. Ihre Bestellung ${order} ist am ${at} eingegangen.`,
      shipped: (order, at) => `Dieser Teil Ihrer Bestellung ${order} wurde am ${at} versandt.`,
      delivered: (order, at) => `Dieser Teil Ihrer Bestellung ${order} wurde am ${at} zugestellt.`,
      cancelled: (order, at) =>
        `Ihre Bestellung ${order} wurde am ${at} storniert. Es wird nichts mehr davon versandt.`,
      refunded: (order, at) => `Am ${at} wurde eine Erstattung zu Ihrer Bestellung ${order} veranlasst.`,
      credited: (order, at) => `Seit dem ${at} haben Sie für Ihre Bestellung ${order} weniger zu zahlen.`,
      edited: (order, at) => `Ihre Bestellung ${order} wurde am ${at} geändert. So sieht sie jetzt aus.`,
    },
    merchant: {
      placed: (order) => `Neue Bestellung ${order}`,
      edited: (order) => `Bestellung ${order} wurde geändert`,
      placedOn: (order, at) => `Die Bestellung ${order} ist am ${at} eingegangen.`,
      editedOn: (order, at) => `Die Bestellung ${order} wurde am ${at} geändert.`,
      payment: (state) => `${state}.`,
      buyer: 'Käufer',
      note: 'Bemerkung',
      console: 'Die Bestellung in der Konsole',
      asBuyer: 'Die Bestellung, wie ihr Käufer sie sieht',
      unchecked: 'Der Käufer hat Name, Adressen und Bemerkung eingegeben. Niemand hat sie geprüft.',
      confirm: 'Bestätigen, dass Sie diese E-Mails wünschen',
      end: 'Diese E-Mails abbestellen',
    },
    order: (order) => `Bestellung ${order}`,
    placedAt: 'Bestellt',
    state: 'Stand',
    items: 'Artikel',
    shipment: 'Versandt',
    discount: 'Rabatt',
    subtotal: 'Zwischensumme',
    shipping: 'Versand',
    tax: (percentage) => `Steuer ${percentage}`,
    taxContained: (percentage) => `darin Steuer ${percentage}`,
    reverseCharge: 'Steuerschuldnerschaft des Leistungsempfängers.',
    total: 'Summe',
    paid: 'Bezahlt',
    refunded: 'Erstattet',
    refund: 'Erstattung',
    adjustment: 'Weiterer Betrag',
    overpaid: 'Zu viel bezahlt',
    credited: 'Nicht mehr zu zahlen',
    leftToPay: 'Noch zu zahlen',
    leftToGiveBack: 'Noch zu erstatten',
    changed: 'Was sich ändert',
    differs: 'Differenz',
    givenBack: 'So erhalten Sie das Geld',
    givenBackBy: {
      merchant: (amount) => `${amount}: Der Shop überweist es Ihnen.`,
      handler: (amount) => `${amount}: auf das Zahlungsmittel, mit dem Sie bezahlt haben.`,
    },
    shipTo: 'Lieferadresse',
    billTo: 'Rechnungsadresse',
    toPay: 'Bezahlung',
    payReference: (number) => `Verwendungszweck: ${number}`,
    payBy: (day) =>
      `Bitte zahlen Sie bis zum ${day}. Eine Bestellung, die bis dahin nicht bezahlt ist, wird storniert.`,
    missedDay: (day) =>
      `Bis zum ${day} war keine Zahlung eingegangen. Falls Sie bezahlt haben, wenden Sie sich bitte an den Shop.`,
    methods: { invoice: 'Rechnung', bank_transfer: 'Überweisung', cash_on_delivery: 'Nachnahme' },
    tracking: 'Sendungsnummer',
    track: 'Sendung verfolgen',
    pages: {
      terms: 'Verkaufsbedingungen',
      privacy: 'Datenschutz',
      returns: 'Rückgabe und Erstattung',
      shipping: 'Versand',
      faq: 'Fragen und Antworten',
    },
    papers: 'Dokumente',
    paper: { invoice: 'Rechnung', credit_note: 'Gutschrift' },
    preview: 'TEST: Vorschau der Rechnung',
    look: 'Bestellung ansehen',
    why: 'Diese Adresse wurde bei der Bestellung angegeben. Wenn Sie das nicht waren, müssen Sie nichts tun.',
    gone: [
      'Diese Bestellung gibt es hier nicht',
      'Der Link ist unvollständig, oder die Bestellung wird nicht mehr aufbewahrt. Verwenden Sie den Link aus der E-Mail unverändert.',
    ],
    status: { open: 'Offen', closed: 'Abgeschlossen', cancelled: 'Storniert' },
    payment: {
      pending: 'Zahlung ausstehend',
      authorized: 'Zahlung autorisiert',
      partially_paid: 'Teilweise bezahlt',
      paid: 'Bezahlt',
      partially_refunded: 'Teilweise erstattet',
      refunded: 'Erstattet',
      voided: 'Zahlung aufgehoben',
    },
    fulfilment: {
      unfulfilled: 'Noch nicht versandt',
      partially_fulfilled: 'Teilweise versandt',
      fulfilled: 'Versandt',
      partially_returned: 'Teilweise zurückgesandt',
      returned: 'Zurückgesandt',
    },
  },
  es: {
    logo: (brand) => `Logotipo de ${brand}`,
    test: 'PRUEBA (TEST): este pedido se hizo con una clave de prueba. No se vende, envía ni cobra nada.',
    subject: {
      placed: (order) => `Su pedido ${order}`,
      shipped: (order) => `Su pedido ${order} está en camino`,
      delivered: (order) => `Su pedido ${order} ha llegado`,
      cancelled: (order) => `Su pedido ${order} se ha cancelado`,
      refunded: (order) => `Reembolso de su pedido ${order}`,
      credited: (order) => `Menos que pagar por su pedido ${order}`,
      edited: (order) => `Su pedido ${order} se ha modificado`,
    },
    intro: {
      placed: (order, at) => `Gracias. Recibimos su pedido ${order} el ${at}.`,
      shipped: (order, at) => `Esta parte de su pedido ${order} se envió el ${at}.`,
      delivered: (order, at) => `Esta parte de su pedido ${order} se entregó el ${at}.`,
      cancelled: (order, at) => `Su pedido ${order} se canceló el ${at}. No se enviará nada más de él.`,
      refunded: (order, at) => `El ${at} se aprobó un reembolso de su pedido ${order}.`,
      credited: (order, at) => `Desde el ${at} le queda menos por pagar de su pedido ${order}.`,
      edited: (order, at) => `Su pedido ${order} se modificó el ${at}. Así queda ahora.`,
    },
    merchant: {
      placed: (order) => `Nuevo pedido ${order}`,
      edited: (order) => `El pedido ${order} se ha modificado`,
      placedOn: (order, at) => `El pedido ${order} se hizo el ${at}.`,
      editedOn: (order, at) => `El pedido ${order} se modificó el ${at}.`,
      payment: (state) => `${state}.`,
      buyer: 'Comprador',
      note: 'Nota',
      console: 'El pedido en la consola',
      asBuyer: 'El pedido, como lo ve su comprador',
      unchecked: 'El comprador escribió el nombre, las direcciones y la nota. Nadie los ha comprobado.',
      confirm: 'Confirmar que desea estos correos',
      end: 'Dejar de recibir estos correos',
    },
    order: (order) => `Pedido ${order}`,
    placedAt: 'Fecha',
    state: 'Estado',
    items: 'Artículos',
    shipment: 'Enviado',
    discount: 'Descuento',
    subtotal: 'Subtotal',
    shipping: 'Envío',
    tax: (percentage) => `Impuesto ${percentage}`,
    taxContained: (percentage) => `impuesto incluido ${percentage}`,
    reverseCharge: 'Inversión del sujeto pasivo.',
    total: 'Total',
    paid: 'Pagado',
    refunded: 'Reembolsado',
    refund: 'Reembolso',
    adjustment: 'Otro importe',
    overpaid: 'Pagado de más',
    credited: 'Ya no se paga',
    leftToPay: 'Pendiente de pago',
    leftToGiveBack: 'Pendiente de devolución',
    changed: 'Qué cambia',
    differs: 'Diferencia',
    givenBack: 'Cómo recibe el dinero',
    givenBackBy: {
      merchant: (amount) => `${amount}: la tienda se lo transfiere.`,
      handler: (amount) => `${amount}: al medio con el que pagó.`,
    },
    shipTo: 'Dirección de entrega',
    billTo: 'Dirección de facturación',
    toPay: 'Cómo pagar',
    payReference: (number) => `Concepto: ${number}`,
    payBy: (day) => `Pague hasta el ${day}. Un pedido que no esté pagado para entonces se cancela.`,
    missedDay: (day) =>
      `No se había recibido ningún pago hasta el ${day}. Si ha pagado, póngase en contacto con la tienda.`,
    methods: { invoice: 'Factura', bank_transfer: 'Transferencia bancaria', cash_on_delivery: 'Pago contra reembolso' },
    tracking: 'Número de seguimiento',
    track: 'Seguir el envío',
    pages: {
      terms: 'Condiciones de venta',
      privacy: 'Privacidad',
      returns: 'Devoluciones y reembolsos',
      shipping: 'Envío',
      faq: 'Preguntas y respuestas',
    },
    papers: 'Documentos',
    paper: { invoice: 'Factura', credit_note: 'Nota de crédito' },
    preview: 'PRUEBA: vista previa de la factura',
    look: 'Ver el pedido',
    why: 'Alguien indicó esta dirección en el pedido. Si no fue usted, no tiene que hacer nada.',
    gone: [
      'Este pedido no está aquí',
      'El enlace está incompleto o el pedido ya no se conserva. Use el enlace del correo tal como está.',
    ],
    status: { open: 'Abierto', closed: 'Completado', cancelled: 'Cancelado' },
    payment: {
      pending: 'Pago pendiente',
      authorized: 'Pago autorizado',
      partially_paid: 'Pagado en parte',
      paid: 'Pagado',
      partially_refunded: 'Reembolsado en parte',
      refunded: 'Reembolsado',
      voided: 'Pago anulado',
    },
    fulfilment: {
      unfulfilled: 'Aún no enviado',
      partially_fulfilled: 'Enviado en parte',
      fulfilled: 'Enviado',
      partially_returned: 'Devuelto en parte',
      returned: 'Devuelto',
    },
  },
  ja: {
    logo: (brand) => `${brand}のロゴ`,
    test: 'テスト (TEST): この注文はテスト用キーによるものです。販売、発送、請求は行われません。',
    subject: {
      placed: (order) => `ご注文 ${order}`,
      shipped: (order) => `ご注文 ${order} を発送しました`,
      delivered: (order) => `ご注文 ${order} が配達されました`,
      cancelled: (order) => `ご注文 ${order} はキャンセルされました`,
      refunded: (order) => `ご注文 ${order} の返金`,
      credited: (order) => `ご注文 ${order} のお支払い額の減額`,
      edited: (order) => `ご注文 ${order} が変更されました`,
    },
    intro: {
      placed: (order, at) => `ありがとうございます。ご注文 ${order} を ${at} に承りました。`,
      shipped: (order, at) => `ご注文 ${order} の次の商品を ${at} に発送しました。`,
      delivered: (order, at) => `ご注文 ${order} の次の商品は ${at} に配達されました。`,
      cancelled: (order, at) => `ご注文 ${order} は ${at} にキャンセルされました。今後の発送はありません。`,
      refunded: (order, at) => `ご注文 ${order} の返金を ${at} に手続きしました。`,
      credited: (order, at) => `ご注文 ${order} のお支払い額が ${at} に減額されました。`,
      edited: (order, at) => `ご注文 ${order} は ${at} に変更されました。現在の内容は次のとおりです。`,
    },
    merchant: {
      placed: (order) => `新しい注文 ${order}`,
      edited: (order) => `注文 ${order} が変更されました`,
      placedOn: (order, at) => `注文 ${order} を ${at} に受け付けました。`,
      editedOn: (order, at) => `注文 ${order} は ${at} に変更されました。`,
      payment: (state) => `${state}。`,
      buyer: '購入者',
      note: '備考',
      console: 'コンソールでこの注文を見る',
      asBuyer: '購入者に見える注文のページ',
      unchecked: '名前、住所、備考は購入者が入力したもので、確認されていません。',
      confirm: 'このメールの受信を確認する',
      end: 'このメールを止める',
    },
    order: (order) => `ご注文 ${order}`,
    placedAt: '注文日時',
    state: '状況',
    items: '商品',
    shipment: '発送済みの商品',
    discount: '割引',
    subtotal: '小計',
    shipping: '送料',
    tax: (percentage) => `税 ${percentage}`,
    taxContained: (percentage) => `うち税 ${percentage}`,
    reverseCharge: 'リバースチャージ: 税は受領者が納付します。',
    total: '合計',
    paid: 'お支払い済み',
    refunded: '返金済み',
    refund: '返金額',
    adjustment: 'その他の金額',
    overpaid: '過払い分',
    credited: 'お支払い不要となった金額',
    leftToPay: 'お支払い残額',
    leftToGiveBack: 'ご返金予定額',
    changed: '変更点',
    differs: '差額',
    givenBack: '返金方法',
    givenBackBy: {
      merchant: (amount) => `${amount}: ショップよりお振り込みします。`,
      handler: (amount) => `${amount}: お支払いに使われた方法へ返金します。`,
    },
    shipTo: 'お届け先',
    billTo: 'ご請求先',
    toPay: 'お支払い方法',
    payReference: (number) => `振込時の備考: ${number}`,
    payBy: (day) => `${day}までにお支払いください。期日までにお支払いのないご注文はキャンセルされます。`,
    missedDay: (day) =>
      `${day}までにお支払いを確認できませんでした。お支払い済みの場合は、ショップにお問い合わせください。`,
    methods: { invoice: '請求書払い', bank_transfer: '銀行振込', cash_on_delivery: '代金引換' },
    tracking: '追跡番号',
    track: '荷物を追跡する',
    pages: {
      terms: '販売条件',
      privacy: 'プライバシー',
      returns: '返品と返金',
      shipping: '配送',
      faq: 'よくある質問',
    },
    papers: '書類',
    paper: { invoice: '請求書', credit_note: 'クレジットノート' },
    preview: 'テスト：請求書のプレビュー',
    look: 'ご注文を見る',
    why: 'このアドレスはご注文の際に入力されました。お心当たりがない場合、何もする必要はありません。',
    gone: [
      'この注文は表示できません',
      'リンクが不完全か、注文がすでに保存されていません。メールのリンクをそのままお使いください。',
    ],
    status: { open: '受付済み', closed: '完了', cancelled: 'キャンセル済み' },
    payment: {
      pending: 'お支払い待ち',
      authorized: 'お支払い承認済み',
      partially_paid: '一部お支払い済み',
      paid: 'お支払い済み',
      partially_refunded: '一部返金済み',
      refunded: '返金済み',
      voided: 'お支払い取消',
    },
    fulfilment: {
      unfulfilled: '未発送',
      partially_fulfilled: '一部発送済み',
      fulfilled: '発送済み',
      partially_returned: '一部返品済み',
      returned: '返品済み',
    },
  },
};
