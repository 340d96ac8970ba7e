interface FieldError {
    /** JSON Pointer into the request's body, such as `/data/email`. */
    readonly pointer: string;
    /** The field the pointer names, where it names one. */
    readonly field: string | undefined;
    readonly code: string;
    readonly detail: string;
}
interface Particulars {
    readonly status: number;
    readonly code: string;
    readonly errors?: readonly FieldError[];
    readonly retryAfter?: number | undefined;
    readonly requestId?: string | undefined;
}
/** What a call to the storefront came to when it did not succeed. */
declare class StorefrontError extends Error {
    readonly name = "StorefrontError";
    /** The answer's HTTP status; 0 when there was none. */
    readonly status: number;
    /** The problem's stable code; `outcome_unknown` when the server cannot tell whether a
     * submission was stored, `network_error` when no answer came, `invalid_answer` when it was not the storefront's. */
    readonly code: string;
    readonly errors: readonly FieldError[];
    /** Seconds to wait before the next try, where the server named them and the page may read it. */
    readonly retryAfter?: number;
    /** Names the request in the server's log. */
    readonly requestId?: string;
    constructor(message: string, particulars: Particulars, cause?: unknown);
}
/** Reads an answer that is no success; what stands before the storefront need not speak in problem documents. */
declare function errorOf(answer: Response): Promise<StorefrontError>;
/** An exact decimal amount with the digits of its currency: `{ amount: '19.99', currency: 'EUR' }`. */
interface Money {
    readonly amount: string;
    readonly currency: string;
}
interface Page<T> {
    readonly items: readonly T[];
    /** Of the next page; null or missing at the end. */
    readonly nextCursor?: string | null;
}
interface ProductPage extends Page<ProductSummary> {
    /** Words of the query that no product has, and those that were looked for in their place. */
    readonly corrections: readonly {
        readonly word: string;
        readonly to: string;
    }[];
    /** Where they were asked for. */
    readonly facets?: readonly Facet[];
}
/** What products are counted by: `price` needs `currency`; `option:Colour` is by the name of an option. */
type FacetName = 'tag' | 'type' | 'vendor' | 'collection' | 'available' | 'price' | `option:${string}`;
interface Facet {
    /** As it was asked for; before a colon, the member of the query that takes its values. */
    readonly name: FacetName;
    /** Of most products first, at most 50, with how many products the list would have if this alone were chosen of the facet. */
    readonly values: readonly {
        readonly value: string;
        readonly label: string;
        readonly count: number;
        readonly chosen: boolean;
    }[];
    /** Whether there are values beside these. */
    readonly more: boolean;
    /** false: only the first 2,000 products are counted. */
    readonly exact: boolean;
    /** Of `price`. */
    readonly range: {
        readonly currency: string;
        readonly lowest: string;
        readonly highest: string;
    } | null;
}
interface ProductImage {
    readonly id?: string;
    /** The largest size. With `?w=640`: the smallest that is at least so wide. */
    readonly url: string;
    readonly alt?: string | null;
    readonly width?: number | null;
    readonly height?: number | null;
    /** The variants that it shows; none: the product as such. */
    readonly variantIds?: readonly string[];
}
interface ProductSummary {
    readonly id: string;
    readonly handle: string;
    readonly title: string;
    readonly vendor: string | null;
    readonly type: string | null;
    readonly tags: readonly string[];
    /** Lowest and highest price for one, over the variants. */
    readonly priceRanges: readonly {
        readonly currency: string;
        readonly lowest: string;
        readonly highest: string;
    }[];
    readonly image?: ProductImage | null;
    /** Whether a variant of it can be bought now. */
    readonly available: boolean;
}
interface Price extends Money {
    readonly minQuantity: number;
    readonly compareAt?: string | null;
}
interface Variant {
    readonly id: string;
    readonly options: Readonly<Record<string, string>>;
    readonly sku: string | null;
    readonly requiresShipping: boolean;
    readonly prices: readonly Price[];
    /** Whether one can be bought now. */
    readonly available: boolean;
}
interface Product {
    readonly id: string;
    readonly handle: string;
    readonly title: string;
    /** Markdown, in which HTML is text. */
    readonly description: string | null;
    readonly vendor: string | null;
    readonly type: string | null;
    readonly tags: readonly string[];
    readonly options: readonly {
        readonly name: string;
        readonly values: readonly string[];
    }[];
    readonly variants: readonly Variant[];
    readonly media?: readonly ProductImage[];
}
type Several = string | readonly string[] | undefined;
/** All of it holds together; of several values of one member, any. */
interface ProductQuery {
    readonly query?: string | undefined;
    readonly tag?: Several;
    readonly type?: Several;
    readonly vendor?: Several;
    readonly collection?: Several;
    /** `Colour:Red`. Of several options, one variant has them all. */
    readonly option?: Several;
    /** Amounts in `currency`, for one piece of a variant. */
    readonly priceFrom?: string | undefined;
    readonly priceTo?: string | undefined;
    readonly currency?: string | undefined;
    /** At most 10, for `ProductPage.facets`. */
    readonly facets?: FacetName | readonly FacetName[] | undefined;
    /** A page may have fewer than `limit`, or none, and a next one. */
    readonly available?: boolean | undefined;
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
}
interface LineInput {
    readonly variantId: string;
    readonly quantity: number;
}
interface Line {
    readonly id: string;
    readonly productId: string;
    readonly variantId: string;
    readonly handle: string;
    readonly title: string;
    readonly options: Readonly<Record<string, string>>;
    readonly sku: string | null;
    readonly quantity: number;
    readonly unitPrice: Money;
    readonly compareAtPrice?: Money | null;
    readonly total: Money;
    readonly available: boolean;
    readonly image?: ProductImage | null;
}
interface Message {
    /** Such as `price_changed`, `quantity_reduced`, `out_of_stock`, `payment_declined`. */
    readonly code: string;
    readonly severity: 'info' | 'warning' | 'error';
    readonly text: string;
    readonly lineId?: string | null;
    readonly pointer?: string | null;
}
interface Discount {
    readonly name: string;
    readonly code: string | null;
    readonly amount: Money;
}
interface Cart {
    readonly id: string;
    readonly status: 'open' | 'converted' | 'cancelled' | 'expired';
    readonly currency: string;
    readonly locale: string | null;
    readonly lines: readonly Line[];
    readonly codes: readonly string[];
    readonly discounts: readonly Discount[];
    readonly itemCount: number;
    readonly subtotal: Money;
    readonly discount: Money;
    /** Null until an address is known. */
    readonly tax: Money | null;
    readonly total: Money;
    readonly pricesIncludeTax: boolean;
    readonly messages: readonly Message[];
    readonly checkoutId: string | null;
}
interface PostalAddress {
    readonly name?: string | null;
    readonly company?: string | null;
    readonly line1: string;
    readonly line2?: string | null;
    readonly city: string;
    readonly region?: string | null;
    readonly postcode?: string | null;
    /** ISO 3166-1 alpha-2. */
    readonly country: string;
    readonly phone?: string | null;
}
interface ShippingOption {
    readonly id: string;
    readonly name: string;
    readonly kind: string;
    /** Before discounts. */
    readonly price: Money;
    /** After them. */
    readonly due: Money;
    readonly minDays: number | null;
    readonly maxDays: number | null;
    readonly locationId: string | null;
}
interface Tax {
    readonly percentage: string | number | null;
    readonly treatment: string;
    readonly net: Money;
    readonly tax: Money;
}
interface PaymentAction {
    readonly kind: string;
    readonly url?: string;
    /** Of the handler for tests: what may be confirmed. */
    readonly outcomes?: readonly string[];
    /** Of the handler for cards: the key that Stripe's own library is opened with. */
    readonly publishableKey?: string;
}
interface PaymentSecrets {
    readonly clientSecret: string;
    readonly publishableKey?: string;
    /** Where the issuer of the card wants to see the buyer. */
    readonly redirectUrl?: string;
}
interface Checkout {
    readonly id: string;
    /** Counts its changes, by whatever page. */
    readonly version: number;
    readonly status: 'open' | 'ready' | 'completing' | 'completed' | 'cancelled' | 'expired';
    readonly mode: 'live' | 'test';
    readonly currency: string;
    readonly locale: string | null;
    readonly lines: readonly Line[];
    readonly codes: readonly string[];
    readonly email: string | null;
    readonly name: string | null;
    readonly phone: string | null;
    readonly shippingAddress: PostalAddress | null;
    readonly billingAddress: PostalAddress | null;
    readonly vatNumber: string | null;
    readonly note: string | null;
    readonly marketingConsent: boolean;
    readonly shippingRequired: boolean;
    /** Where something can be shipped in this currency, ISO 3166; null: to every country. */
    readonly shippingCountries: readonly string[] | null;
    readonly shippingOptions: readonly ShippingOption[];
    readonly shippingOptionId: string | null;
    readonly discounts: readonly Discount[];
    readonly taxes: readonly Tax[];
    readonly pricesIncludeTax: boolean;
    readonly subtotal: Money;
    readonly discount: Money;
    readonly shipping: Money | null;
    readonly tax: Money | null;
    readonly total: Money;
    readonly paymentHandlers: readonly {
        readonly handler: string;
        readonly methods: readonly string[];
    }[];
    /** What is still wanted: `email`, `shipping_address`, `shipping_option`, … */
    readonly missing: readonly string[];
    readonly messages: readonly Message[];
    readonly payment: {
        readonly handler: string;
        readonly method: string;
        readonly status: string;
        readonly action?: PaymentAction | null;
        /** What the shop tells those who pay so, such as bank details. */
        readonly instructions?: string | null;
        /** The last day to pay, `YYYY-MM-DD`, after which an order that nobody paid is cancelled. */
        readonly payBy?: string | null;
    } | null;
    readonly order: {
        readonly id: string;
        readonly number: string;
        /** Opens the order: for `order.get`. */
        readonly token?: string;
        /** A page for people. */
        readonly statusUrl: string;
    } | null;
}
/** Null clears; what is left out stays. */
interface CheckoutChange {
    readonly email?: string | null;
    readonly name?: string | null;
    readonly phone?: string | null;
    readonly shippingAddress?: PostalAddress | null;
    readonly billingAddress?: PostalAddress | null;
    readonly shippingOptionId?: string | null;
    readonly codes?: readonly string[];
    readonly vatNumber?: string | null;
    readonly note?: string | null;
    readonly marketingConsent?: boolean;
    readonly locale?: string | null;
    readonly lines?: readonly LineInput[];
}
interface PaymentChoice {
    /** Null where the total is zero. */
    readonly payment: {
        readonly handler: string;
        readonly method: string;
    } | null;
    /** The total that the buyer saw: another one is refused with `checkout_changed`, and nothing happens. */
    readonly total?: Money;
}
/** One choice of a field; a bare string is both. */
type FieldOption = string | {
    readonly value: string;
    readonly label: string;
};
interface FormField {
    readonly name: string;
    readonly label: string;
    /** A type that this version does not know is drawn as a line of text. */
    readonly type: string;
    readonly required: boolean;
    readonly placeholder?: string;
    readonly helpText?: string;
    readonly options?: readonly FieldOption[];
    readonly mapsTo?: string;
}
interface ValidationRule {
    readonly field: string;
    /** A rule that this version does not know is left to the server. */
    readonly rule: string;
    readonly value?: unknown;
    /** Shown instead of the catalogue's message. */
    readonly message?: string;
}
interface FormSchema {
    readonly formId: string;
    readonly siteId: string;
    readonly name: string;
    readonly activeVersion: number;
    readonly targetEntityType: string | null;
    readonly fields: readonly FormField[];
    readonly validationRules: readonly ValidationRule[];
}
interface Submission {
    readonly submissionId: string;
    readonly siteId: string;
    readonly formId: string;
    readonly formVersion: number;
    readonly data: Readonly<Record<string, unknown>>;
    readonly contactId?: string;
    /** RFC 3339, UTC. */
    readonly createdAt: string;
}
interface StorefrontOptions {
    /** The storefront API, such as `https://shop.example.com/commerce/storefront/v1`. */
    readonly baseUrl: string;
    /** A publishable key, `pk_live_…` or `pk_test_…`. */
    readonly sdkKey: string;
    /** Instead of the global one. */
    readonly fetch?: typeof globalThis.fetch;
}
interface CallOptions {
    readonly signal?: AbortSignal | undefined;
}
/**
 * Calls reject with a {@link StorefrontError}, or with the reason of the signal that ended them. Nothing is sent twice: whether a
 * submission arrived whose answer did not is for a person to find out.
 */
interface Storefront {
    /** The form as it is published now. Cached by the browser and revalidated by ETag. */
    schema(formId: string, options?: CallOptions): Promise<FormSchema>;
    /** Tells that a visitor began to fill the form in, to be called once for each page view: the shop sees how many of them sent it. */
    start(formId: string, options?: CallOptions): Promise<void>;
    /** @param data field name to value; fields that are not the form's are ignored by the server */
    submit(formId: string, data: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Submission>;
}
declare function createStorefront({ baseUrl, sdkKey, fetch }: StorefrontOptions): Storefront;
/** Proves a cart or a checkout. */
interface Proof {
    readonly id: string;
    readonly token: string;
}
interface Kept {
    readonly cart?: Proof | undefined;
    readonly checkout?: Proof | undefined;
}
/** Where the client keeps ids and tokens of cart and checkout; `localStorage` is one. */
interface Keeping {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
}
/** The storage of the page; where there is none, or the browser refuses it, a memory that lasts as long as the page. */
declare function keptBy(name: string, storage?: Keeping): {
    read(): Kept;
    write(next: Kept): void;
};
interface ShopOptions extends StorefrontOptions {
    /** Where cart and checkout are remembered; without it `localStorage`, on a server the memory of this shop alone. */
    readonly storage?: Keeping;
}
interface CartInput {
    readonly currency?: string | undefined;
    readonly lines?: readonly LineInput[] | undefined;
    readonly codes?: readonly string[] | undefined;
    readonly locale?: string | undefined;
}
/**
 * Products, the visitor's cart, and its checkout. Calls reject with a `StorefrontError`, or with the reason of the signal that ended them.
 * Each write has an idempotency key, so that what did not arrive is sent again, and happens once.
 */
interface Shop {
    readonly products: {
        list(query?: ProductQuery, options?: CallOptions): Promise<ProductPage>;
        get(handle: string, options?: CallOptions): Promise<Product>;
    };
    /** The cart that is remembered. */
    readonly cart: {
        create(input?: CartInput, options?: CallOptions): Promise<Cart>;
        /** Undefined where there is none, or where it was bought, cancelled, or has expired. */
        get(options?: CallOptions): Promise<Cart | undefined>;
        /** Begins a cart where there is none. The line of the same variant grows. */
        add(lines: readonly LineInput[], more?: Omit<CartInput, 'lines'>, options?: CallOptions): Promise<Cart>;
        /** Quantities by line; 0 removes it. */
        change(lines: readonly {
            readonly id: string;
            readonly quantity: number;
        }[], options?: CallOptions): Promise<Cart>;
        /** All codes, in place of those that the cart has. */
        codes(codes: readonly string[], options?: CallOptions): Promise<Cart>;
        cancel(options?: CallOptions): Promise<void>;
        /** Calls `listener` with the cart as often as it changes, in other windows too. @returns what ends this */
        watch(listener: (cart: Cart | undefined) => void): () => void;
    };
    /** The checkout that is remembered. */
    readonly checkout: {
        /** Of the remembered cart, or of lines. The same cart again answers the same checkout, as things stand now. */
        create(input?: CartInput, options?: CallOptions): Promise<Checkout>;
        get(options?: CallOptions): Promise<Checkout | undefined>;
        update(change: CheckoutChange, options?: CallOptions): Promise<Checkout>;
        /** @param options `version`: that the page shows; else what another page of the buyer put into it meanwhile is bought where it costs the same */
        complete(choice: PaymentChoice, options?: CallOptions & {
            readonly version?: number;
        }): Promise<Checkout>;
        /** The buyer's further step, where `payment.action` asks for one. */
        confirm(given?: object, options?: CallOptions): Promise<Checkout>;
        /** What the provider's own library wants for `payment.action` of kind `stripe`. Keep it nowhere. */
        paymentSecrets(options?: CallOptions): Promise<PaymentSecrets>;
        cancel(options?: CallOptions): Promise<Checkout>;
    };
    readonly order: {
        /** What its buyer may see. @param token `order.token` of its checkout */
        get(id: string, token: string, options?: CallOptions): Promise<Record<string, unknown>>;
    };
}
declare function createShop({ storage, ...options }: ShopOptions): Shop;
/** What the elements of a shop say, in English, German, Spanish and Japanese; `{…}` are numbers, names and amounts. */
declare const texts: {
    readonly loading: readonly ['Loading…', 'Wird geladen …', 'Cargando…', '読み込み中…'];
    readonly network: readonly ['The shop cannot be reached.', 'Der Shop ist nicht erreichbar.', 'No se puede conectar con la tienda.', 'ショップに接続できません。'];
    readonly wait: readonly ['Too many requests. Please wait {n} seconds.', 'Zu viele Anfragen. Bitte {n} Sekunden warten.', 'Demasiadas solicitudes. Espere {n} segundos.', '{n} 秒後にもう一度お試しください。'];
    readonly unavailable: readonly ['This shop is not available.', 'Dieser Shop ist nicht verfügbar.', 'Esta tienda no está disponible.', 'このショップは利用できません。'];
    readonly gone: readonly ['This product is not available.', 'Dieses Produkt ist nicht verfügbar.', 'Este producto no está disponible.', 'この商品はありません。'];
    readonly failed: readonly ['Something went wrong.', 'Etwas ist schiefgegangen.', 'Algo ha fallado.', '問題が発生しました。'];
    readonly retry: readonly ['Try again', 'Erneut versuchen', 'Reintentar', 'もう一度試す'];
    readonly search: readonly ['Search products', 'Produkte suchen', 'Buscar productos', '商品を検索'];
    readonly nothing: readonly ['No products here yet.', 'Noch keine Produkte.', 'Aún no hay productos.', '商品はまだありません。'];
    readonly notFound: readonly ['Nothing found.', 'Nichts gefunden.', 'No hay resultados.', '見つかりません。'];
    readonly more: readonly ['Show more', 'Mehr anzeigen', 'Mostrar más', 'もっと見る'];
    readonly found: readonly ['Products: {n}', 'Produkte: {n}', 'Productos: {n}', '商品：{n} 件'];
    readonly filter: readonly ['Filter', 'Filter', 'Filtros', '絞り込み'];
    readonly clear: readonly ['Clear filters', 'Filter zurücksetzen', 'Quitar filtros', '絞り込みを解除'];
    readonly tag: readonly ['Tag', 'Schlagwort', 'Etiqueta', 'タグ'];
    readonly type: readonly ['Type', 'Art', 'Tipo', '種類'];
    readonly vendor: readonly ['Brand', 'Marke', 'Marca', 'ブランド'];
    readonly collection: readonly ['Collection', 'Kollektion', 'Colección', 'コレクション'];
    readonly available: readonly ['Availability', 'Verfügbarkeit', 'Disponibilidad', '在庫'];
    readonly inStock: readonly ['In stock', 'Lieferbar', 'Disponible', '在庫あり'];
    readonly from: readonly ['From {price}', 'Ab {price}', 'Desde {price}', '{price}から'];
    readonly before: readonly ['Before: {price}', 'Vorher: {price}', 'Antes: {price}', '通常価格 {price}'];
    readonly tier: readonly ['From {n}: {price} each', 'Ab {n}: je {price}', 'Desde {n}: {price} c/u', '{n} 点以上：1 点 {price}'];
    readonly quantity: readonly ['Quantity', 'Menge', 'Cantidad', '数量'];
    readonly fewer: readonly ['One fewer', 'Eins weniger', 'Uno menos', '1 つ減らす'];
    readonly oneMore: readonly ['One more', 'Eins mehr', 'Uno más', '1 つ増やす'];
    readonly add: readonly ['Add to cart', 'In den Warenkorb', 'Añadir al carrito', 'カートに入れる'];
    readonly added: readonly ['Added to your cart.', 'Im Warenkorb.', 'Añadido al carrito.', 'カートに追加しました。'];
    readonly toCart: readonly ['View cart', 'Zum Warenkorb', 'Ver el carrito', 'カートを見る'];
    readonly soldOut: readonly ['Sold out', 'Ausverkauft', 'Agotado', '売り切れ'];
    readonly cart: readonly ['Cart', 'Warenkorb', 'Carrito', 'カート'];
    readonly empty: readonly ['Your cart is empty.', 'Ihr Warenkorb ist leer.', 'Su carrito está vacío.', 'カートは空です。'];
    readonly toShop: readonly ['Continue shopping', 'Weiter einkaufen', 'Seguir comprando', '買い物を続ける'];
    readonly remove: readonly ['Remove', 'Entfernen', 'Quitar', '削除'];
    readonly code: readonly ['Discount code', 'Rabattcode', 'Código de descuento', 'クーポンコード'];
    readonly apply: readonly ['Apply', 'Einlösen', 'Aplicar', '適用'];
    readonly subtotal: readonly ['Subtotal', 'Zwischensumme', 'Subtotal', '小計'];
    readonly shipping: readonly ['Shipping', 'Versand', 'Envío', '配送料'];
    readonly tax: readonly ['Tax', 'Steuer', 'Impuestos', '税'];
    readonly taxIncluded: readonly ['Includes tax', 'Enthaltene Steuer', 'Impuestos incluidos', '内税'];
    readonly total: readonly ['Total', 'Gesamt', 'Total', '合計'];
    readonly later: readonly ['Shipping and taxes follow at checkout.', 'Versand und Steuern folgen an der Kasse.', 'Envío e impuestos, al tramitar el pedido.', '配送料と税は購入手続きで計算します。'];
    readonly checkout: readonly ['Checkout', 'Zur Kasse', 'Tramitar pedido', '購入手続きへ'];
    readonly summary: readonly ['Your order', 'Ihre Bestellung', 'Su pedido', 'ご注文内容'];
    readonly contact: readonly ['Contact', 'Kontakt', 'Contacto', '連絡先'];
    readonly email: readonly ['E-mail', 'E-Mail', 'Correo electrónico', 'メールアドレス'];
    readonly phone: readonly ['Phone', 'Telefon', 'Teléfono', '電話番号'];
    readonly marketing: readonly ['Send me news and offers', 'Neuigkeiten und Angebote zusenden', 'Quiero recibir novedades', 'お知らせを受け取る'];
    readonly optional: readonly ['optional', 'optional', 'opcional', '任意'];
    readonly shippingAddress: readonly ['Shipping address', 'Lieferadresse', 'Dirección de envío', 'お届け先'];
    readonly billingAddress: readonly ['Billing address', 'Rechnungsadresse', 'Dirección de facturación', '請求先住所'];
    readonly same: readonly ['Billing address is the same', 'Rechnungsadresse ist dieselbe', 'Facturar a la misma dirección', '請求先も同じ'];
    readonly country: readonly ['Country', 'Land', 'País', '国'];
    readonly name: readonly ['Full name', 'Vor- und Nachname', 'Nombre y apellidos', '氏名'];
    readonly company: readonly ['Company', 'Firma', 'Empresa', '会社名'];
    readonly line1: readonly ['Street and number', 'Straße und Hausnummer', 'Calle y número', '番地'];
    readonly line2: readonly ['Apartment, floor', 'Adresszusatz', 'Piso, puerta', '建物名・部屋番号'];
    readonly postcode: readonly ['Postcode', 'Postleitzahl', 'Código postal', '郵便番号'];
    readonly city: readonly ['City', 'Ort', 'Ciudad', '市区町村'];
    readonly region: readonly ['State or region', 'Bundesland oder Region', 'Provincia o estado', '都道府県'];
    readonly vatNumber: readonly ['VAT number', 'USt-IdNr.', 'NIF-IVA', 'VAT 番号'];
    readonly note: readonly ['Note', 'Anmerkung', 'Comentario', '備考'];
    readonly extras: readonly ['VAT number, note', 'USt-IdNr., Anmerkung', 'NIF-IVA, comentario', 'VAT 番号・備考'];
    readonly needAddress: readonly ['Enter your address first.', 'Geben Sie zuerst Ihre Adresse an.', 'Indique primero su dirección.', '先に住所を入力してください。'];
    readonly free: readonly ['Free', 'Kostenlos', 'Gratis', '無料'];
    readonly payment: readonly ['Payment', 'Zahlung', 'Pago', 'お支払い'];
    readonly noPayment: readonly ['No way to pay is set up yet.', 'Noch keine Zahlungsart eingerichtet.', 'Aún no hay formas de pago.', 'お支払い方法がありません。'];
    readonly invoice: readonly ['Invoice', 'Rechnung', 'Factura', '請求書払い'];
    readonly bank_transfer: readonly ['Bank transfer', 'Überweisung', 'Transferencia bancaria', '銀行振込'];
    readonly cash_on_delivery: readonly ['Cash on delivery', 'Nachnahme', 'Contra reembolso', '代金引換'];
    readonly card: readonly ['Card', 'Karte', 'Tarjeta', 'カード'];
    readonly test: readonly ['Test shop: nothing is charged or sent.', 'Testshop: Nichts wird berechnet oder versandt.', 'Tienda de prueba: no se cobra ni envía nada.', 'テスト：請求・発送はされません。'];
    readonly pay: readonly ['Place order and pay', 'Zahlungspflichtig bestellen', 'Pedir y pagar', '注文を確定する'];
    readonly paying: readonly ['Placing your order…', 'Bestellung läuft …', 'Realizando el pedido…', '注文処理中…'];
    readonly confirm: readonly ['Confirm payment', 'Zahlung bestätigen', 'Confirmar el pago', '支払いを確認する'];
    readonly toConfirm: readonly ['Your payment needs one more step.', 'Ihre Zahlung braucht noch einen Schritt.', 'Falta un paso para pagar.', 'お支払いの確認が必要です。'];
    readonly cancel: readonly ['Change payment', 'Zahlungsart ändern', 'Cambiar la forma de pago', '支払い方法を変更'];
    readonly required: readonly ['Please fill this in.', 'Bitte ausfüllen.', 'Rellene este campo.', '入力してください。'];
    readonly badEmail: readonly ['Please enter an e-mail, like name@example.com.', 'Bitte eine E-Mail wie name@example.com eingeben.', 'Introduzca un correo como name@example.com.', 'name@example.com のように入力してください。'];
    readonly choose: readonly ['Please choose.', 'Bitte auswählen.', 'Elija una opción.', '選択してください。'];
    readonly changed: readonly ['Something changed. Please check your order.', 'Etwas hat sich geändert. Bitte prüfen Sie Ihre Bestellung.', 'Algo ha cambiado. Revise su pedido.', '変更がありました。ご注文内容をご確認ください。'];
    readonly price_changed: readonly ['A price has changed.', 'Ein Preis hat sich geändert.', 'Un precio ha cambiado.', '価格が変更されました。'];
    readonly quantity_not_available: readonly ['Not that many are left.', 'So viele gibt es nicht mehr.', 'No quedan tantas unidades.', '在庫が足りません。'];
    readonly out_of_stock: readonly ['This is sold out.', 'Das ist ausverkauft.', 'Está agotado.', '売り切れました。'];
    readonly no_longer_sold: readonly ['This is no longer sold.', 'Das wird nicht mehr verkauft.', 'Ya no se vende.', '販売を終了しました。'];
    readonly country_not_served: readonly ['We do not deliver to this address.', 'An diese Adresse liefern wir nicht.', 'No enviamos a esta dirección.', 'この住所へはお届けできません。'];
    readonly discount: readonly ['This code does nothing here.', 'Dieser Code gilt hier nicht.', 'Este código no se aplica aquí.', 'このコードは使えません。'];
    readonly no_shipping_option: readonly ['Nothing ships this order to you.', 'Für diese Bestellung gibt es keinen Versand.', 'No hay envío para este pedido.', 'この注文は配送できません。'];
    readonly payment_declined: readonly ['The payment was declined. Please pay in another way.', 'Die Zahlung wurde abgelehnt. Bitte zahlen Sie anders.', 'Pago rechazado. Pague de otra forma.', 'お支払いが承認されませんでした。別の方法をお試しください。'];
    readonly thanks: readonly ['Thank you for your order', 'Vielen Dank für Ihre Bestellung', 'Gracias por su pedido', 'ご注文ありがとうございます'];
    readonly number: readonly ['Order {n}', 'Bestellung {n}', 'Pedido {n}', '注文番号 {n}'];
    readonly writes: readonly ['We write to {email}.', 'Wir schreiben an {email}.', 'Escribiremos a {email}.', '{email} 宛にご連絡します。'];
    readonly toOrder: readonly ['See your order', 'Bestellung ansehen', 'Ver el pedido', '注文を確認する'];
};
type ShopCatalogue = Record<keyof typeof texts, string>;
/** As it is shipped, a module has English alone, and each other language is a file beside it: `build.ts` puts that in place of this file. */
declare const shipped: Record<string, ShopCatalogue> & {
    en: ShopCatalogue;
};
/** SHA-256 in Base64 of files with languages. */
declare const digests: Readonly<Record<string, string>>;
/** `english`: for want of the place's own language. */
type Words = ShopCatalogue & {
    readonly english: boolean;
    readonly spoken: string;
};
/** By lower-case language tag. Add one, or change a text, before the elements are drawn: `shopCatalogues.fr = { ...shopCatalogues.en, … }`. */
declare const shopCatalogues: Record<string, ShopCatalogue> & {
    en: ShopCatalogue;
};
/** What is said in a language: by its exact tag, else its language, else in English. */
declare function wordsOf(tag: string): Words;
/** Puts values into a text. */
declare const fill: (text: string, values: Readonly<Record<string, string | number>>) => string;
/** A server that renders knows the class, and draws nothing. */
declare const Base: typeof HTMLElement;
type Key = keyof ShopCatalogue;
/** What the elements of a shop have in common: a shop by its key, words by the language of the place, and how far they are. */
declare abstract class ShopElement extends Base {
    #private;
    static readonly observedAttributes: readonly string[];
    protected words: Words;
    constructor();
    connectedCallback(): void;
    disconnectedCallback(): void;
    attributeChangedCallback(): void;
    /** Reads anew what it shows. */
    refresh(): Promise<void>;
    protected get shop(): Shop;
    protected said(attribute: string): string;
    /** Asks for what is shown. */
    protected abstract load(signal: AbortSignal): Promise<void>;
    /** What is shown, once it is there. */
    protected abstract content(): readonly (Node | string)[];
    /** What stands there until then. */
    protected waiting(): readonly Node[];
    /** Draws everything anew; the focus stays on what has the same id, and goes to the heading where that is gone. */
    protected draw(): void;
    /** Told by screen readers; shown to nobody else. */
    protected announce(text: string): void;
    /** False where a listener prevented it. */
    protected emit(name: string, detail: unknown, cancelable?: boolean): boolean;
    protected price(money: Money): string;
    protected text(key: Key, values: Readonly<Record<string, string | number>>): string;
    /** Of the element's own heading. */
    protected get level(): number;
    /** A heading that can take the focus. @param below how many levels below the element's own */
    protected heading(text: string, below?: number, part?: string): HTMLElement;
    /** What stands there where there is nothing to buy. */
    protected empty(): HTMLElement;
    /** A link to the shop, where the page says its address. */
    protected back(part: string): HTMLElement[];
    /** What a visitor is told of a call that did not succeed. */
    protected reason(error: unknown): string;
    /** What the server says of a cart or a line, in the visitor's language where it can. */
    protected notes(messages: readonly Message[], lineId?: string): HTMLElement[];
    /** The page in `attribute`, with `{handle}` filled in. */
    protected address(attribute: string, handle?: string): string;
}
/** A button that does not send a form. */
declare function button(part: string, id: string, text: string, press: () => void, label?: string): HTMLButtonElement;
/** How many: a number between two buttons. @param least what the first button stops at */
declare function stepper(id: string, words: Words, of: string, value: number, least: number, set: (next: number) => void): HTMLElement;
/** `<storefront-cart sdk-key checkout-url shop-url product-url>`: the visitor's cart. */
declare class StorefrontCartElement extends ShopElement {
    #private;
    static readonly observedAttributes: string[];
    get cart(): Cart | undefined;
    disconnectedCallback(): void;
    protected load(signal: AbortSignal): Promise<void>;
    protected content(): Node[];
}
/** `<storefront-checkout sdk-key shop-url>`: from the visitor's cart to the order, on one page. */
declare class StorefrontCheckoutElement extends ShopElement {
    #private;
    static readonly observedAttributes: string[];
    /** As the server knows it. */
    get checkout(): Checkout | undefined;
    disconnectedCallback(): void;
    protected load(signal: AbortSignal): Promise<void>;
    protected content(): Node[];
    /** Checks, and places the order, as the button does. */
    complete(): Promise<void>;
    /** The buyer has taken the step that the payment asks for, such as a card that the page has confirmed with its provider. */
    confirm(outcome?: string): Promise<void>;
}
/** `<storefront-product sdk-key handle cart-url>`: one product, with its options, and a button that adds it to the cart. */
declare class StorefrontProductElement extends ShopElement {
    #private;
    static readonly observedAttributes: string[];
    /** The product that is shown. */
    get product(): Product | undefined;
    /** The variant that would be added. */
    get variant(): Variant | undefined;
    protected load(signal: AbortSignal): Promise<void>;
    protected waiting(): Node[];
    protected content(): Node[];
    /** Adds the chosen variant to the cart, as the button does. */
    add(): Promise<void>;
}
/** `<storefront-products sdk-key product-url="/products/{handle}">`: a grid of what the site sells, a page at a time. */
declare class StorefrontProductsElement extends ShopElement {
    #private;
    static readonly observedAttributes: string[];
    attributeChangedCallback(name?: string, before?: string | null, now?: string | null): void;
    protected load(signal: AbortSignal): Promise<void>;
    protected waiting(): Node[];
    protected content(): Node[];
}
/** One shop of an address and a key, so that the elements of a page know of one cart. */
declare function shopOf(baseUrl: string, sdkKey: string): Shop;
/** An amount as people of the language write it, with the digits of its currency. The amount stays a text: a number would round it. */
declare const written: ({ amount, currency }: Money, language: string) => string;
declare const isNothing: ({ amount }: Money) => boolean;
/** A span of days; one day where both ends are the same. */
declare const days: (least: number, most: number, language: string) => string;
export { createShop, type CartInput, type Shop, type ShopOptions };
export type { Keeping };
export type { Cart, Checkout, CheckoutChange, Discount, Facet, FacetName, Line, LineInput, Message, Money, Page, PaymentAction, PaymentChoice, PaymentSecrets, PostalAddress, Price, Product, ProductImage, ProductPage, ProductQuery, ProductSummary, ShippingOption, Tax, Variant, };
export { StorefrontError, type FieldError };
export { shopOf };
export { written as writtenMoney };
export { shopCatalogues, type ShopCatalogue };
export { StorefrontCartElement, StorefrontCheckoutElement, StorefrontProductElement, StorefrontProductsElement };
declare global {
    interface HTMLElementTagNameMap {
        'storefront-products': StorefrontProductsElement;
        'storefront-product': StorefrontProductElement;
        'storefront-cart': StorefrontCartElement;
        'storefront-checkout': StorefrontCheckoutElement;
    }
    interface GlobalEventHandlersEventMap {
        /** A product of the list was chosen; `preventDefault()` keeps the page from following its link. */
        'storefront-select': CustomEvent<{
            readonly handle: string;
            readonly product: ProductSummary;
        }>;
        'storefront-variant': CustomEvent<{
            readonly product: Product;
            readonly variant: Variant | undefined;
        }>;
        'storefront-added': CustomEvent<{
            readonly cart: Cart;
            readonly variantId: string;
            readonly quantity: number;
        }>;
        'storefront-cart': CustomEvent<Cart | undefined>;
        /** The buyer leaves the cart for the checkout; `preventDefault()` keeps the page from following its link. */
        'storefront-checkout': CustomEvent<Cart>;
        'storefront-checkout-change': CustomEvent<Checkout>;
        'storefront-ordered': CustomEvent<Checkout>;
        /** What an element shows is there. */
        'storefront-shown': CustomEvent<undefined>;
        'storefront-failed': CustomEvent<StorefrontError>;
    }
}
