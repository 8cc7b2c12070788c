import type { Stage } from './cast'

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const unescaped = (html: string): string => html.replace(/&([a-z0-9#]+);/g, (_, name) => ENTITIES[name] ?? '')

/** A browser without script: it keeps cookies, follows redirects and sends the form of the page with a button. */
export class FunnelBrowser {
  html = ''
  status = 0
  headers = new Headers()
  readonly cookies = new Map<string, string>()

  constructor(
    private readonly s: Stage,
    private readonly path: string,
    private readonly options: { language?: string; keepsCookies?: boolean } = {},
  ) {}

  open = (query = ''): Promise<this> => this.#load('GET', `${this.path}${query}`)

  /** Sends the form with the hidden fields of the whole page, and what is given. `html`: an older page, as in another tab. */
  send(more: Record<string, string | string[]> = {}, html = this.html): Promise<this> {
    const action = /<form id="page" action="([^"]*)"/.exec(html)?.[1] ?? ''
    const form = new URLSearchParams()
    for (const [input] of html.matchAll(/<input [^>]*type="hidden"[^>]*>/g)) {
      const memberOf = (name: string) => unescaped(new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1] ?? '')
      form.append(memberOf('name'), memberOf('value'))
    }
    for (const [name, values] of Object.entries(more)) for (const value of [values].flat()) form.append(name, value)
    return this.#load('POST', unescaped(action), form.toString())
  }

  /** The values of the buttons that pay, as the visitor sees them. */
  get buttons(): string[] {
    const shown = /<button (?![^>]*(?:aria-hidden|formnovalidate))[^>]*name="pay" value="([^"]*)"/g
    return [...this.html.matchAll(shown)].map(([, value]) => value ?? '')
  }

  /** Name and value of the first button of the page that sends the form: a browser presses it for Enter. */
  get enter(): string {
    const [first = ''] = [...this.html.matchAll(/<button (?![^>]*type="button")[^>]*>/g)].map(([whole]) => whole)
    return [/name="([^"]*)"/, /value="([^"]*)"/].map((member) => member.exec(first)?.[1]).join('=')
  }

  /** The plan that is chosen. */
  get plan(): string | undefined {
    return /<input type="radio" name="package" value="([^"]*)" checked/.exec(this.html)?.[1]
  }

  get alert(): string | null {
    return unescaped(/role="alert">([^<]+)</.exec(this.html)?.[1] ?? '') || null
  }

  get title(): string {
    return unescaped(/<title>([^<]*)/.exec(this.html)?.[1] ?? '')
  }

  async #load(method: string, path: string, body?: string): Promise<this> {
    const { language = 'en', keepsCookies = true } = this.options
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
    const request = new Request(`http://localhost${path}`, {
      ...{ method, headers: { 'accept-language': language, cookie, ...type } },
      ...(body !== undefined && { body }),
    })
    const answer = await this.s.app.handle(request)
    for (const line of keepsCookies ? answer.headers.getSetCookie() : []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.cookies.set(name, value)
    }
    this.headers = answer.headers
    this.status = answer.status
    this.html = await answer.text()
    const location = answer.headers.get('location')
    return answer.status === 303 && location !== null ? this.#load('GET', location) : this
  }
}
