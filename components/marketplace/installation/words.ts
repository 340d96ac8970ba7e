import type { Request } from '@steward/kernel';

const languages = ['en', 'de', 'es', 'ja'] as const;
export type Language = (typeof languages)[number];

/** Why an installation is not completed. */
export type Why =
  | 'unsigned'
  | 'old'
  | 'no_shop'
  | 'other_browser'
  | 'nothing_granted'
  | 'used'
  | 'too_little'
  | 'refused'
  | 'silent';

interface Words {
  readonly refused: string;
  readonly why: Readonly<Record<Why, string>>;
  readonly again: (shop: string) => string;
  readonly console: string;
  readonly whichShop: string;
  readonly notAShop: string;
  readonly addressOfShop: string;
  readonly meant: (shop: string) => string;
  readonly installed: string;
  readonly oneStep: string;
  readonly byHand: string;
  readonly byAgent: string;
  readonly keepIt: string;
}

/** What the pages of an installation say. */
export const wordsIn: Readonly<Record<Language, Words>> = {
  en: {
    refused: 'The installation of the app cannot be completed',
    why: {
      unsigned: 'The address that you came by does not come from the marketplace as it is.',
      old: 'The marketplace sent you here some time ago, or the clock of this server is wrong.',
      no_shop: 'The marketplace names a shop that is none of its own.',
      other_browser:
        'The installation was not begun in this browser, or for another shop, or more than ten minutes ago.',
      nothing_granted: 'Nothing was granted to the app in the shop.',
      used: 'This installation was completed before.',
      too_little: 'The shop did not grant everything that the app needs.',
      refused: 'The marketplace did not accept its own answer any more.',
      silent: 'The marketplace, or this server, does not answer at the moment. Begin again in a few minutes.',
    },
    again: (shop) => `Begin again with ${shop}`,
    console: 'Go to the console',
    whichShop: 'Which shop is it?',
    notAShop: 'The address names no shop in which the app can be installed.',
    addressOfShop:
      'Give the shop as it is called at Shopify: the name before “.myshopify.com”. It is in the address of the shop’s admin after “/store/”.',
    meant: (shop) => `Go on with ${shop}`,
    installed: 'The app is installed',
    oneStep:
      'One step is left: whoever manages your organization in Steward connects the shop by this code, within an hour. It belongs to nobody there until then.',
    byHand: 'In the console, under Commerce, Channels: press “Connect a shop”, then “I have a code”.',
    byAgent: 'Or give the code to the agent of your organization, which connects the shop once a person approves it:',
    keepIt:
      'Give it to nobody who asks you for it: whoever has it can connect your shop to an organization of their own.',
  },
  de: {
    refused: 'Die Installation der App lässt sich nicht abschließen',
    why: {
      unsigned: 'Die Adresse, über die Sie hierher kamen, stammt so nicht vom Marktplatz.',
      old: 'Der Marktplatz hat Sie schon vor einiger Zeit hierher geleitet, oder die Uhr dieses Servers geht falsch.',
      no_shop: 'Der Marktplatz nennt einen Shop, der nicht zu ihm gehört.',
      other_browser:
        'Die Installation wurde nicht in diesem Browser begonnen, oder für einen anderen Shop, oder vor mehr als zehn Minuten.',
      nothing_granted: 'Im Shop wurde der App nichts erlaubt.',
      used: 'Diese Installation wurde schon abgeschlossen.',
      too_little: 'Der Shop hat der App nicht alles erlaubt, was sie braucht.',
      refused: 'Der Marktplatz hat seine eigene Antwort nicht mehr angenommen.',
      silent: 'Der Marktplatz oder dieser Server antwortet gerade nicht. Beginnen Sie in ein paar Minuten noch einmal.',
    },
    again: (shop) => `Mit ${shop} noch einmal beginnen`,
    console: 'Zur Konsole',
    whichShop: 'Welcher Shop ist es?',
    notAShop: 'Die Adresse nennt keinen Shop, in dem die App installiert werden kann.',
    addressOfShop:
      'Geben Sie den Shop so an, wie er bei Shopify heißt: mit dem Namen vor „.myshopify.com“. Er steht in der Adresse der Shop-Verwaltung hinter „/store/“.',
    meant: (shop) => `Mit ${shop} weitermachen`,
    installed: 'Die App ist installiert',
    oneStep:
      'Ein Schritt fehlt noch: Wer Ihre Organisation in Steward verwaltet, verbindet den Shop innerhalb einer Stunde mit diesem Code. Bis dahin gehört er dort niemandem.',
    byHand: 'In der Konsole unter Handel, Kanäle: „Shop verbinden“, dann „Ich habe einen Code“.',
    byAgent:
      'Oder geben Sie den Code dem Agenten Ihrer Organisation. Er verbindet den Shop, sobald ein Mensch zustimmt:',
    keepIt:
      'Geben Sie ihn niemandem, der Sie danach fragt: Wer ihn hat, kann Ihren Shop mit seiner eigenen Organisation verbinden.',
  },
  es: {
    refused: 'La instalación de la aplicación no se puede completar',
    why: {
      unsigned: 'La dirección por la que llegó no procede así del mercado.',
      old: 'El mercado le envió aquí hace ya un rato, o el reloj de este servidor no va bien.',
      no_shop: 'El mercado nombra una tienda que no es suya.',
      other_browser:
        'La instalación no se empezó en este navegador, o era para otra tienda, o empezó hace más de diez minutos.',
      nothing_granted: 'En la tienda no se concedió nada a la aplicación.',
      used: 'Esta instalación ya se completó.',
      too_little: 'La tienda no concedió todo lo que la aplicación necesita.',
      refused: 'El mercado ya no aceptó su propia respuesta.',
      silent: 'El mercado, o este servidor, no responde en este momento. Empiece de nuevo en unos minutos.',
    },
    again: (shop) => `Empezar de nuevo con ${shop}`,
    console: 'Ir a la consola',
    whichShop: '¿Qué tienda es?',
    notAShop: 'La dirección no nombra ninguna tienda en la que se pueda instalar la aplicación.',
    addressOfShop:
      'Indique la tienda como se llama en Shopify: el nombre que va antes de «.myshopify.com». Está en la dirección de la administración de la tienda, detrás de «/store/».',
    meant: (shop) => `Seguir con ${shop}`,
    installed: 'La aplicación está instalada',
    oneStep:
      'Falta un paso: quien administra su organización en Steward conecta la tienda con este código, en el plazo de una hora. Hasta entonces no es de nadie allí.',
    byHand: 'En la consola, en Comercio, Canales: pulse «Conectar una tienda» y luego «Tengo un código».',
    byAgent: 'O dé el código al agente de su organización, que conecta la tienda cuando una persona lo aprueba:',
    keepIt: 'No lo dé a nadie que se lo pida: quien lo tiene puede conectar su tienda a una organización propia.',
  },
  ja: {
    refused: 'アプリのインストールを完了できません',
    why: {
      unsigned: 'お使いのアドレスは、そのままではマーケットプレイスから送られたものではありません。',
      old: 'マーケットプレイスから送られてから時間がたっているか、このサーバーの時計がずれています。',
      no_shop: 'マーケットプレイスが示したショップは、そのマーケットプレイスのものではありません。',
      other_browser: 'インストールを始めたのがこのブラウザーではないか、別のショップ用だったか、10分以上前です。',
      nothing_granted: 'ショップはアプリに何も許可していません。',
      used: 'このインストールはすでに完了しています。',
      too_little: 'ショップは、アプリに必要な権限の一部を許可していません。',
      refused: 'マーケットプレイスは、自身の回答をもう受け付けませんでした。',
      silent: 'マーケットプレイスか、このサーバーが応答していません。数分後にもう一度始めてください。',
    },
    again: (shop) => `${shop} でもう一度始める`,
    console: 'コンソールへ',
    whichShop: 'どのショップですか',
    notAShop: 'このアドレスには、アプリをインストールできるショップの名前がありません。',
    addressOfShop:
      'ショップは Shopify での名前、つまり「.myshopify.com」の前の部分で指定してください。ショップの管理画面のアドレスでは「/store/」の後にあります。',
    meant: (shop) => `${shop} で続ける`,
    installed: 'アプリをインストールしました',
    oneStep:
      'あと一歩です。Steward で組織を管理している人が、1時間以内にこのコードでショップを接続します。それまでは誰のものでもありません。',
    byHand: 'コンソールの「販売」の「チャネル」で、「ショップを接続」を押し、「コードがあります」を選びます。',
    byAgent: 'または、組織のエージェントにコードを渡してください。人が承認すると、ショップが接続されます。',
    keepIt:
      'コードを尋ねてくる相手には渡さないでください。持っている人は、あなたのショップを自分の組織に接続できます。',
  },
};

/** The first language of a browser that these words are in. */
export function languageOf({ headers }: Request): Language {
  const asked = (headers['accept-language'] ?? '')
    .slice(0, 200)
    .split(',')
    .map((one) => one.trim().slice(0, 2).toLowerCase());
  const known = asked.flatMap((one) => languages.find((language) => language === one) ?? []);
  return known[0] ?? 'en';
}
