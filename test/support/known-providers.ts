import type { IdpPerson } from './identity-provider'

/** How a provider in use differs from others, by its documentation: issuer, metadata, claims, callback. */
export interface KnownProvider {
  name: string
  /** What follows the host in the issuer, to the letter. */
  issuerPath: string
  metadata: {
    token_endpoint_auth_methods_supported: readonly string[]
    authorization_response_iss_parameter_supported?: boolean
  }
  /** The claims about a person in the id token, beside those of every token. */
  idToken: (person: IdpPerson) => Record<string, unknown>
  /** The claims at the userinfo address; null = it has no such address. */
  userInfo: ((person: IdpPerson) => Record<string, unknown>) | null
  /** Parameters that the provider adds to the callback. */
  callback?: Readonly<Record<string, string>>
  /** Whether it leaves out whether an address is verified. */
  isSilent?: boolean
}

const BOTH = { token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'] }

const usual = ({ sub, email, email_verified, name }: IdpPerson) => ({
  sub,
  email,
  email_verified,
  ...(name !== undefined && { name }),
})

export const KNOWN_PROVIDERS: readonly KnownProvider[] = [
  {
    name: 'Authentik',
    issuerPath: '/application/o/svc/',
    metadata: BOTH,
    idToken: (person) => ({
      ...usual(person),
      preferred_username: 'ada',
      nickname: 'ada',
      groups: [],
      acr: 'goauthentik.io/providers/oauth2/default',
    }),
    userInfo: usual,
  },
  {
    name: 'Keycloak',
    issuerPath: '/realms/svc',
    metadata: { ...BOTH, authorization_response_iss_parameter_supported: true },
    idToken: (person) => ({
      ...usual(person),
      typ: 'ID',
      azp: 'client',
      acr: '1',
      sid: 's',
      preferred_username: 'ada',
    }),
    userInfo: usual,
    callback: { session_state: 's' },
  },
  {
    name: 'Google',
    issuerPath: '',
    metadata: BOTH,
    idToken: (person) => ({ ...usual(person), azp: 'client', hd: 'example.com', picture: 'https://example.com/a.png' }),
    userInfo: usual,
    callback: { scope: 'email profile openid', authuser: '0', prompt: 'none', hd: 'example.com' },
  },
  {
    name: 'Microsoft Entra',
    issuerPath: '/8f5c4a1e-0000-4000-8000-000000000001/v2.0',
    metadata: {
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
    },
    idToken: ({ sub, email, name }) => ({
      sub,
      email,
      name,
      oid: 'o',
      tid: 't',
      ver: '2.0',
      preferred_username: email,
    }),
    userInfo: ({ email, name }) => ({ email, name, family_name: 'L' }),
    callback: { session_state: 's' },
    isSilent: true,
  },
  {
    name: 'Okta', // With the code flow the id token has few claims; the rest is at userinfo.
    issuerPath: '/oauth2/default',
    metadata: BOTH,
    idToken: ({ sub }) => ({ sub, ver: 1, jti: 'j', amr: ['pwd', 'mfa'], idp: 'i' }),
    userInfo: (person) => ({ ...usual(person), zoneinfo: 'America/Los_Angeles', updated_at: 1_700_000_000 }),
  },
  {
    name: 'Auth0',
    issuerPath: '/',
    metadata: { token_endpoint_auth_methods_supported: ['client_secret_post'] },
    idToken: (person) => ({ ...usual(person), nickname: 'ada', updated_at: '2026-01-01T00:00:00.000Z', sid: 's' }),
    userInfo: usual,
  },
  {
    name: 'GitLab',
    issuerPath: '/gitlab',
    metadata: BOTH,
    idToken: ({ sub, email }) => ({ sub, sub_legacy: 'x', auth_time: 1_700_000_000, email, groups_direct: ['a/b'] }),
    userInfo: usual,
  },
  {
    name: 'Amazon Cognito', // Booleans at userinfo are texts.
    issuerPath: '/eu-central-1_AbCdEfGhI',
    metadata: { token_endpoint_auth_methods_supported: ['client_secret_basic'] },
    idToken: ({ sub }) => ({ sub, token_use: 'id', 'cognito:username': 'ada' }),
    userInfo: (person) => ({ ...usual(person), email_verified: String(person.email_verified) }),
  },
]
