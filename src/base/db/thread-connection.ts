import { Thread, type ThreadRequest, threadFile } from '../lib/thread'
import type { Connection } from './connection'
import type { ScanRange, scanOverflow, scanPages } from './page-reader'

type Execute = Connection['execute']
type Statement = Parameters<Execute>[0]
type Result = Awaited<ReturnType<Execute>>

/** A statement, or a search for pages with remains. */
type Work = Statement | { scan: ScanRange } | { overflow: true }

/** Work for the thread; null = close the connection and end. */
export type ReadRequest = ThreadRequest<{ path: string; work: Work }>

/**
 * A connection to a local file in its own thread. A statement there may take seconds, and the event loop of the main
 * thread does not wait for it. The first statement starts the thread. Never end the thread from outside: the driver
 * would end the whole process with it.
 */
export class ThreadConnection {
  private readonly thread = new Thread<NonNullable<ReadRequest>['work']>({
    file: () => threadFile(import.meta.url, 'base/db/thread-connection-worker'),
    failure: (why) => Object.assign(new Error(`the reading thread failed: ${why}`), { code: 'SQLITE_IOERR' }),
  })

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

  /** Ends the thread after it has answered every statement that it was sent. */
  close(): Promise<void> {
    return this.thread.close()
  }

  private perform(work: Work): Promise<unknown> {
    return this.thread.perform({ path: this.path, work })
  }
}
