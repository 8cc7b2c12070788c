interface Turn {
  begin: (() => Promise<unknown>)[]
  ended: Promise<unknown>
}

/**
 * Batches work by turn of the event loop: it starts at the end of the turn, and its callers continue when the whole batch
 * is done. Other threads are woken once for the batch, and writers that wait for such work still share a transaction.
 */
export class Together {
  #turn: Turn | null = null

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#turn ??= this.open()
    const { begin, ended } = this.#turn
    const begun = Promise.withResolvers<Result>()
    begin.push(() => {
      const running = work()
      begun.resolve(running)
      return running.catch(() => {})
    })
    await ended
    return begun.promise
  }

  private open(): Turn {
    const begin: Turn['begin'] = []
    const { promise: ended, resolve } = Promise.withResolvers<unknown>()
    setImmediate(() => {
      this.#turn = null
      void Promise.all(begin.map((one) => one())).then(resolve)
    })
    return { begin, ended }
  }
}
