/** Runs work one after the other. The next starts when the one before has ended, whether it failed or not. */
export class SerialQueue {
  private tail: Promise<unknown> = Promise.resolve()

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.tail.then(work, work)
    this.tail = result.catch(() => {})
    return result
  }
}
