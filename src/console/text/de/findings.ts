import type { texts as english } from '../en/findings'

const KEYS = 'Die Adresse der öffentlichen Schlüssel'
const REFUSED = 'daher werden Identitätstokens abgelehnt'
const CORRECT_KEYS = 'Die Adresse der öffentlichen Schlüssel berichtigen.'
const MASTER = 'oder wer den Server betreibt, stellt den früheren Hauptschlüssel wieder her.'
const RECEIVER = 'Den Empfänger berichtigen, den Endpunkt wieder einschalten und Verpasstes erneut senden.'
const RATES = 'Wer den Server betreibt, lädt die Kurse. Das Diagramm zeigt, wo einer fehlt.'

const words: (typeof english)['words'] = {
  STORED_BROKEN: ['Ein gespeichertes Objekt ist beschädigt: {kind} {id}, bei {path} ({message})', 'Erneut speichern.'],
  NO_API_KEY: ['Kein API-Schlüssel ist gültig', 'Einen API-Schlüssel anlegen.'],
  CREDENTIALS_SEALED: ['Gespeicherte Schlüssel lassen sich nicht öffnen: {section}', `Erneut speichern, ${MASTER}`],
  NO_IOS_BUNDLE_ID: [
    'Keine Bundle-ID ist eingetragen, daher werden Belege von iOS abgelehnt',
    'Die Bundle-ID der App eintragen.',
  ],
  NO_IOS_APP_ID: [
    'Keine Apple-ID der App ist eingetragen, daher müssen Benachrichtigungen der Produktion warten',
    'Die Apple-ID der App eintragen.',
  ],
  NO_ANDROID_ORDERS: [
    'Google Play zeigt dem Dienstkonto keine Bestellungen, daher fehlen die Beträge von Einmalkäufen und anteiligen Gutschriften',
    'Dem Dienstkonto in der Play Console das Recht auf Finanzdaten geben.',
  ],
  NO_PAYMENT_ACCOUNT: [
    'Produkte haben eine Zahlungs-ID, aber kein Zahlungskonto ist verbunden',
    'Ein Zahlungskonto verbinden.',
  ],
  NO_PAYMENT_SECRET_KEY: [
    'Kein geheimer Schlüssel des Zahlungsanbieters ist gespeichert, daher wird im Web nichts verkauft',
    'Den geheimen Schlüssel eintragen.',
  ],
  NO_PAYMENT_WEBHOOK_SECRET: [
    'Kein Signaturgeheimnis des Zahlungsanbieters ist gespeichert, daher wird jedes Ereignis abgelehnt',
    'Das Signaturgeheimnis des Webhooks eintragen.',
  ],
  PAYMENT_MODES_DIFFER: [
    'Der geheime Schlüssel gehört zum Modus {keyMode}, das Konto zum Modus {mode}',
    'Schlüssel und Konto auf denselben Modus stellen.',
  ],
  NO_PLATFORM_KEYS: [
    'Das Projekt verkauft über ein verbundenes Konto, und dem Server fehlen die Schlüssel der Plattform für den Modus {mode}',
    'Wer den Server betreibt, trägt sie ein.',
  ],
  NO_PUBLISHABLE_KEY: [
    'Kein veröffentlichbarer Schlüssel ist gespeichert, daher kann in diesen Funnels niemand bezahlen: {names}',
    'Den veröffentlichbaren Schlüssel eintragen.',
  ],
  SHIELD_NO_CONSENT: [
    'Der Erstattungsschutz antwortet nicht, bis die Kunden eingewilligt haben',
    'Die Einwilligung der Kunden bestätigen.',
  ],
  SHIELD_NO_KEY: [
    'Dem Erstattungsschutz fehlt der Schlüssel für seine Antworten',
    'Den In-App-Purchase-Schlüssel speichern.',
  ],
  SDK_DOOR_TEST_STORE: [
    'Apps mit dem öffentlichen Schlüssel können im Test-Store kaufen',
    'Den Test-Store für Apps mit dem früheren SDK nach den Tests ausschalten.',
  ],
  SDK_DOOR_NO_STORE: [
    'Apps mit dem früheren SDK erhalten Antworten, aber kein Store ist verbunden',
    'Den App Store oder Google Play verbinden.',
  ],
  SDK_DOOR_NO_PLANS: [
    'Android-Apps mit dem früheren SDK zeigen Abos ohne Basis-Abo nicht an: {names}',
    'Das Basis-Abo jedes Produkts eintragen.',
  ],
  NOTIFICATIONS_FAILED: [
    'Benachrichtigungen der Stores, die in den letzten 24 Stunden nicht verarbeitet werden konnten: {count}',
    'Ansehen, den Grund beheben und erneut verarbeiten.',
  ],
  NOTIFICATIONS_WAIT: [
    'Wartende Benachrichtigungen der Stores: {count}, die älteste seit {minutes} Minuten',
    'Prüfen, ob ein Server läuft und ob die Stores ihm antworten.',
  ],
  NO_DEFAULT_OFFERING: ['Kein Angebot ist der Standard', 'Eines als Standard kennzeichnen.'],
  PRODUCTS_GIVE_NOTHING: [
    'Diese Produkte geben weder Zugang noch Guthaben: {names}',
    'Für jedes angeben, was es gibt.',
  ],
  PRODUCTS_WITHOUT_PERIOD: [
    'Diese Abonnements des App Store haben keine Laufzeit, daher endet eines ohne Verlängerung nie: {names}',
    'Für jedes die Laufzeit eintragen.',
  ],
  PRODUCTS_TEST_STORE_ONLY: [
    'Diese Produkte haben keine Store-ID, daher verkauft sie nur der Test-Store: {names}',
    'Für jedes die ID in seinem Store eintragen.',
  ],
  PRODUCTS_UNSOLD: [
    'Diese Produkte haben keine Store-ID, daher verkauft sie kein Store: {names}',
    'Für jedes die ID in seinem Store eintragen.',
  ],
  PRODUCTS_MISSING: [
    'Gekaufte Produkte, die im Katalog fehlen ({store}): {names}',
    'Für jede ID ein Produkt anlegen; die Käufe geben bald danach Zugang.',
  ],
  PURCHASES_FORMER_KEY: [
    'Käufe im App Store mit einem Schlüssel einer früheren Version: {count}',
    'Ein laufender Server berichtigt sie in Minuten, sobald der Katalog ihr Produkt hat.',
  ],
  CHARGES_COPIED: [
    'Abonnements im App Store, deren Zahlungen eine frühere Version doppelt erfasst hat: mindestens {count}',
    'Ein laufender Server führt sie in Minuten zusammen.',
  ],
  CREDIT_DOUBLED: [
    '{subscriber} hat {amount} {currency} für {purchase} ein zweites Mal erhalten',
    'Wer den Server betreibt, nimmt doppelt gegebenes Guthaben zurück.',
  ],
  IDENTITY_SECRET_SEALED: ['Das Identitätsgeheimnis lässt sich nicht öffnen', `Das Geheimnis erneuern, ${MASTER}`],
  IDENTITY_NOTHING_CHECKS: [
    'Identitätstokens sind verlangt, und nichts prüft sie',
    'Ein Identitätsgeheimnis anlegen oder die Adresse der öffentlichen Schlüssel eintragen.',
  ],
  IDENTITY_KEYS_ADDRESS: [`${KEYS} kann nicht aufgerufen werden, ${REFUSED}`, CORRECT_KEYS],
  IDENTITY_KEYS_TIMEOUT: [`${KEYS} antwortet nicht rechtzeitig, ${REFUSED}`, CORRECT_KEYS],
  IDENTITY_KEYS_UNREACHABLE: [`${KEYS} ist nicht erreichbar, ${REFUSED}`, CORRECT_KEYS],
  IDENTITY_KEYS_TOO_LARGE: [`${KEYS} antwortet mit mehr als 512 KiB, ${REFUSED}`, CORRECT_KEYS],
  IDENTITY_KEYS_STATUS: [`${KEYS} antwortet mit {status}, ${REFUSED}`, CORRECT_KEYS],
  IDENTITY_KEYS_MALFORMED: [`${KEYS} antwortet mit etwas, das kein JWKS ist, ${REFUSED}`, CORRECT_KEYS],
  IDENTITY_KEYS_EMPTY: [
    `${KEYS} hat keinen brauchbaren Schlüssel, daher sind Identitätstokens ungültig`,
    'Dort einen Schlüssel veröffentlichen oder die Adresse berichtigen.',
  ],
  AUDIENCE_LISTS_STALE: [
    'Die ID-Listen dieser Zielgruppen stammen von einem anderen Hauptschlüssel und treffen auf niemanden zu: {names}',
    `Die Listen erneut senden, ${MASTER}`,
  ],
  RULE_CHANGED: [
    'Eine Regel bedeutet etwas anderes als zuvor: {name}, {path} ({message})',
    'Wenn sie stimmt, mit einer beliebigen Änderung speichern, zum Beispiel der Beschreibung; dann endet dieser Hinweis.',
  ],
  RULES_CHANGED_MORE: ['Weitere Regeln, die Listen jetzt nach ihren Einträgen vergleichen: {count}', null],
  CERTIFICATE_EXPIRED: ['Das Zertifikat von {hostname} ist abgelaufen; Besucher werden gewarnt', 'Erneuern.'],
  DOMAIN_HELD: [
    'Ein anderes Projekt hat die Domain {hostname} nachgewiesen',
    'Löschen, oder das andere Projekt gibt sie auf.',
  ],
  DOMAIN_FAILED: [
    'Die Domain {hostname} ist gescheitert: Ihr TXT-Eintrag war 72 Stunden lang nicht zu sehen',
    'Die Einträge setzen, die die Domain zeigt, dann prüfen.',
  ],
  DOMAIN_PENDING: ['Die Domain {hostname} wartet auf ihren TXT-Eintrag', 'Die Domain zeigt den fehlenden Eintrag.'],
  DOMAIN_RECORD_GONE: [
    'Der TXT-Eintrag von {hostname} ist verschwunden',
    'Erneut setzen, sonst enden ihre Seiten 7 Tage danach.',
  ],
  DOMAIN_ELSEWHERE: [
    'Die Domain {hostname} führt nicht zu diesem Server',
    'Die Einträge setzen, die die Domain zeigt, dann prüfen.',
  ],
  WEBHOOK_SEALED: [
    'An den Webhook-Endpunkt {name} wird nichts gesendet, weil sich sein Signaturgeheimnis nicht öffnen lässt',
    `Das Geheimnis erneuern, ${MASTER}`,
  ],
  WEBHOOK_GONE: [
    'Der Webhook-Endpunkt {name} wurde ausgeschaltet, weil seine Adresse mit 410 geantwortet hat',
    RECEIVER,
  ],
  WEBHOOK_FAILING: [
    'Der Webhook-Endpunkt {name} wurde ausgeschaltet, weil ihm fünf Tage lang nichts zugestellt werden konnte',
    RECEIVER,
  ],
  DELIVERIES_LATE: [
    'Zustellungen sind bis zu {minutes} Minuten überfällig; wartende Ziele: {targets}',
    'Prüfen, ob ein Server läuft und ob die Empfänger schnell antworten.',
  ],
  FORWARD_NO_ANSWER: [
    '{host} nimmt Benachrichtigungen nicht an ({store}): keine Antwort, gescheiterte Versuche in 24 Stunden: {failures}',
    'Den Empfänger berichtigen oder die Weiterleitung löschen.',
  ],
  FORWARD_REFUSED: [
    '{host} nimmt Benachrichtigungen nicht an ({store}): Antwort {status}, gescheiterte Versuche in 24 Stunden: {failures}',
    'Den Empfänger berichtigen oder die Weiterleitung löschen.',
  ],
  EXPORT_SEALED: [
    'Nach {target} wird nichts exportiert, weil sich die Zugangsdaten nicht öffnen lassen',
    `Die Zugangsdaten des Zeitplans erneut eingeben, ${MASTER}`,
  ],
  EXPORT_FAILED: [
    'Der Export nach {target} ist gescheitert; Fehlschläge in Folge: {failures} ({error})',
    'Den Zeitplan berichtigen; es wird jeden Tag erneut versucht.',
  ],
  DATA_REQUESTS_LATE: ['Datenanfragen, die seit mehr als einem Tag warten: {count}', 'Öffnen, um den Grund zu sehen.'],
  DATA_REQUESTS_FAILED: [
    'Datenanfragen, die in den letzten 30 Tagen gescheitert sind: {count}',
    'Öffnen, um den Grund zu sehen.',
  ],
  COMPARE_SEALED: [
    'Nachts wird nichts verglichen, weil sich der Schlüssel des Anbieters nicht öffnen lässt',
    `Den Zeitplan erneut einstellen, ${MASTER}`,
  ],
  COMPARE_FAILED: ['Der letzte nächtliche Vergleich wurde abgebrochen: {error}', null],
  FIGURES_DIFFER: [
    'Gespeicherte Summen weichen von den Einträgen ab, aus denen sie bestehen',
    'Eine andere Zeitzone speichern und danach wieder die richtige: Dann werden sie neu berechnet. Bitte melden.',
  ],
  RATES_NONE: [
    'Es gibt keine Wechselkurse, daher haben Beträge in anderen Währungen keinen Betrag in USD. Der letzte Abruf ist gescheitert: {fault}',
    RATES,
  ],
  RATES_STALE: ['Die neuesten Wechselkurse sind vom {day}, mehr als 72 Stunden alt', RATES],
  RATES_STALE_FAULT: [
    'Die neuesten Wechselkurse sind vom {day}, mehr als 72 Stunden alt. Der letzte Abruf ist gescheitert: {fault}',
    RATES,
  ],
}

export const texts: typeof english = {
  words,
  andMore: '{names} und {more} weitere',
  sections: {
    ios: 'App Store',
    android: 'Google Play',
    payment: 'Zahlungsanbieter',
    refundShield: 'Erstattungsschutz',
  },
  modes: { test: 'Test', live: 'Live' },
}
