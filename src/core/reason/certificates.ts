/** Why a name of this server has no certificate, or why certificate files cannot be served. */
export const CERTIFICATE_REASONS = {
  TLS_FILES_AWAY: 'SVC_TLS names a file that cannot be read: {words}',
  TLS_FILES_WRONG: 'SVC_TLS {message} ({certificate}, {key})',
  TLS_NO_CERTIFICATE: 'has no certificate in PEM',
  TLS_NO_KEY: 'has a key that is no unencrypted PEM',
  TLS_OTHER_KEY: 'has a key of another certificate',
  TLS_NO_NAME: 'has a certificate without a name (subjectAltName)',
  TLS_AUTHORITY_SAYS: 'The certificate authority says: {words}',
  TLS_AUTHORITY_UNUSABLE: 'The certificate authority gave no usable answer: {words}',
  TLS_NO_PROFILE: 'The certificate authority has no profile {name} (SVC_ACME_PROFILE); {words}',
  TLS_NO_ADDRESS: '{name} has no A or AAAA record yet',
  TLS_NOT_PUBLIC: '{name} leads to {address}, which is no public address',
  TLS_NOT_REACHED: '{name} does not reach this server: {words}',
  TLS_NOT_LISTENING: 'this process does not listen',
  TLS_NOT_VALID: 'The certificate is not valid now; the clock of this machine may be wrong',
  TLS_CLOCK_BEHIND: 'The clock of this machine is {hours} h behind that of the certificate authority; set it',
  TLS_CLOCK_AHEAD: 'The clock of this machine is {hours} h ahead of that of the certificate authority; set it',
} as const
