import type { Sql } from 'postgres'
import { hasCode } from './errors'

/** A connection keeps a prepared statement until it closes, so their number has a limit. */
const MAX_PREPARED = 400
const MAX_COUNTED = 2000
/** From this use on a text is prepared. A statement whose text is used once would only fill the server's memory. */
const HOT_USE = 2

/** How to execute a statement once. */
interface Use {
  text: string
  isPrepared: boolean
  generation: number
}

/**
 * Decides which statements are prepared: those whose text comes again. A prepared statement takes one round trip and no
 * parsing. Any other statement with values takes two, because the driver asks for their types first.
 */
export class HotStatements {
  private readonly prepared = new Set<string>()
  private readonly uses = new Map<string, number>()
  private generation = 0

  /** `isOn` is false behind a pooler that gives each transaction another connection. */
  constructor(private isOn: boolean) {}

  use(text: string): Use {
    const { generation } = this
    const isPrepared = this.isOn && this.isHot(text)
    return { text: isPrepared && generation > 0 ? `${text} --${generation}` : text, isPrepared, generation }
  }

  /**
   * Call this when a statement has failed. True when a prepared statement was the reason, so that it can be executed
   * again: it no longer fitted its tables, because another process has changed them (then every text is prepared anew
   * under another name), or the server does not have it, because a pooler has given this process another connection
   * (then nothing is prepared any more).
   */
  repair(error: unknown, generation: number): boolean {
    if (isUnknownStatement(error)) this.isOn = false
    else if (isPlanOutdated(error) && generation === this.generation) this.generation++
    return this.isReason(error)
  }

  /** Whether a prepared statement is the reason of a failure. */
  isReason(error: unknown): boolean {
    return isUnknownStatement(error) || isPlanOutdated(error)
  }

  private isHot(text: string): boolean {
    if (this.prepared.has(text)) return true
    if (this.prepared.size >= MAX_PREPARED) return false
    const uses = (this.uses.get(text) ?? 0) + 1
    if (uses >= HOT_USE) {
      this.uses.delete(text)
      this.prepared.add(text)
      return true
    }
    if (this.uses.size >= MAX_COUNTED) this.uses.clear()
    this.uses.set(text, uses)
    return false
  }
}

const isPlanOutdated = (error: unknown): boolean => hasCode(error, (code) => code === '0A000')

const isUnknownStatement = (error: unknown): boolean => hasCode(error, (code) => code === '26000' || code === '42P05')

type Unsafe = Parameters<Sql['unsafe']>
type Query = ReturnType<Sql['unsafe']>

/**
 * Executes a statement. The driver must not execute a failed one again by itself: it would send it between the messages
 * of the statements behind it. It only does so for a query that it takes for prepared.
 */
export function execute(client: Pick<Sql, 'unsafe'>, { text, isPrepared }: Use, values: Unsafe[1]): Query {
  if (!isPrepared) return client.unsafe(text, values, { prepare: false })
  const onexecute = () => {
    Object.assign(query, { prepared: false })
    return true
  }
  const options = { prepare: true, simple: false, onexecute }
  const query: Query = client.unsafe(text, values, options)
  return query
}

/**
 * Makes the driver never prepare the statements that it writes itself. When a pooler has lost a prepared `commit`, the
 * transaction has failed; executed again, that `commit` would roll it back without an error.
 */
export function leaveControlUnprepared(client: Sql): void {
  const prototype = Object.getPrototypeOf(client.unsafe('')) as { handle: (this: object) => unknown }
  const { handle } = prototype
  if (handle.name === UNPREPARED) return
  const unprepared = {
    [UNPREPARED](this: { options: object }) {
      if (!('prepare' in this.options)) Object.assign(this.options, { prepare: false })
      return handle.call(this)
    },
  }
  Object.assign(prototype, { handle: unprepared[UNPREPARED] })
}

const UNPREPARED = 'handleUnprepared'
