/** Calls its listeners when this process has committed a change of a subscriber's attributes, purchases or rows. */
export class ChangeSignal {
  private readonly listeners: ((subscriberId: string) => void)[] = []

  listen(listener: (subscriberId: string) => void): void {
    this.listeners.push(listener)
  }

  notify(subscriberId: string): void {
    for (const listener of this.listeners) listener(subscriberId)
  }
}
