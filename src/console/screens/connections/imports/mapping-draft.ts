import type { Schemas } from '../../../api/schemas'
import type { Job } from './model'

export interface Draft {
  /** Our field → header of the file. */
  columns: Record<string, string>
  /** Value of the file → our word for the store. */
  stores: readonly (readonly [value: string, word: string])[]
  options: Schemas['ImportOptions']
}

export const draftOf = ({ mapping, options }: Job): Draft => ({
  columns: { ...mapping?.columns },
  stores: Object.entries(mapping?.valueMap.store ?? {}),
  options,
})

export const bodyOf = ({ columns, stores, options }: Draft): Schemas['ImportMappingChange'] => ({
  columns,
  valueMap: { store: Object.fromEntries(stores.filter(([value]) => value.trim() !== '')) },
  options,
})

/** The field that a header fills; empty for none. */
export const fieldOf = ({ columns }: Draft, header: string): string =>
  Object.entries(columns).find(([, given]) => given === header)?.[0] ?? ''

/** A field has one column, so the column that had it before loses it. */
export function withField(draft: Draft, header: string, field: string): Draft {
  const others = Object.entries(draft.columns).filter(([name, given]) => given !== header && name !== field)
  return { ...draft, columns: Object.fromEntries(field === '' ? others : [...others, [field, header]]) }
}
