import { callerLeft } from '../db/caller'

/** What a work can see of those who wait for it. */
export interface Awaited {
  /** True when the process stops, and when the last caller has left. */
  isStopping: () => boolean
  /** Aborted when the last caller has left. */
  signal: AbortSignal
}

type Work = (awaited: Awaited) => Promise<void>

/** A work that runs, and how many wait for it. */
interface Task {
  result: Promise<void>
  callers: number
  end: AbortController
}

/**
 * Work that several callers may want at the same time. Work of one name runs once, and all of its callers wait for it. It
 * is cancelled when its last caller leaves; the next caller starts it again. A caller without a signal never leaves. When
 * the process stops, running work is cancelled and no new work starts.
 */
export class SharedWork {
  private readonly tasks = new Map<string, Task>()
  private readonly running = new Set<Promise<void>>()
  private isStopping = false

  run(name: string, work: Work, caller?: AbortSignal): Promise<void> {
    const result = this.wait(name, work, caller)
    // Without a waiting caller, the next caller starts it again and gets the error.
    result.catch(() => {})
    return result
  }

  drain(): void {
    this.isStopping = true
  }

  async close(): Promise<void> {
    this.isStopping = true
    await Promise.allSettled(this.running)
  }

  private async wait(name: string, work: Work, caller: AbortSignal | undefined): Promise<void> {
    if (caller?.aborted) throw callerLeft()
    const task = this.tasks.get(name) ?? this.begin(name, work)
    if (!task) return
    task.callers++
    if (!caller) return task.result
    const { promise: left, reject } = Promise.withResolvers<never>()
    const leave = () => {
      this.leave(name, task)
      reject(callerLeft())
    }
    caller.addEventListener('abort', leave)
    await Promise.race([task.result, left]).finally(() => caller.removeEventListener('abort', leave))
  }

  private begin(name: string, work: Work): Task | null {
    if (this.isStopping) return null
    const end = new AbortController()
    const isStopping = () => this.isStopping || end.signal.aborted
    const result = work({ isStopping, signal: end.signal })
    const task = { result, callers: 0, end }
    this.tasks.set(name, task)
    this.running.add(result)
    const ended = () => {
      this.running.delete(result)
      this.forget(name, task)
    }
    result.then(ended, ended)
    return task
  }

  private leave(name: string, task: Task): void {
    task.callers--
    if (task.callers > 0) return
    this.forget(name, task)
    task.end.abort()
  }

  private forget(name: string, task: Task): void {
    if (this.tasks.get(name) === task) this.tasks.delete(name)
  }
}
