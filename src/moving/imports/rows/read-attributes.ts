import { type Attributes, type AttributesRead, checkAttributes, NO_ATTRIBUTES, readAttributes } from './attributes'
import type { FieldReader } from './fields'
import type { RowPlan } from './plan'
import type { AttributeForm } from './presets'

/** Reads the attributes of rows. Many rows of one person have the same text, which is read once. */
export class AttributeReader {
  readonly #last = new Map<number, { text: string; read: AttributesRead }>()

  constructor(
    private readonly fields: FieldReader,
    private readonly plan: RowPlan,
  ) {}

  all(): Attributes {
    const { attributeColumns, columns, attributes } = this.plan
    return attributeColumns.length > 0 ? this.#ofColumns(attributeColumns) : this.#at(columns.attributes, attributes)
  }

  /** Those that the vendor keeps apart. */
  reserved(): Attributes {
    return this.#at(this.plan.reserved, 'VALUE_MEMBERS')
  }

  #ofColumns(columns: readonly number[]): Attributes {
    const found: Record<string, string> = {}
    for (const column of columns) {
      const value = this.fields.raw(column)
      if (value === '') continue
      const read = checkAttributes({ [this.fields.headers[column] ?? '']: value })
      if ('fault' in read) this.fields.refuse(column, `It ${read.fault}`)
      else Object.assign(found, read.attributes)
    }
    return found
  }

  #at(column: number, form: AttributeForm): Attributes {
    const text = this.fields.trimmed(column)
    if (text === '') return NO_ATTRIBUTES
    const known = this.#last.get(column)
    const read = known?.text === text ? known.read : readAttributes(text, form)
    this.#last.set(column, { text, read })
    if ('attributes' in read) return read.attributes
    this.fields.refuse(column, `It ${read.fault}`)
    return NO_ATTRIBUTES
  }
}
