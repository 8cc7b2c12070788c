import type { Context } from '../../base/context'
import { declaredTables } from '../../base/db/personal-data'

/** Removes what deleted and changed rows have left behind in the files of the database. */
export class Remains {
  private running: Promise<void> | null = null
  private next: Promise<void> | null = null

  constructor(private readonly ctx: Context) {}

  /** Resolves when everything that was deleted before this call is gone. Calls that wait at the same time share one run. */
  clean(): Promise<void> {
    if (!this.running) return this.begin()
    this.next ??= this.running
      .catch(() => {})
      .then(() => {
        this.next = null
        return this.begin()
      })
    return this.next
  }

  async close(): Promise<void> {
    await this.running?.catch(() => {})
  }

  private begin(): Promise<void> {
    const run = this.ctx.storage.removeRemains(tablesWithPeople(this.ctx)).finally(() => {
      if (this.running === run) this.running = null
    })
    this.running = run
    return run
  }
}

/** Also tables of which only values were changed: their old rows are still in the files. */
const tablesWithPeople = ({ tables, hooks }: Context): string[] =>
  [...declaredTables(tables, hooks).values()].filter(({ holds }) => holds !== 'NOTHING').map(({ name }) => name)
