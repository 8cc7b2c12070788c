import { ANSWERS } from './keys'
import type { Log, Storage } from './model'

/** With the short values beside it, at most 262,144 characters are kept. */
const MOST = 251_000

/** Values by key, in memory and in a storage. Reading never waits for the storage. */
export interface Memory {
  get<T>(key: string): T | undefined
  /** Reads a key again that another tab may have written. With a storage that answers later, what memory has. */
  fresh<T>(key: string): T | undefined
  /** `undefined` removes the key. */
  set(key: string, value: unknown): void
  /** The keys of answers that are kept, as another tab may have written them. */
  answers(): string[]
}

const INDEX = 'x'
/** From how many characters on something that is no answer makes answers go. There are seven keys of such values. */
const LONG = 1500

/** The lengths of the answers that are kept, the oldest first. */
type Lengths = Record<string, number>

/** Loads what the storage holds. `own` starts the keys of the present user; answers of others are the first to go. */
export async function openMemory(
  storage: Storage | undefined,
  { prefix, own, log }: { prefix: string; own(): string; log: Log },
  fixed: readonly string[],
): Promise<Memory> {
  const values = new Map<string, unknown>()
  let kept = storage
  let before: Promise<unknown> | undefined
  const fail = (): void => {
    if (kept) log('warn', 'The storage fails; nothing is kept.')
    kept = undefined
  }
  const take = (key: string, text: unknown): void => {
    try {
      if (text === null) values.delete(key)
      else if (text) values.set(key, JSON.parse(text as string))
    } catch {}
  }
  /** Runs at once with a storage that answers at once, else after what was started before. */
  const run = (work: () => unknown, failed = fail): void => {
    if (before) before = before.then(work).catch(failed)
    else
      try {
        const answer = work() as Promise<unknown> | undefined
        if (answer?.then) before = answer.catch(failed)
      } catch {
        failed()
      }
  }
  const write = (key: string, failed?: () => void): void =>
    run(() => kept?.set(prefix + key, JSON.stringify(values.get(key))), failed)
  const load = async (key: string) => {
    try {
      take(key, await kept?.get(prefix + key))
    } catch {
      fail()
    }
  }
  const index = (): Lengths => memory.fresh(INDEX) ?? {}
  const lengthOf = (key: string): number => JSON.stringify(values.get(key) ?? '').length
  /**
   * Removes answers from the storage until what is kept is short enough: those of others and old ones first. Memory keeps
   * those of the present user, so that this session continues with them. Returns how long the rest is.
   */
  const shrink = (lengths: Lengths, most: number, failed: () => void, except: string): number => {
    const isOwn = (key: string) => +key.startsWith(own())
    let total = fixed.reduce((sum, key) => sum + lengthOf(key), 0)
    for (const key in lengths) total += 30 + 2 * key.length + (lengths[key] ?? 0) // It is also in the index.
    for (const key of Object.keys(lengths).sort((a, b) => isOwn(a) - isOwn(b)))
      if (total > most && key !== except) {
        total -= lengths[key] ?? 0
        delete lengths[key]
        if (!isOwn(key)) values.delete(key)
        erase(key)
      }
    values.set(INDEX, lengths)
    write(INDEX, failed)
    return total
  }
  const erase = (key: string): void => run(() => kept?.remove(prefix + key))
  const memory: Memory = {
    get: <T>(key: string) => values.get(key) as T | undefined,
    fresh: <T>(key: string) => {
      try {
        if (kept && !before) take(key, kept.get(prefix + key))
      } catch {
        fail()
      }
      return memory.get<T>(key)
    },
    set(key, value) {
      values.set(key, value)
      const { [key]: _, ...lengths } = index()
      const length = lengthOf(key)
      const isAnswer = key.startsWith(ANSWERS)
      let isKept = value !== undefined && length < MOST
      if (isAnswer && isKept) lengths[key] = length
      const evict = () => shrink(lengths, 0, fail, key)
      if (isAnswer || length > LONG) isKept = shrink(lengths, MOST, evict, key) <= MOST && isKept
      if (isKept)
        write(key, () => {
          evict()
          write(key)
        })
      else erase(key)
    },
    answers: () => Object.keys(index()),
  }
  await Promise.all([INDEX, ...fixed].map(load))
  await Promise.all(memory.answers().map(load))
  return memory
}
