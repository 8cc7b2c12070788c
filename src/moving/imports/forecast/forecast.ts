import type { Context, Tx } from '../../../base/context'
import { CompactMap } from '../../../base/lib/compact-map'
import type { PlannedReport } from '../../../intake/recording/record-many'
import type { ProjectState } from '../../../projects/project/state'
import { accessChanges } from '../commit/access'
import { type PlannedBatch, planBatch } from '../commit/plan-batch'
import type { ImportForecast } from '../model'
import type { ImportJobRow } from '../queries'
import type { ImportRow } from '../row'
import { isOfPerson } from '../rows/proofs'
import { ForecastedMoney } from './money'

const nothing = (): void => {}

/** Reads what a transaction would find, without one: nothing is locked, and nothing may be written by it. */
const readingTx = ({ db, tables, clock, ids, log, config, vault, mac, state, hooks }: Context): Tx => ({
  ...{ db, tables, clock, ids, log, config, vault, mac, state, hooks },
  needsLocks: false,
  lock: async () => {},
  afterCommit: nothing,
  wakeWorker: nothing,
})

const NEW = 1
const CHANGED = 2
const WITHOUT_PRODUCT = 4

/**
 * Counts what the rows of a job would change, batch by batch, by the same plan as the writing of a batch. It keeps hashes of
 * people, purchases and charges that it has counted, and no rows. As nothing is written, each batch is judged beside what is
 * stored and without the batches before: a refund far away from its purchase does not take the access away again.
 */
export class Forecast {
  readonly #people = new CompactMap(0)
  readonly #purchases = new CompactMap(1)
  readonly #holders = new CompactMap(0)
  readonly #money = new ForecastedMoney()
  readonly #access = new Map<string, number>()
  readonly #counted = { newPeople: 0, new: 0, changed: 0, withoutProduct: 0, toldByStore: 0 }

  /** Returns how many rows would make nothing. */
  async note(ctx: Context, project: ProjectState, job: ImportJobRow, rows: readonly ImportRow[]): Promise<number> {
    const tx = readingTx(ctx)
    const batch = await planBatch(tx, project, job, rows, async () => {})
    this.#notePeople(batch)
    for (const one of batch.planned) this.#notePurchase(one, batch)
    this.#counted.toldByStore += batch.rows.filter(isToldByStore).length
    await this.#noteAccess(tx, project, batch)
    return batch.skipped
  }

  result(): ImportForecast {
    const { newPeople, toldByStore, withoutProduct, ...counted } = this.#counted
    const unchanged = this.#purchases.size - counted.new - counted.changed
    const maps = [this.#people, this.#purchases, this.#holders]
    return {
      isPartial: maps.some(({ isFull }) => isFull) || this.#money.isPartial,
      people: { all: this.#people.size, new: newPeople },
      purchases: { ...counted, unchanged, withoutProduct },
      toldByStore,
      money: this.#money.result(),
      access: [...this.#access]
        .map(([identifier, people]) => ({ identifier, people }))
        .sort((a, b) => b.people - a.people || (a.identifier < b.identifier ? -1 : 1)),
    }
  }

  #notePeople({ people }: PlannedBatch): void {
    for (const { row, isNew } of new Set(people.values()))
      if (isAdded(this.#people, nameOf({ row, isNew })) && isNew) this.#counted.newPeople++
  }

  #notePurchase(one: PlannedReport, { chainOf }: PlannedBatch): void {
    const { held, row, report } = one
    const chain = chainOf.get(report)
    if (!row || !chain) return
    const share = chain.isFamilyShare ? chain.person : ''
    const name = held?.id ?? `${chain.store}\n${chain.chainKey}\n${share}`
    this.#flag(name, flagsOf(one))
    this.#money.note(name, one)
  }

  #flag(name: string, flags: number): void {
    const [before = 0] = this.#purchases.get(name) ?? []
    if (this.#purchases.isFull && this.#purchases.get(name) === null) return
    this.#purchases.set(name, [before | flags])
    const added = flags & ~before
    if (added & NEW) this.#counted.new++
    if (added & CHANGED) this.#counted.changed++
    if (added & WITHOUT_PRODUCT) this.#counted.withoutProduct++
  }

  async #noteAccess(tx: Tx, project: ProjectState, { planned, people }: PlannedBatch): Promise<void> {
    for (const { owner, before, after, isNew } of await accessChanges(tx, project, planned, people))
      for (const identifier of Object.keys(after)) {
        if (Object.hasOwn(before, identifier)) continue
        if (!isAdded(this.#holders, `${identifier}\n${nameOf({ row: owner, isNew })}`)) continue
        this.#access.set(identifier, (this.#access.get(identifier) ?? 0) + 1)
      }
  }
}

/** A row that is to be made gets another id in each batch, so its person names it. */
const nameOf = ({
  row,
  isNew,
}: {
  row: { id: string; appUserId: string | null; deviceKey: string }
  isNew: boolean
}) => (isNew ? `${row.appUserId === null ? 'device' : 'label'} ${row.appUserId ?? row.deviceKey}` : row.id)

const isToldByStore = (row: ImportRow): boolean =>
  row.purchaseDate === null && row.expiresDate === null && !isOfPerson(row)

function flagsOf({ held, row, report, isChanged }: PlannedReport): number {
  const flag = held === null ? NEW : CHANGED
  const isUnlisted = row?.productId === null && report.accessIds === null
  return (isChanged ? flag : 0) | (isUnlisted ? WITHOUT_PRODUCT : 0)
}

/** Whether the map has taken a text that it did not have. */
function isAdded(map: CompactMap, text: string): boolean {
  const before = map.size
  map.set(text, [])
  return map.size > before
}
