import { createFakeClock, type FakeClock } from '../cases/fake-clock'
import { settle } from '../cases/settle'
import { type Answer, createStandIn, type Recorded, type StandIn } from '../cases/stand-in'
import type { InnerClient } from './client'
import { createWith } from './configure'
import type { Globals } from './globals'
import type { Options } from './model'

export const API_KEY = 'svc_pub_0123456789abcdefghijABCDEFGHIJkl'

type Listener = (event: never) => void

/** Sends events to those who listen. */
export class FakeTarget {
  private readonly listeners: [type: string, listener: Listener][] = []

  addEventListener = (type: string, listener: Listener): void => void this.listeners.push([type, listener])

  removeEventListener = (type: string, listener: Listener): void => {
    const at = this.listeners.findIndex(([kind, known]) => kind === type && known === listener)
    if (at >= 0) this.listeners.splice(at, 1)
  }

  send(type: string, event: object = {}): void {
    for (const [kind, listener] of [...this.listeners]) if (kind === type) listener(event as never)
  }

  get count(): number {
    return this.listeners.length
  }
}

/** The storage of a site, as all its tabs see it. A tab does not hear of its own writes. */
export class FakeSite {
  readonly kept = new Map<string, string>()
  readonly tabs: FakeBrowser[] = []
  /** Writes throw when more characters than these would be kept. */
  room = Number.POSITIVE_INFINITY
  isForbidden = false

  storageOf(tab: FakeBrowser) {
    const check = () => {
      if (this.isForbidden) throw new Error('SecurityError')
    }
    const tell = (key: string) => {
      for (const other of this.tabs) if (other !== tab) other.window.send('storage', { key })
    }
    return {
      getItem: (key: string) => {
        check()
        return this.kept.get(key) ?? null
      },
      setItem: (key: string, text: string) => {
        check()
        const others = [...this.kept].reduce((sum, [name, one]) => sum + (name === key ? 0 : one.length), 0)
        if (others + text.length > this.room) throw new Error('QuotaExceededError')
        const before = this.kept.get(key)
        this.kept.set(key, text)
        if (before !== text) tell(key)
      },
      removeItem: (key: string) => {
        check()
        if (this.kept.delete(key)) tell(key)
      },
    }
  }
}

/** A tab of a browser. */
export class FakeBrowser {
  readonly window = new FakeTarget()
  readonly document = Object.assign(new FakeTarget(), { visibilityState: 'visible' })
  readonly navigator: NonNullable<Globals['navigator']> = { onLine: true }
  readonly location = {
    href: 'https://shop.example/',
    origin: 'https://shop.example',
    visited: [] as string[],
    assign: (url: string) => void this.location.visited.push(url),
  }
  readonly warnings: unknown[][] = []
  readonly clock: FakeClock
  readonly server: StandIn = createStandIn()

  constructor(
    readonly site = new FakeSite(),
    clock = createFakeClock(),
  ) {
    this.clock = clock
    site.tabs.push(this)
  }

  get globals(): Globals {
    const { document, navigator, location, window } = this
    return {
      ...{ document, navigator, location },
      localStorage: this.site.storageOf(this),
      addEventListener: window.addEventListener,
      removeEventListener: window.removeEventListener,
      console: { warn: (...parts) => void this.warnings.push(parts) },
      crypto,
      AbortController: AbortController as unknown as NonNullable<Globals['AbortController']>,
      TextDecoder: TextDecoder as unknown as NonNullable<Globals['TextDecoder']>,
      setTimeout: () => undefined,
      clearTimeout: () => undefined,
    }
  }

  /** A client whose code is loaded whole. */
  async configure(options: Partial<Options> = {}): Promise<InnerClient> {
    const { clock, server, globals } = this
    const all = { apiKey: API_KEY, baseUrl: 'https://svc.example', clock, fetch: server.fetch, ...options }
    const client = await createWith(all, { globals })
    await client.inner.late()
    await settle()
    return client
  }

  /** Answers the next request. Throws when there is none. */
  async answer(answer: Answer): Promise<Recorded> {
    await settle()
    const next = this.server.waiting.shift()
    if (!next) throw new Error('There is no request')
    next.answer(answer)
    await settle()
    return next
  }

  async advance(ms: number): Promise<void> {
    const until = this.clock.elapsed() + ms
    await settle()
    while (this.clock.step(until)) await settle()
  }

  show(state: 'visible' | 'hidden'): void {
    this.document.visibilityState = state
    this.document.send('visibilitychange')
  }
}

export const ACCESS = { pro: { isActive: true, expiresDate: null, store: 'PAYMENT', productIdentifier: 'pro_monthly' } }

/** The answer to the first request of a page. */
export const first = (access: object = {}, flags: object = {}): Answer => ({
  data: {
    entitlements: { entitlements: access },
    config: { flags, experiments: {} },
    offerings: { offerings: [] },
    balances: { balances: {} },
  },
})
