/** Work for a thread; null = end. */
export type ThreadRequest<Work> = { id: number; work: Work } | null
/** What the thread answers to the work with this id. */
export type ThreadAnswer = { id: number; result: unknown } | { id: number; error: { message: string; code?: unknown } }

export interface ThreadOptions {
  /** The address of the file with which the thread starts. */
  file: () => string
  /** What all who wait get when the thread has failed. */
  failure: (why: string) => Error
  /** The thread ends after it had nothing to do for so long. Absent: it stays. */
  idleMs?: number
}

/** A thread that answers one work after the other. The first work starts it. */
export class Thread<Work> {
  private thread: Worker | null = null
  private count = 0
  private readonly waiting = new Map<number, PromiseWithResolvers<unknown>>()
  private idle: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly options: ThreadOptions) {}

  perform(work: Work): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>()
    const id = ++this.count
    this.waiting.set(id, answer)
    clearTimeout(this.idle)
    this.thread ??= this.start()
    this.thread.ref() // The process must not end before the answer, even if it waits for nothing else.
    this.thread.postMessage({ id, work } satisfies ThreadRequest<Work>)
    return answer.promise
  }

  /** Ends the thread after it has answered everything that it was sent. */
  async close(): Promise<void> {
    clearTimeout(this.idle)
    const { thread } = this
    if (!thread) return
    const ended = new Promise((resolve) => thread.addEventListener('close', resolve))
    thread.ref()
    thread.postMessage(null satisfies ThreadRequest<Work>)
    await ended
  }

  /** Rejects all that waits and ends the thread at once; the next work starts a new one. Resolves when it has ended. */
  async giveUp(why: string): Promise<void> {
    const { thread } = this
    if (!thread) return
    const ended = new Promise((resolve) => thread.addEventListener('close', resolve))
    this.fail(thread, why)
    thread.unref()
    thread.terminate()
    await ended
  }

  private start(): Worker {
    const thread = new Worker(this.options.file())
    thread.unref()
    thread.onmessage = ({ data }: MessageEvent<ThreadAnswer>) => this.settle(data)
    thread.onerror = ({ message }) => this.fail(thread, message)
    thread.addEventListener('close', () => this.fail(thread, 'it has ended'))
    return thread
  }

  private settle(answer: ThreadAnswer): void {
    const waiting = this.waiting.get(answer.id)
    this.waiting.delete(answer.id)
    if (this.waiting.size === 0) this.rest()
    if ('result' in answer) waiting?.resolve(answer.result)
    else waiting?.reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }))
  }

  private rest(): void {
    this.thread?.unref()
    if (this.options.idleMs === undefined) return
    this.idle = setTimeout(() => this.leave(), this.options.idleMs)
    this.idle.unref()
  }

  /** The next work starts a new thread. */
  private leave(): void {
    this.thread?.postMessage(null satisfies ThreadRequest<Work>)
    this.thread = null
  }

  /** Rejects all that waits. The next work starts a new thread. */
  private fail(thread: Worker, why: string): void {
    if (this.thread !== thread) return // It has nothing to do any more.
    this.thread = null
    for (const { reject } of this.waiting.values()) reject(this.options.failure(why))
    this.waiting.clear()
  }
}

/**
 * The address of a file with which a thread starts. In the executable the modules are bundled at the root, but an entry
 * point of a thread keeps its path below `src`.
 */
export const threadFile = (url: string, below: string): string =>
  new URL(url.includes('$bunfs') ? `./${below}.js` : `./${below.replace(/^.*\//, '')}.ts`, url).href
