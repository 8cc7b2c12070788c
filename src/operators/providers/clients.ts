import type { ClientAuth, Configuration } from 'openid-client'
import type { Config } from '../../base/config'
import type { Provider } from './model'

const library = () => import('openid-client')
const TIMEOUT_SECONDS = 8
/** The metadata of an OpenID Connect issuer is read again after this time. */
const LIFE_MS = 60 * 60_000
/** By so much the clocks of this machine and of a provider may differ. */
const CLOCK_LEEWAY_SECONDS = 60

interface Client {
  configuration: Configuration
  readAt: number
}

/** The clients at the providers. Google's and GitHub's addresses are fixed; those of another issuer are discovered. */
export class ProviderClients {
  private readonly clients = new Map<Provider, Promise<Client>>()

  constructor(
    private readonly config: Config,
    private readonly now: () => number,
  ) {}

  isConfigured(provider: Provider): boolean {
    return this.config.oauth[provider] !== null
  }

  /** Rejects when the issuer's metadata cannot be read. */
  async of(provider: Provider): Promise<Configuration> {
    const known = await this.clients.get(provider)?.catch(() => null)
    if (known && this.now() - known.readAt < LIFE_MS) return known.configuration
    const made = this.make(provider)
    this.clients.set(provider, made)
    made.catch(() => this.clients.delete(provider))
    return (await made).configuration
  }

  private async make(provider: Provider): Promise<Client> {
    const configuration = provider === 'oidc' ? await this.discover() : await this.fixed(provider)
    configuration.timeout = TIMEOUT_SECONDS
    return { configuration, readAt: this.now() }
  }

  private async discover(): Promise<Configuration> {
    const { allowInsecureRequests, clockTolerance, discovery, enableNonRepudiationChecks } = await library()
    const { oidc } = this.config.oauth
    if (!oidc) throw new Error('no OpenID Connect issuer is configured')
    const issuer = new URL(oidc.issuer)
    const execute = [enableNonRepudiationChecks, ...(isLoopback(issuer) ? [allowInsecureRequests] : [])]
    const client = { client_secret: oidc.secret, [clockTolerance]: CLOCK_LEEWAY_SECONDS }
    return discovery(issuer, oidc.id, client, await secretAuth(oidc.secret), { execute, timeout: TIMEOUT_SECONDS })
  }

  private async fixed(provider: 'google' | 'github'): Promise<Configuration> {
    const { allowInsecureRequests, clockTolerance, Configuration, enableNonRepudiationChecks } = await library()
    const client = this.config.oauth[provider]
    if (!client) throw new Error(`${provider} is not configured`)
    const addresses = provider === 'google' ? googleAddresses(this.config) : githubAddresses(this.config)
    const metadata = { client_secret: client.secret, [clockTolerance]: CLOCK_LEEWAY_SECONDS }
    const made = new Configuration(addresses, client.id, metadata)
    if (isLoopback(new URL(addresses.token_endpoint))) allowInsecureRequests(made)
    if (provider === 'google') enableNonRepudiationChecks(made)
    return made
  }
}

/** Sends the secret in the body, or in the header to providers whose metadata do not list the body. */
async function secretAuth(secret: string): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost } = await library()
  const [inBody, inHeader] = [ClientSecretPost(secret), ClientSecretBasic(secret)]
  return (server, ...call) => {
    const listed = server.token_endpoint_auth_methods_supported
    const isBody = !listed || listed.includes('client_secret_post')
    return (isBody ? inBody : inHeader)(server, ...call)
  }
}

/** Only tests have providers on this machine. */
const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)

function googleAddresses({ oauthUrls: { google } }: Config) {
  if (google === null)
    return {
      issuer: 'https://accounts.google.com',
      authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
      token_endpoint: 'https://oauth2.googleapis.com/token',
      jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
    }
  return {
    issuer: google,
    authorization_endpoint: `${google}/authorize`,
    token_endpoint: `${google}/token`,
    jwks_uri: `${google}/jwks`,
  }
}

function githubAddresses({ oauthUrls: { github } }: Config) {
  const base = `${github ?? 'https://github.com'}/login/oauth` // The callback names this issuer, to the letter.
  return { issuer: base, authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/access_token` }
}

/** The address of GitHub's REST interface. */
export const githubApi = ({ oauthUrls: { github } }: Config): string =>
  github === null ? 'https://api.github.com' : `${github}/api`

export { library as openidClient, TIMEOUT_SECONDS }
