import type { texts as english } from '../en/chart-definitions'

const NO_ROWS = 'Ein Durchschnitt hat keine Zeilen.'
const HOURLY =
  'In einem Projekt mit mehr als 20.000 Abbuchungen wird höchstens einmal in der Stunde gerechnet; das Diagramm sagt, wann.'
const SESSION_DAYS = 'Die Tage sind die in UTC, die im Zeitraum beginnen. Sitzungen werden 400 Tage aufbewahrt.'
const DELIVERED =
  'Tests und übersprungene zählen nicht. Zustellungen, die nicht mehr im Protokoll stehen, werden nicht mehr gezählt.'
const OPEN_GROUP = 'Nennen Sie eine Gruppe, um ihre Zeilen zu öffnen.'
const KEPT = 'Sitzungen ohne Zahlung werden 30 Tage nach dem letzten Schritt aufbewahrt.'
const FUNNELS = 'Die Gruppen sind ohne Nachfrage die Funnels.'
const BY_FUNNEL = `${FUNNELS} ${OPEN_GROUP}`
const PAYMENT = 'Eine Zahlung zählt in der Umgebung des Gekauften.'
const STOPPED = 'Seine Zeilen sind die, die endeten.'

export const texts: typeof english = {
  of: {
    revenue:
      'Alle Abbuchungen, alles Zurückgegebene und der Unterschied. Jede Geldzeile zählt an ihrem eigenen Tag; eine rückgängig gemachte Erstattung zählt bei den Erstattungen negativ.',
    'gross-revenue': 'Die Summe aller Abbuchungen, jede an ihrem Tag.',
    'net-revenue':
      'Alle Abbuchungen minus Erstattungen und Rückbuchungen, plus was rückgängig gemachte Erstattungen zurückbrachten; jede an ihrem Tag.',
    refunds: 'Erstattungen und Rückbuchungen minus die rückgängig gemachten, jede an dem Tag, an dem sie geschah.',
    commission:
      'Was die Stores von den Abbuchungen behalten: die Sätze des Projekts, sonst 15 % der Abonnements bei Google und von anderen Käufen in iOS und Android 30 % im ersten Jahr und 15 % danach. Das Jahr beginnt mit der ersten bezahlten Abbuchung. Zurückgegebenes Geld gibt seine Provision zurück.',
    proceeds: 'Nettoumsatz minus was die Stores behalten.',
    'subscription-revenue': 'Nettoumsatz der Käufe, die Abonnements sind.',
    'subscription-proceeds': 'Nettoumsatz der Abonnements minus was die Stores davon behalten.',
    'one-time-revenue': 'Nettoumsatz der Käufe, die keine Abonnements sind.',
    'one-time-proceeds': 'Nettoumsatz der einmaligen Käufe minus was die Stores davon behalten.',
    transactions: 'Abbuchungen über null, ob sie später zurückgegeben wurden oder nicht.',
    'subscription-transactions': 'Abbuchungen über null von Abonnements: erste Zahlungen und Verlängerungen.',
    'one-time-transactions': 'Abbuchungen über null von Käufen, die keine Abonnements sind.',
    'average-transaction': 'Wie hoch eine Abbuchung über null im Durchschnitt ist, vor Erstattungen.',
    'refunded-transactions':
      'Abbuchungen über null, von denen irgendwann später etwas zurückgegeben wurde; am Tag der Abbuchung. Eine rückgängig gemachte Erstattung ist keine.',
    'refund-rate':
      'Der Anteil der Abbuchungen über null, von denen irgendwann später etwas zurückgegeben wurde; nach dem Tag der Abbuchung. Seine Zeilen sind die zurückgegebenen Abbuchungen.',
    'unconverted-lines':
      'Abbuchungen und Erstattungen, die kein Diagramm über Geld zählen kann, weil für ihre Währung an ihrem Tag oder früher kein Wechselkurs bekannt ist.',
    mrr: 'Was alle laufenden Abonnements im Monat bringen. Es zählen die, die aktiv oder in der Nachfrist sind, wenn sie nicht in einer Testphase sind und mehr als nichts kosten; ein Jahr zählt mit einem Zwölftel seines Preises.',
    'mrr-movement':
      'Wie der monatlich wiederkehrende Umsatz von seinem Wert am Anfang des Zeitraums zu dem am Ende kam. Jede Änderung zählt zu ihrer Zeit, ein Abonnement, das im Zeitraum geht und wiederkommt, also in beiden.',
    'mrr-new': 'Was Abonnements brachten, die zum ersten Mal wiederkehrenden Umsatz hatten.',
    'mrr-reactivation':
      'Was Abonnements brachten, die früher wiederkehrenden Umsatz hatten, dann keinen, und nun wieder.',
    'mrr-expansion':
      'Um wie viel der wiederkehrende Umsatz von Abonnements wuchs, die schon welchen hatten: höhere Preise, andere Produkte.',
    'mrr-contraction':
      'Um wie viel der wiederkehrende Umsatz von Abonnements schrumpfte, die noch welchen haben; eine positive Zahl.',
    'mrr-churn': 'Der wiederkehrende Umsatz von Abonnements, die keinen mehr haben; eine positive Zahl.',
    'mrr-net-change': 'Alles, was der monatlich wiederkehrende Umsatz gewann, minus alles, was er verlor.',
    'mrr-churn-rate':
      'Der wiederkehrende Umsatz, der mit beendeten Abonnements verloren ging, geteilt durch den am Anfang des Zeitraums. Seine Zeilen sind die verlorenen Abonnements.',
    'mrr-growth-rate':
      'Die Nettoveränderung des monatlich wiederkehrenden Umsatzes, geteilt durch seinen Wert am Anfang des Zeitraums; negativ, wenn er schrumpfte. Seine Zeilen sind die Änderungen.',
    'quick-ratio': 'Gewonnener wiederkehrender Umsatz, geteilt durch verlorenen. Seine Zeilen sind die Gewinne.',
    arr: 'Das Zwölffache des monatlich wiederkehrenden Umsatzes am Ende des Zeitraums.',
    'mrr-per-subscription': 'Was ein aktives Abonnement am Ende des Zeitraums im Durchschnitt monatlich bringt.',
    'active-subscriptions':
      'Abonnements, die am Ende des Zeitraums Zugang geben und bezahlt sind: weder in einer Testphase noch gewährt noch durch eine Familie geteilt.',
    'subscription-movement':
      'Wie die Zahl der aktiven Abonnements von ihrem Wert am Anfang des Zeitraums zu dem am Ende kam.',
    'new-paid-subscriptions': 'Abonnements, die zum ersten Mal bezahlt wurden.',
    'reactivated-subscriptions': 'Abonnements, die nicht mehr bezahlt wurden und nun wieder bezahlt werden.',
    'churned-subscriptions':
      'Abonnements, die nicht mehr bezahlt werden. Eines, das im Zeitraum zweimal geht, zählt zweimal.',
    'churn-rate': `Abonnements, die im Zeitraum aufhörten, bezahlt zu werden, geteilt durch die an seinem Anfang aktiven. ${STOPPED}`,
    'subscription-net-change': 'Abonnements, die aktiv wurden, minus die, die aufhörten.',
    'subscription-status':
      'Jedes Abonnement nach seinem Status am Ende des Zeitraums: aktiv, in einer Testphase, in der Nachfrist, in der Wiederholung der Abbuchung, pausiert, abgelaufen, erstattet oder widerrufen. Auch geteilte und gewährte zählen.',
    'auto-renewing':
      'Abonnements, die am Ende des Zeitraums nicht beendet sind und deren automatische Verlängerung an ist. Ohne ein Wort des Stores ist sie an.',
    'paused-subscriptions': 'Abonnements, die am Ende des Zeitraums pausiert sind.',
    cancellations:
      'Wie oft die automatische Verlängerung eines nicht beendeten Abonnements ausgeschaltet wurde, nach dem damals bekannten Grund: der Wille des Kunden, eine gescheiterte Zahlung, eine abgelehnte Preiserhöhung oder ein anderer. Ein Abonnement, das sich schon beim Bekanntwerden nicht verlängern sollte, ist nicht gekündigt.',
    'cancellations-taken-back':
      'Wie oft die automatische Verlängerung eines nicht beendeten Abonnements wieder eingeschaltet wurde.',
    'expiry-reasons':
      'Abonnements und Testphasen, die im Zeitraum endeten: weil der Kunde nicht verlängern wollte, eine Zahlung scheiterte, eine Preiserhöhung abgelehnt wurde, das Produkt nicht mehr verkauft wurde, der Entwickler es beendete, ein anderer Kauf es ersetzte oder ohne ein Wort des Stores; und die erstatteten oder widerrufenen. Ein Grund, den ein Store nach dem Ende nennt, zählt am Ende.',
    'churn-reasons':
      'Abonnements, die aufhörten, bezahlt zu werden: durch den Willen des Kunden, mangels Zahlung, mit Geld zurück oder anders: pausiert, vom Entwickler beendet oder ersetzt oder ohne ein Wort des Stores. Wer in der Wiederholung der Abbuchung ist, ist gegangen; gelingt sie später, ist das eine Reaktivierung.',
    'voluntary-churn-rate': `Abonnements, die im Zeitraum durch den Willen des Kunden aufhörten, bezahlt zu werden, geteilt durch die an seinem Anfang aktiven. ${STOPPED}`,
    'billing-churn-rate': `Abonnements, die im Zeitraum aufhörten, bezahlt zu werden, weil eine Zahlung scheiterte, geteilt durch die an seinem Anfang aktiven. ${STOPPED}`,
    'billing-issues':
      'Ein Zahlungsproblem beginnt, wenn ein Abonnement in die Nachfrist oder in die Wiederholung der Abbuchung kommt. Es ist behoben, wenn das Abonnement danach aktiv ist, und verloren, wenn es anders endet. Anfang und Ende sind die offenen.',
    'billing-issue-share':
      'Von den Abonnements, die am Ende des Zeitraums aktiv, in der Nachfrist oder in der Wiederholung der Abbuchung sind, der Anteil mit einem Zahlungsproblem. Seine Zeilen sind die mit einem.',
    'billing-recovery-rate':
      'Von den Zahlungsproblemen, die im Zeitraum endeten, der Anteil der behobenen. Seine Zeilen sind die behobenen.',
    'billing-recovery-time': `Wie lange die im Zeitraum behobenen Zahlungsprobleme im Durchschnitt offen waren. ${NO_ROWS}`,
    'grace-periods':
      'Abonnements, deren Nachfrist begann, die darin behobenen und die, die sie anders verließen: in die Wiederholung der Abbuchung oder zu einem Ende. Anfang und Ende sind die, die darin sind.',
    'grace-recovery-rate':
      'Von den Nachfristen, die im Zeitraum verlassen wurden, der Anteil der behobenen. Seine Zeilen sind die behobenen.',
    renewals:
      'Abbuchungen über null eines Abonnements nach seiner ersten, auch für ein anderes Produkt oder nach einer Zeit ohne.',
    'renewals-due':
      'Bezahlte Abonnements, die sich verlängern sollen, nach dem Ende ihrer jetzigen Laufzeit: Nennen Sie einen Zeitraum in der Zukunft. In der Vergangenheit sind es die Enden, die kein Store erklärt hat, ohne Verlängerung und ohne Grund.',
    'renewal-forecast':
      'Nennen Sie einen Zeitraum in der Zukunft. Fällig: die letzten Abbuchungen der bezahlten Abonnements, die sich verlängern sollen und deren bezahlte Zeit darin endet, jede mit ihrem letzten Betrag. Erwartet: davon so viel, wie der Anteil der Abonnements, die sich in den 365 Tagen bis jetzt verlängerten: Abbuchungen nach der ersten ÷ (diese + Abonnements, die aufhörten, bezahlt zu werden), für alle Gruppen derselbe. Das Erwartete hat keine Zeilen.',
    retention: `Eine Wärmekarte: die Abonnements, für die im Zeitraum zum ersten Mal mehr als nichts abgebucht wurde, und der Anteil, der in jedem der 36 Monate danach noch bezahlt ist, in der Zeitzone des Projekts. Ein Anteil erscheint, wenn alle so weit sind. Seine Zeilen sind die bezahlten. ${HOURLY}`,
    'revenue-cohorts': `Eine Wärmekarte: die Abonnements, für die im Zeitraum zum ersten Mal mehr als nichts abgebucht wurde, und der Nettoumsatz von allen in ihrem ersten Monat, ihren ersten zwei Monaten und so weiter bis 36, in der Zeitzone des Projekts. Ein Wert erscheint, wenn alle so weit sind. ${HOURLY}`,
    'predicted-ltv': `Was ein Abonnement, für das im Zeitraum zum ersten Mal abgebucht wurde, in seinen ersten 12 Monaten bringt, mit seinem 95-%-Intervall von der unteren zur oberen Grenze. Es ist die mittlere kumulative Funktion wiederkehrender Ereignisse (W. Nelson, Technometrics 37, 1995): die Summe des mittleren Nettoumsatzes jedes Altersmonats. Ein Monat, den alle Abonnements des Zeitraums vollendet haben, hat ihren Mittelwert; jeder andere den aller Abonnements, die ihn vollendet haben. Die Varianz ist die robuste von J. F. Lawless und C. Nadeau (Technometrics 37, 1995), mit unabhängig angenommenen Teilen. Leer, solange niemand 12 Monate vollendet hat. Eine Vorhersage hat keine Zeilen. ${HOURLY}`,
    'active-trials': 'Abonnements, die am Ende des Zeitraums in einer Testphase sind.',
    'trial-movement':
      'Wie die Zahl der laufenden Testphasen von ihrem Wert am Anfang des Zeitraums zu dem am Ende kam. Eine Testphase endet durch die Abbuchung ebenso wie durch ihr Ablaufen.',
    'new-trials': 'Testphasen, die im Zeitraum begannen.',
    'converted-trials': 'Testphasen, die im Zeitraum begannen und irgendwann später abgebucht wurden.',
    'pending-trials': 'Testphasen, die im Zeitraum begannen, noch nicht abgebucht wurden und es noch werden können.',
    'lost-trials': 'Testphasen, die im Zeitraum begannen und nicht mehr abgebucht werden.',
    'trial-conversion':
      'Der Anteil der im Zeitraum begonnenen Testphasen, die irgendwann später abgebucht wurden. Die noch offenen zählen zu den begonnenen; das Diagramm der offenen Testphasen sagt, wie viele es sind. Seine Zeilen sind die abgebuchten Testphasen.',
    arpu: `Nettoumsatz des Zeitraums, geteilt durch die Abonnenten, die irgendwann darin ein bezahltes Abonnement hatten. Er kann hoch sein, wo viele ohne Abonnement kaufen. ${NO_ROWS}`,
    arppu: `Nettoumsatz des Zeitraums, geteilt durch die Abonnenten, denen darin mehr als nichts abgebucht wurde. ${NO_ROWS}`,
    'active-subscribers':
      'Abonnenten, die irgendwann im Zeitraum ein bezahltes Abonnement hatten, jeder einmal gezählt.',
    'paying-subscribers': 'Abonnenten, denen im Zeitraum mehr als nichts abgebucht wurde, jeder einmal gezählt.',
    'new-customers':
      'Abonnenten, denen im Zeitraum mehr als nichts abgebucht wurde und davor nie. Mit einem Filter oder in einer Gruppe zählen nur deren Abbuchungen.',
    ltv: 'Von allen, denen im Zeitraum mehr als nichts abgebucht wurde: alles, was sie bis jetzt bezahlt haben, minus was sie zurückbekamen. Der Median ist der mittlere Wert oder der Mittelwert der zwei mittleren; p90 der kleinste Wert, den neun von zehn nicht überschreiten. In einem Projekt mit mehr als 20.000 Abbuchungen wird höchstens einmal in der Stunde gerechnet, weil jede Abbuchung die Vergangenheit ihres Zahlers ändert; das Diagramm sagt, wann. Durchschnitte haben keine Zeilen.',
    'new-subscribers':
      'Personen, die im Zeitraum zum ersten Mal gesehen wurden: durch ein Gerät, Ihren Server, eine Nachricht eines Stores oder einen Import, der das Datum mitbringt. Wer später mit jemandem zusammengeführt wird, zählt weiter. Wer nur in der Sandbox kaufte, zählt dort, alle anderen in der Produktion.',
    sessions: `Wie oft Apps meldeten, dass sie geöffnet wurden. ${SESSION_DAYS}`,
    'play-time': `Die Summe der Längen der Sitzungen, die Apps meldeten. ${SESSION_DAYS}`,
    'session-length': `Wie lang die Sitzungen im Durchschnitt waren, deren Länge Apps meldeten. ${SESSION_DAYS} ${NO_ROWS}`,
    'active-users': `Abonnenten mit mindestens einem Sitzungsereignis im Zeitraum, jeder einmal gezählt: täglich aktive nach Tag, wöchentlich aktive nach Woche, monatlich aktive nach Monat. ${SESSION_DAYS}`,
    'weekly-active-users': `Abonnenten mit mindestens einem Sitzungsereignis in den 7 Tagen, die mit dem letzten Tag des Zeitraums enden, jeder einmal gezählt. ${SESSION_DAYS}`,
    'monthly-active-users': `Abonnenten mit mindestens einem Sitzungsereignis in den 30 Tagen, die mit dem letzten Tag des Zeitraums enden, jeder einmal gezählt. ${SESSION_DAYS}`,
    stickiness: `Von den Abonnenten, die in den 30 Tagen bis zum letzten Tag des Zeitraums aktiv waren, der Anteil, der an diesem Tag aktiv war. Seine Zeilen sind die an ihm aktiven. ${SESSION_DAYS}`,
    'webhook-deliveries': `Zustellungen an Webhook-Endpunkte, die im Zeitraum entstanden. ${DELIVERED}`,
    'webhook-success': `Der Anteil der im Zeitraum entstandenen Zustellungen an Webhook-Endpunkte, die der Empfänger bis jetzt angenommen hat. ${DELIVERED} Seine Zeilen sind die angenommenen.`,
    'user-retention': `Die Abonnenten, deren erstes Sitzungsereignis auf einen Tag des Zeitraums fiel, und der Anteil, der 1, 7, 14 und 30 Tage später an genau diesem Tag aktiv war. Ein Anteil erscheint, wenn dieser Tag für alle vorbei ist. ${SESSION_DAYS} Seine Zeilen sind die aktiven.`,
    'virtual-currency': `Was gewährt, was ausgegeben, was durch Erstattungen und Ablauf entzogen und was zwischen Abonnenten verschoben wurde; Anfang und Ende sind, was alle Abonnenten besitzen. Die Gruppen sind ohne Nachfrage die Währungen nach ihren Codes; die Summen zählen Beträge aller zusammen. ${OPEN_GROUP}`,
    'experiment-conversion': `Abonnenten, die im Zeitraum zum ersten Mal mit einem Experiment in Kontakt kamen, und die davon bis jetzt konvertiert sind, wie seine Ergebnisse zählen: durch ein Ereignis eines Clients oder, wo Käufe eine Metrik sind, durch einen Kauf, während es lief. Die Gruppen sind ohne Nachfrage die Varianten als key/variant. ${OPEN_GROUP}`,
    'placement-conversion': `Abonnenten, die im Zeitraum zum ersten Mal mit einem Experiment in Kontakt kamen, wo die App eine Platzierung des Projekts nannte, und die davon danach bis jetzt in der Produktion kauften, mit einem Beleg, der dieselbe Platzierung nennt. Die Gruppen sind ohne Nachfrage die Platzierungen. ${OPEN_GROUP}`,
    'funnel-sessions': `Besuche veröffentlichter Funnels, die im Zeitraum begannen. Vorschauen zählen nicht. ${KEPT} ${BY_FUNNEL}`,
    'funnel-conversion': `Sitzungen, die im Zeitraum begannen, die davon bis jetzt das Ende erreicht haben, und die, in denen etwas gekauft wurde. ${PAYMENT} ${KEPT} ${BY_FUNNEL}`,
    'funnel-paid-share': `Von den Sitzungen, die im Zeitraum begannen, der Anteil, in dem bis jetzt etwas gekauft wurde. Seine Zeilen sind diese Sitzungen. ${PAYMENT} ${KEPT} ${BY_FUNNEL}`,
    'funnel-steps': `Wie viele der im Zeitraum begonnenen Sitzungen jede Seite sahen und wie viele von dort weitergingen. Schritte gehören zu keiner Umgebung. ${KEPT} Die Gruppen sind ohne Nachfrage die Seiten als funnel/page; die Summen zählen alle Seiten zusammen. ${OPEN_GROUP}`,
    'funnel-sources': `Sitzungen, die im Zeitraum begannen, und die davon, in denen bis jetzt etwas gekauft wurde, nach der utm_source der Adresse. ${PAYMENT} ${KEPT} Die Gruppen sind ohne Nachfrage die Herkünfte; die leere ist die der Sitzungen ohne Herkunft. ${OPEN_GROUP}`,
    'funnel-revenue': `Abbuchungen von Käufen, die in einem Funnel gemacht wurden, am Tag der Abbuchung, auch Verlängerungen; was davon zurückgegeben wurde, an dem Tag, an dem es geschah; und der Unterschied. ${BY_FUNNEL}`,
    'funnel-session-value': `Was die im Zeitraum begonnenen Sitzungen bis jetzt im Durchschnitt gebracht haben: Abbuchungen minus Erstattungen, auch Verlängerungen. ${NO_ROWS} ${KEPT} ${FUNNELS}`,
    'funnel-claim-share': `Von den im Zeitraum begonnenen Sitzungen, in denen etwas gekauft wurde, der Anteil, dessen Kauf bis jetzt in der App geöffnet wurde. Seine Zeilen sind diese Sitzungen. ${BY_FUNNEL}`,
  },
}
