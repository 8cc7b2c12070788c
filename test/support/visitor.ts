import type { Answer, Stage } from './cast'

export const ORIGIN = 'http://localhost'
export const PASSWORD = 'correct horse battery'

interface Options {
  headers?: Record<string, string>
  /** Null = no Origin header. */
  origin?: string | null
  /** Sent as they are, in place of those that the server has set. */
  cookies?: string
}

/** A browser at the dashboard: it keeps the cookies that the server sets. */
export class Visitor {
  readonly cookies = new Map<string, string>()

  /** `ip`: the client address, where the stage trusts one proxy. */
  constructor(
    private readonly s: Stage,
    private readonly ip = '203.0.113.1',
    private readonly origin = ORIGIN,
  ) {}

  async call(method: string, path: string, body?: unknown, options: Options = {}): Promise<Answer> {
    const origin = options.origin === undefined ? (method === 'GET' ? null : this.origin) : options.origin
    const cookie = options.cookies ?? [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await this.s.call(method, path, {
      key: null,
      headers: {
        'x-forwarded-for': this.ip,
        ...(cookie === '' ? {} : { cookie }),
        ...(origin === null ? {} : { origin }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    for (const line of answer.headers.getSetCookie()) this.keep(line)
    return answer
  }

  private keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '') this.cookies.delete(name)
    else this.cookies.set(name, value)
  }

  get = (path: string, options?: Options) => this.call('GET', path, undefined, options)
  post = (path: string, body: unknown = {}, options?: Options) => this.call('POST', path, body, options)
  put = (path: string, body: unknown, options?: Options) => this.call('PUT', path, body, options)
  patch = (path: string, body: unknown, options?: Options) => this.call('PATCH', path, body, options)
  delete = (path: string, body?: unknown, options?: Options) => this.call('DELETE', path, body, options)

  signIn = (email: string, password = PASSWORD) => this.post('/api/auth/sign-in', { email, password })
}

/** What was refused. */
export const refusal = ({ status, body }: Answer): unknown[] => [status, body?.error?.code]
