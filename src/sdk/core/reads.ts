import type { Core } from './core'
import { garbled, isOffline, SvcError } from './error'
import { ANSWERS } from './keys'
import type { ChangeType, DehydratedState, Kept, Read } from './model'
import { type Part, VALUES, type Values } from './values'

const FRESH = 60_000

export interface Reads {
  /** Reads a part: the last answer while it is younger than `maxAgeMs`, else a new one. */
  read<P extends Part>(part: P, maxAgeMs?: number): Promise<Read<Values[P]>>
  /** The last answer of the present user, without asking. The object stays the same until the answer changes. */
  peek<P extends Part>(part: P): Read<Values[P]> | null
  /** Keeps an answer of the server. Throws when it is none. */
  keep(part: Part, data: unknown, at?: number): void
  /** Reads the parts again whose answers are as old as `age` or older, in one request. Never rejects. */
  refresh(parts: readonly Part[], age?: number): Promise<unknown>
  /** Forgets what memory has: another user is there. */
  forget(): void
  dehydrate(): DehydratedState
  hydrate(state: DehydratedState): void
}

const ROUTES: Record<Part, [path: string, change?: ChangeType]> = {
  entitlements: ['/me/entitlements', 'ENTITLEMENTS_CHANGED'],
  config: ['/config?subscriberId=', 'REMOTE_CONFIG_CHANGED'],
  offerings: ['/offerings'],
  balances: ['/virtual-currencies/me', 'VIRTUAL_CURRENCIES_CHANGED'],
}

export const PARTS = Object.keys(ROUTES) as Part[]

type Answers = Partial<Record<Part, unknown>> & { errors?: Partial<Record<Part, { code: string }>> }

/** `bound` ends when the server knows who is asked about. */
export function createReads(core: Core, bound: () => Promise<unknown>): Reads {
  const { memory, clock, identity } = core
  let shown: Record<string, unknown> = {}
  let asked: Record<string, Promise<void>> = {}
  let wanted: Part[] = []
  let batch: Promise<Answers> | undefined

  const keyOf = (part: Part) => `${ANSWERS}${core.scope()}.${part}`
  const keptOf = (part: Part) => memory.get<Kept>(keyOf(part))
  /** Undefined when the data is something else, also in a storage that others have written. */
  const decode = <P extends Part>(part: P, data: unknown): Values[P] | undefined => {
    try {
      return VALUES[part](data as never, clock.now())
    } catch {}
  }
  const lastOf = <P extends Part>(part: P, isStale: boolean): Read<Values[P]> | null => {
    const kept = keptOf(part)
    const value = kept && decode(part, kept.data)
    return value ? { value, isStale, fetchedAt: kept.at } : null
  }
  const isOlder = (part: Part, age: number): boolean => {
    const is = clock.now() - (keptOf(part)?.at ?? Number.NaN)
    return !(is >= 0 && is < age) // Below zero the clock was set back.
  }
  /** One request for all parts that are wanted at the same time. */
  const request = async (): Promise<Answers> => {
    let parts: Part[] = []
    await bound().finally(() => {
      batch = undefined
      parts = [...new Set(wanted)]
      wanted = []
    })
    const [only = 'config', more] = parts
    const path = more ? `/me/bootstrap?include=${parts}` : ROUTES[only][0]
    const data = await core.send<Answers>(path + (path.endsWith('=') ? encodeURIComponent(identity().deviceKey) : ''))
    return more ? data : { [only]: data }
  }
  const ask = async (part: Part): Promise<void> => {
    const scope = core.scope()
    wanted.push(part)
    batch ??= Promise.resolve().then(request)
    const { errors, [part]: data } = await batch
    if (scope !== core.scope()) return ask(part)
    const fault = errors?.[part]
    if (fault) throw new SvcError('ServerError', `${part} failed`, { status: 503, code: fault.code })
    reads.keep(part, data)
  }
  const once = (part: Part): Promise<void> => {
    const mine = asked
    mine[part] ??= ask(part).finally(() => delete mine[part])
    return mine[part]
  }
  const reads: Reads = {
    async read(part, maxAgeMs = FRESH) {
      try {
        if (isOlder(part, maxAgeMs)) await once(part)
      } catch (error) {
        const cached = lastOf(part, true)
        if (cached && isOffline(error)) return cached
        throw Object.assign(error as SvcError, cached && { cached })
      }
      return lastOf(part, false) ?? reads.read(part)
    },
    peek: <P extends Part>(part: P) => {
      shown[part] ??= lastOf(part, false)
      return shown[part] as Read<Values[P]> | null
    },
    keep(part, data, at = clock.now()) {
      if (!decode(part, data)) throw garbled()
      delete shown[part]
      memory.set(keyOf(part), { data, at })
      const change = ROUTES[part][1]
      if (change) core.emit(change)
    },
    refresh: (parts, age = 0) => Promise.all(parts.filter((part) => isOlder(part, age)).map(once)).catch(() => {}),
    forget() {
      shown = {}
      asked = {}
    },
    dehydrate: () => ({ config: keptOf('config'), offerings: keptOf('offerings') }),
    hydrate(state) {
      for (const part of PARTS) {
        const kept = state[part as 'config']
        if (kept) reads.keep(part, kept.data, kept.at)
      }
    },
  }
  return reads
}
