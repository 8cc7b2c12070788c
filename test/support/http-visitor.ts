import { PASSWORD } from './visitor'

export interface Told {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes; the schemas are checked elsewhere.
  body: any
}

/** A browser that calls a server over the network and keeps its cookies. Other servers of the deployment get them too. */
export class HttpVisitor {
  readonly cookies = new Map<string, string>()

  constructor(
    readonly url: string,
    /** The client address, where the server trusts one proxy. */
    private readonly ip = '203.0.113.1',
  ) {}

  /** The same browser at another server of the deployment. */
  at(url: string): HttpVisitor {
    const other = new HttpVisitor(url, this.ip)
    for (const [name, value] of this.cookies) other.cookies.set(name, value)
    return other
  }

  async call(method: string, path: string, body?: unknown): Promise<Told> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      keepalive: false,
      headers: {
        'x-forwarded-for': this.ip,
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(method === 'GET' ? {} : { origin: this.url }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }

  get = (path: string) => this.call('GET', path)
  post = (path: string, body: unknown = {}) => this.call('POST', path, body)

  signUp = (email: string, token: object = {}) =>
    this.post('/api/auth/sign-up', { email, name: email, password: PASSWORD, ...token })
  signIn = (email: string, password = PASSWORD) => this.post('/api/auth/sign-in', { email, password })
}

/** The data of an answer that must be a success. */
export async function told(call: Promise<Told>) {
  const { status, body } = await call
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.data
}
