import { unmaskedValue } from '../../../core/text/marks'
import type { StoredMark } from '../tables'
import type { MarkKind, Marks } from './marks'

/** The marks of one thread: `person_1`, `person_2`, in the order in which the texts were met. */
export class ThreadMarks implements Marks {
  private readonly byText = new Map<string, string>()
  private readonly stored: Map<string, StoredMark>
  /** The highest number of a mark. Erased marks leave gaps. */
  private last: number

  constructor(stored: Readonly<Record<string, StoredMark>>) {
    this.stored = new Map(Object.entries(stored))
    for (const [mark, { text }] of this.stored) this.byText.set(text.toLowerCase(), mark)
    this.last = Math.max(0, ...[...this.stored.keys()].map((mark) => Number(mark.replace('person_', ''))))
  }

  markOf(kind: MarkKind, text: string): string {
    const known = this.byText.get(text.toLowerCase())
    if (known !== undefined) return known
    const mark = `person_${++this.last}`
    this.byText.set(text.toLowerCase(), mark)
    this.stored.set(mark, { kind, text, subscriberId: null })
    return mark
  }

  /** The texts that have a mark, to find them in what a person writes. */
  known(): ReadonlyMap<string, MarkKind> {
    return new Map([...this.stored.values()].map(({ text, kind }) => [text, kind]))
  }

  /** A copy of a JSON value with the texts behind the marks. */
  unmasked(value: unknown): unknown {
    return unmaskedValue(value, this.toStored())
  }

  toStored(): Record<string, StoredMark> {
    return Object.fromEntries(this.stored)
  }
}
