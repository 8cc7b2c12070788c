/** One after the other: the next begins when the one before has ended, well or not. */
export class Turns {
  private tail: Promise<unknown> = Promise.resolve()

  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.tail.then(work, work)
    this.tail = result.catch(() => {})
    return result
  }
}
