import { SerialQueue } from '../../base/db/serial-queue'
import { AppError } from '../../base/errors'
import { MINUTE, SECOND } from '../../base/lib/clock'
import { Thread, threadFile } from '../../base/lib/thread'
import type { FontFault, FontFormat } from './sfnt'

export interface FontWork {
  bytes: Uint8Array
  format: FontFormat
}

/** What is made of a font; `latin` is null where the licence forbids a part of it. */
export type MadeFont = { fault: FontFault } | { woff2: Uint8Array; latin: Uint8Array | null }

interface FontLimits {
  /** For one font. */
  workMs: number
  file: () => string
}

const LIMITS: FontLimits = {
  workMs: 2 * MINUTE,
  file: () => threadFile(import.meta.url, 'funnels/fonts/font-worker'),
}

const IDLE_MS = 30 * SECOND
/** Threads that were given up and still run, because WebAssembly does not stop before it returns. */
const MAX_STUCK = 2
const RETRY_SECONDS = 60

/** Packs fonts in a thread of its own, one after the other, because that takes seconds. */
export class FontThread {
  private readonly thread: Thread<FontWork>
  private readonly works = new SerialQueue()
  private stuck = 0

  constructor(private readonly limits: FontLimits = LIMITS) {
    this.thread = new Thread<FontWork>({
      file: limits.file,
      failure: (why) => new Error(`the thread for fonts has failed: ${why}`),
      idleMs: IDLE_MS,
    })
  }

  /** The fault `too_slow` after the limit; the next font gets a new thread. 503 while several threads do not end. */
  make = (work: FontWork): Promise<MadeFont> =>
    this.works.run(async () => {
      if (this.stuck >= MAX_STUCK) throw busy()
      const { promise, resolve } = Promise.withResolvers<MadeFont>()
      const timer = setTimeout(() => {
        resolve({ fault: 'too_slow' })
        this.giveUp()
      }, this.limits.workMs)
      // The thread answers with what `font-worker.ts` makes.
      const made = this.thread.perform(work) as Promise<MadeFont>
      return Promise.race([made, promise]).finally(() => clearTimeout(timer))
    })

  close = (): Promise<void> => this.thread.close()

  private giveUp(): void {
    this.stuck++
    void this.thread.giveUp('it took too long').then(() => this.stuck--)
  }
}

const busy = (): AppError =>
  new AppError('QUEUE_UNAVAILABLE', undefined, {
    retryAfter: RETRY_SECONDS,
    message: `The server is still busy with fonts that it has given up; try again in ${RETRY_SECONDS} s`,
  })
