/** What the element says, in English, German, Spanish and Japanese; `{n}` is a number or a day. */
export declare const texts: {
    readonly submit: readonly ['Send', 'Absenden', 'Enviar', '送信する'];
    readonly sending: readonly ['Sending…', 'Wird gesendet …', 'Enviando…', '送信中…'];
    readonly loading: readonly ['Loading…', 'Wird geladen …', 'Cargando…', '読み込み中…'];
    readonly success: readonly ['Thank you. Your form has been sent.', 'Vielen Dank. Ihr Formular wurde gesendet.', 'Gracias. Su formulario se ha enviado.', 'ありがとうございます。送信しました。'];
    readonly optional: readonly ['optional', 'optional', 'opcional', '任意'];
    readonly choose: readonly ['Please choose an option', 'Bitte eine Option wählen', 'Elija una opción', '選択してください'];
    readonly summary: readonly ['Please check:', 'Bitte prüfen:', 'Revise lo siguiente:', '次の項目を確認してください。'];
    readonly required: readonly ['Please fill this in.', 'Bitte ausfüllen.', 'Rellene este campo.', '入力してください。'];
    readonly tick: readonly ['Please tick this box.', 'Bitte hier ein Häkchen setzen.', 'Marque esta casilla.', 'チェックを入れてください。'];
    readonly email: readonly ['Please enter an email address, like name@example.com.', 'Bitte eine E-Mail-Adresse wie name@example.com eingeben.', 'Introduzca un correo electrónico, como name@example.com.', 'name@example.com のようなメールアドレスを入力してください。'];
    readonly tel: readonly ['Please enter a phone number, like +44 20 7946 0000.', 'Bitte eine Telefonnummer wie +44 20 7946 0000 eingeben.', 'Introduzca un teléfono, como +44 20 7946 0000.', '+44 20 7946 0000 のような電話番号を入力してください。'];
    readonly url: readonly ['Please enter a web address, like https://example.com.', 'Bitte eine Webadresse wie https://example.com eingeben.', 'Introduzca una dirección web, como https://example.com.', 'https://example.com のような URL を入力してください。'];
    readonly number: readonly ['Please enter a number.', 'Bitte eine Zahl eingeben.', 'Introduzca un número.', '数値を入力してください。'];
    readonly date: readonly ['Please enter a date.', 'Bitte ein Datum eingeben.', 'Introduzca una fecha.', '日付を入力してください。'];
    readonly min: readonly ['At least {n}.', 'Mindestens {n}.', 'Como mínimo {n}.', '{n} 以上にしてください。'];
    readonly max: readonly ['At most {n}.', 'Höchstens {n}.', 'Como máximo {n}.', '{n} 以下にしてください。'];
    readonly minLength: readonly ['At least {n} characters.', 'Mindestens {n} Zeichen.', 'Como mínimo {n} caracteres.', '{n} 文字以上にしてください。'];
    readonly maxLength: readonly ['At most {n} characters.', 'Höchstens {n} Zeichen.', 'Como máximo {n} caracteres.', '{n} 文字以下にしてください。'];
    readonly pattern: readonly ['Please use the expected format.', 'Bitte das erwartete Format verwenden.', 'Utilice el formato esperado.', '指定の形式で入力してください。'];
    readonly network: readonly ['The server cannot be reached.', 'Der Server ist nicht erreichbar.', 'No se puede conectar con el servidor.', 'サーバーに接続できません。'];
    readonly unsure: readonly ['No answer from the server: your form may have been sent.', 'Keine Antwort vom Server: Ihr Formular wurde vielleicht gesendet.', 'Sin respuesta del servidor: puede que su formulario se haya enviado.', 'サーバーから応答がありません。送信済みかもしれません。'];
    readonly wait: readonly ['Too many requests. Please try again in {n} seconds.', 'Zu viele Anfragen. Bitte in {n} Sekunden erneut versuchen.', 'Demasiadas solicitudes. Inténtelo de nuevo en {n} segundos.', 'アクセスが集中しています。{n} 秒後にもう一度お試しください。'];
    readonly unavailable: readonly ['This form is not available.', 'Dieses Formular ist nicht verfügbar.', 'Este formulario no está disponible.', 'このフォームは利用できません。'];
    readonly failed: readonly ['Something went wrong.', 'Etwas ist schiefgegangen.', 'Algo ha fallado.', '問題が発生しました。'];
    readonly kept: readonly ['Your entries are still here.', 'Ihre Eingaben sind noch da.', 'Sus datos siguen aquí.', '入力内容は残っています。'];
    readonly retry: readonly ['Try again', 'Erneut versuchen', 'Reintentar', 'もう一度試す'];
};
