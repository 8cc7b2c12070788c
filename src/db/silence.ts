import type { Sql, TransactionSql } from 'postgres'

/** Above the server's own statement timeout, below the 8 s in which an answer must leave (wire 3.2). */
export const SILENCE_MS = 7500

type Work = (tx: TransactionSql) => unknown

/**
 * A client whose queries fail when the server falls silent: one that hangs, or whose network is gone without a word,
 * never says so itself. What it was doing goes on; only the wait ends.
 */
export function failingOnSilence(client: Sql): Sql {
  const unsafe = (...query: Parameters<Sql['unsafe']>) => limited(client.unsafe(...query))
  const begin = (...args: [...options: string[], work: Work]) => watched(client, args)
  return replacing(client, { unsafe, begin })
}

/** A query starts when it is awaited, as rows or as values; the wait starts then too. */
const limited = (query: ReturnType<Sql['unsafe']>) => ({
  // biome-ignore lint/suspicious/noThenProperty: drizzle awaits what it is given, or asks for the values first.
  then: (resolve: (rows: unknown) => unknown, reject: (error: unknown) => unknown) =>
    new Silence().orResult(query).then(resolve, reject),
  values: () => new Silence().orResult(query.values()),
})

/** A transaction may take long, but no step of it. */
function watched(client: Sql, args: [...options: string[], work: Work]): Promise<unknown> {
  const silence = new Silence()
  const [work, ...options] = [args.at(-1) as Work, ...(args.slice(0, -1) as string[])]
  return silence.orResult(client.begin(options.join(' '), (tx) => work(stepping(tx, silence))))
}

function stepping(tx: TransactionSql, silence: Silence): TransactionSql {
  const unsafe = (...query: Parameters<Sql['unsafe']>) => {
    silence.isBroken()
    return tx.unsafe(...query)
  }
  const savepoint = (work: Work) => tx.savepoint((inner) => work(stepping(inner, silence)))
  return replacing(tx, { unsafe, savepoint })
}

const replacing = <Target extends object>(target: Target, members: Record<string, unknown>): Target =>
  new Proxy(target, {
    get: (inner, name) =>
      typeof name === 'string' && Object.hasOwn(members, name) ? members[name] : Reflect.get(inner, name),
  })

class Silence {
  private readonly tooLong = Promise.withResolvers<never>()
  private timer = this.start()

  /** Something was heard: the wait begins again. */
  isBroken(): void {
    clearTimeout(this.timer)
    this.timer = this.start()
  }

  async orResult<Result>(work: PromiseLike<Result>): Promise<Result> {
    try {
      return await Promise.race([work, this.tooLong.promise])
    } finally {
      clearTimeout(this.timer)
    }
  }

  private start(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.tooLong.reject(silent()), SILENCE_MS)
  }
}

const silent = (): Error =>
  Object.assign(new Error(`the database has not answered for ${SILENCE_MS} ms`), { code: 'CONNECT_TIMEOUT' })
