export const texts = {
  timeout: 'Es kam nicht rechtzeitig eine Antwort.',
  unreachable: 'Keine Verbindung: Host, Port oder Zertifikat stimmen nicht, oder dort antwortet nichts.',
  too_large: 'Die Antwort war zu groß.',
  disabled: 'Es wurde ausgeschaltet, während diese Zustellung wartete.',
  deleted: 'Es wurde gelöscht, während diese Zustellung wartete.',
  secret_unreadable: 'Das gespeicherte Geheimnis lässt sich mit dem Hauptschlüssel dieses Servers nicht öffnen.',
  event_expired: 'Das Ereignis wird nicht mehr aufbewahrt.',
  body_gone: 'Der Inhalt wird nicht mehr aufbewahrt.',
  no_mapping: 'Der Empfänger kennt kein Ereignis dieses Typs.',
  filtered_by_event_scope:
    'Das Ereignis gehört nicht zu dem, was gesendet wird: Sein Typ ist nicht gewählt, oder es ist zu alt.',
  no_consent: 'Die Person hat dem Tracking nicht zugestimmt, also darf keine Geräte-ID gesendet werden.',
  sandbox: 'Es ist ein Sandbox-Ereignis, und die Verbindung sendet diese nicht.',
  missing_identity: 'Nichts ist bekannt, woran der Dienst die Person erkennen könnte.',
  internal: 'Es ist in diesem Server fehlgeschlagen. Das Protokoll sagt mehr.',
}
