export const texts = {
  timeout: 'No answer came in time.',
  unreachable: 'No connection could be made: the host, the port or the certificate is wrong, or nothing listens there.',
  too_large: 'The answer was too large.',
  disabled: 'It was switched off while this delivery waited.',
  deleted: 'It was deleted while this delivery waited.',
  secret_unreadable: 'The saved secret cannot be opened with the master key of this server.',
  event_expired: 'The event is not kept any more.',
  body_gone: 'The body is not kept any more.',
  no_mapping: 'The receiver knows no event of this type.',
  filtered_by_event_scope:
    'The event is outside of what the connection sends: its type is not chosen, or it is too old.',
  no_consent: 'The person has not consented to tracking, so no device id may be sent.',
  sandbox: 'It is a sandbox event, and the connection does not send those.',
  missing_identity: 'Nothing is known by which the service could tell the person.',
  internal: 'It failed inside of this server. The log says more.',
}
