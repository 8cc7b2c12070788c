import type { Connection } from './connection'

type Execute = Connection['execute']
type Statement = Parameters<Execute>[0]
type Result = Awaited<ReturnType<Execute>>

/** What the thread is asked; null = end. */
export type Asked = { path: string; id: number; statement: Statement } | null
export type Told = { id: number; result: Result } | { id: number; error: { message: string; code?: unknown } }

/**
 * A connection to a local file in a thread of its own: a statement there may take seconds, and holds up nobody. The
 * thread begins with the first statement. It must never be ended from outside: the driver ends the process with it.
 */
export class Aside {
  private thread: Worker | null = null
  private count = 0
  private readonly waiting = new Map<number, PromiseWithResolvers<Result>>()

  constructor(private readonly path: string) {}

  execute(statement: Statement): Promise<Result> {
    const asked = Promise.withResolvers<Result>()
    const id = ++this.count
    this.waiting.set(id, asked)
    this.thread ??= this.start()
    this.thread.ref() // A command that waits for nothing else must not end before its answer.
    this.thread.postMessage({ path: this.path, id, statement } satisfies Asked)
    return asked.promise
  }

  /** Ends the thread when it has told all that it was asked. */
  async close(): Promise<void> {
    const { thread } = this
    if (!thread) return
    const ended = new Promise((resolve) => thread.addEventListener('close', resolve))
    thread.ref()
    thread.postMessage(null satisfies Asked)
    await ended
  }

  private start(): Worker {
    const thread = new Worker(threadFile())
    thread.unref()
    thread.onmessage = ({ data }: MessageEvent<Told>) => this.settle(data)
    thread.onerror = ({ message }) => this.fail(thread, message)
    thread.addEventListener('close', () => this.fail(thread, 'it has ended'))
    return thread
  }

  private settle(told: Told): void {
    const asked = this.waiting.get(told.id)
    this.waiting.delete(told.id)
    if (this.waiting.size === 0) this.thread?.unref()
    if ('result' in told) asked?.resolve(told.result)
    else asked?.reject(Object.assign(new Error(told.error.message), { code: told.error.code }))
  }

  /** The next statement begins a new thread. */
  private fail(thread: Worker, why: string): void {
    if (this.thread === thread) this.thread = null
    for (const { reject } of this.waiting.values())
      reject(Object.assign(new Error(`the reading thread failed: ${why}`), { code: 'SQLITE_IOERR' }))
    this.waiting.clear()
  }
}

/** In the executable, which names its parts as they lie below `src`, everything else lies in its root. */
const threadFile = (): string => {
  const isExecutable = import.meta.url.includes('$bunfs')
  return new URL(isExecutable ? './base/db/aside-thread.js' : './aside-thread.ts', import.meta.url).href
}
