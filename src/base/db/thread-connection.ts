import type { Connection } from './connection'
import type { ScanRange, scanOverflow, scanPages } from './page-reader'

type Execute = Connection['execute']
type Statement = Parameters<Execute>[0]
type Result = Awaited<ReturnType<Execute>>

/** A statement, or a search for pages with remains. */
type Work = Statement | { scan: ScanRange } | { overflow: true }

/** Work for the thread; null = close the connection and end. */
export type ThreadRequest = { path: string; id: number; work: Work } | null
/** What the thread answers to the work with this id. */
export type ThreadAnswer = { id: number; result: unknown } | { id: number; error: { message: string; code?: unknown } }

/**
 * A connection to a local file in its own thread. A statement there may take seconds, and the event loop of the main
 * thread does not wait for it. The first statement starts the thread. Never end the thread from outside: the driver
 * would end the whole process with it.
 */
export class ThreadConnection {
  private thread: Worker | null = null
  private count = 0
  private readonly waiting = new Map<number, PromiseWithResolvers<unknown>>()

  constructor(private readonly path: string) {}

  execute(statement: Statement): Promise<Result> {
    return this.perform(statement) as Promise<Result> // The thread answers as the work asks.
  }

  scan(range: ScanRange): Promise<ReturnType<typeof scanPages>> {
    return this.perform({ scan: range }) as Promise<ReturnType<typeof scanPages>>
  }

  scanOverflow(): Promise<ReturnType<typeof scanOverflow>> {
    return this.perform({ overflow: true }) as Promise<ReturnType<typeof scanOverflow>>
  }

  private perform(work: Work): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>()
    const id = ++this.count
    this.waiting.set(id, answer)
    this.thread ??= this.start()
    this.thread.ref() // The process must not end before the answer, even if it waits for nothing else.
    this.thread.postMessage({ path: this.path, id, work } satisfies ThreadRequest)
    return answer.promise
  }

  /** Ends the thread after it has answered every statement that it was sent. */
  async close(): Promise<void> {
    const { thread } = this
    if (!thread) return
    const ended = new Promise((resolve) => thread.addEventListener('close', resolve))
    thread.ref()
    thread.postMessage(null satisfies ThreadRequest)
    await ended
  }

  private start(): Worker {
    const thread = new Worker(threadFile())
    thread.unref()
    thread.onmessage = ({ data }: MessageEvent<ThreadAnswer>) => this.settle(data)
    thread.onerror = ({ message }) => this.fail(thread, message)
    thread.addEventListener('close', () => this.fail(thread, 'it has ended'))
    return thread
  }

  private settle(answer: ThreadAnswer): void {
    const waiting = this.waiting.get(answer.id)
    this.waiting.delete(answer.id)
    if (this.waiting.size === 0) this.thread?.unref()
    if ('result' in answer) waiting?.resolve(answer.result)
    else waiting?.reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }))
  }

  /** Rejects every waiting statement. The next statement starts a new thread. */
  private fail(thread: Worker, why: string): void {
    if (this.thread === thread) this.thread = null
    for (const { reject } of this.waiting.values())
      reject(Object.assign(new Error(`the reading thread failed: ${why}`), { code: 'SQLITE_IOERR' }))
    this.waiting.clear()
  }
}

/**
 * In the executable this module is part of the bundle at the root, but the worker keeps its path below `src`. So its
 * path differs from the one in the source tree.
 */
const threadFile = (): string => {
  const isExecutable = import.meta.url.includes('$bunfs')
  return new URL(
    isExecutable ? './base/db/thread-connection-worker.js' : './thread-connection-worker.ts',
    import.meta.url,
  ).href
}
