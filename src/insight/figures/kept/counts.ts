import type { Cell } from '../cells'
import { countPerson, type PeopleQuestion, type PersonEntry } from './count-person'

/** A group of entries; '' when nothing is grouped, null where the entries name none. */
export type GroupKey = string | null

export interface GroupedEntry extends PersonEntry {
  group: GroupKey
}

/** Numbers of people by group and cell. A group that is absent has none. */
export class PeopleCounts {
  private readonly byGroup = new Map<GroupKey, number[]>()

  constructor(private readonly size: number) {}

  of(group: GroupKey): readonly number[] {
    return this.byGroup.get(group) ?? this.zeros()
  }

  add(group: GroupKey, cell: number, count: number): void {
    const own = this.byGroup.get(group) ?? this.zeros()
    own[cell] = (own[cell] ?? 0) + count
    this.byGroup.set(group, own)
  }

  /** Adds or takes away a person in every cell in which they count. */
  addPerson(question: PeopleQuestion, entries: readonly GroupedEntry[], cells: readonly Cell[], times: 1 | -1): void {
    for (const [group, own] of Map.groupBy(entries, (entry) => entry.group))
      countPerson(question, own, cells, (cell) => this.add(group, cell, times))
  }

  /** The groups with anybody in a cell, as they are kept. */
  inCell(cell: number): [GroupKey, number][] {
    return [...this.byGroup].flatMap(([group, own]): [GroupKey, number][] => (own[cell] ? [[group, own[cell]]] : []))
  }

  private zeros(): number[] {
    return Array.from({ length: this.size }, () => 0)
  }
}
