/** What is wrong with an address that a user gave, worded to follow the name of the field. */
export const ADDRESS_REASONS = {
  ADDRESS_MALFORMED: 'must be an absolute https address',
  ADDRESS_SCHEME: 'must be an https address',
  ADDRESS_USERINFO: 'must not contain a user name or a password',
  ADDRESS_INSECURE: 'must begin with https, not http',
  ADDRESS_CREDENTIALS_SHAPE: 'must not contain a secret in its query',
  ADDRESS_HOST_NOT_ALLOWED: 'must name a host of the public internet',
  ADDRESS_PRIVATE_ADDRESS: 'must not lead to a private network',
  ADDRESS_NOT_ROUTABLE: 'must not lead to a reserved address',
  ADDRESS_UNRESOLVABLE: 'must name a host that can be found, and its name has no address yet',
  ADDRESS_WITH_PATH: 'must be an https address without a path',
} as const
