import type { Ids } from '../../base/lib/ids'

/** Rings when this process has committed a change of a subscriber: their attributes, purchases or rows. */
export class ChangeBell {
  private readonly listeners: ((subscriberId: string) => void)[] = []

  listen(listener: (subscriberId: string) => void): void {
    this.listeners.push(listener)
  }

  ring(subscriberId: string): void {
    for (const listener of this.listeners) listener(subscriberId)
  }
}

const bells = new WeakMap<Ids, ChangeBell>()

/** The bell of a process: a context and its transactions share their ids. */
export function changeBellOf({ ids }: { ids: Ids }): ChangeBell {
  const bell = bells.get(ids) ?? new ChangeBell()
  bells.set(ids, bell)
  return bell
}
