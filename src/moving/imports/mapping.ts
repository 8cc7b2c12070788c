import type { Fault } from '../../core/text/fault'
import type { ImportKind, ImportMapping } from './model'
import { isCanonical, storeWordOf } from './rows/canonical'
import { presetOf } from './rows/presets'

/** What cannot be mapped: only canonical columns, only headers that the file has once, only stores that exist. */
export function mappingFaults({ columns, valueMap }: ImportMapping, headers: readonly string[]): Fault[] {
  return [...columnFaults(columns, headers), ...valueFaults(valueMap)]
}

function columnFaults(columns: ImportMapping['columns'], headers: readonly string[]): Fault[] {
  return Object.entries(columns).flatMap(([name, header]) => {
    const path = `columns.${name}`
    if (!isCanonical(name)) return [{ path, message: `columns: "${name}" is no column of an import` }]
    const count = headers.filter((other) => other === header).length
    if (count === 1) return []
    const reason = count === 0 ? 'is no header of the file' : `is a header ${count} times; rename one in the file`
    return [{ path, message: `columns.${name}: "${header}" ${reason}` }]
  })
}

function valueFaults(valueMap: ImportMapping['valueMap']): Fault[] {
  return Object.entries(valueMap).flatMap(([name, values]) => {
    if (name !== 'store') return [{ path: `valueMap.${name}`, message: `valueMap: only store has values to map` }]
    return Object.entries(values).flatMap(([from, to]) =>
      storeWordOf(to) === null
        ? [{ path: 'valueMap.store', message: `valueMap.store: "${from}" must become ${STORES}, not "${to}"` }]
        : [],
    )
  })
}

const STORES = 'ios_store, android_store, payment or promotional'

/** Values are compared without regard to upper and lower case. */
export const normalised = ({ columns, valueMap }: ImportMapping): ImportMapping => ({
  columns,
  valueMap: Object.fromEntries(
    Object.entries(valueMap).map(([name, values]) => [
      name,
      Object.fromEntries(Object.entries(values).map(([from, to]) => [from.toLowerCase(), to.toLowerCase()])),
    ]),
  ),
})

const PROOFS = ['receipt', 'purchaseToken', 'providerId'] as const

/** The canonical columns that must still be mapped before the rows can be read (wire 5.16). */
export function missingFields(kind: ImportKind, preset: string | null, mapping: ImportMapping | null): string[] {
  const has = (name: string) => mapping?.columns[name] !== undefined
  const person = has('subscriberExternalId') ? [] : ['subscriberExternalId']
  if (presetOf(preset)?.storeRule === 'PERSON') return person
  if (kind === 'ANDROID_TOKEN_ENRICHMENT')
    return [...person, ...['purchaseToken', 'productIdentifier'].filter((name) => !has(name))]
  const rule = presetOf(preset)?.storeRule ?? 'NONE'
  const store = has('store') || rule !== 'NONE' ? [] : ['store']
  const isTold = PROOFS.some(has) || (rule === 'BY_COLUMN' && has('originalTransactionId'))
  const facts = isTold ? [] : ['productIdentifier', 'purchaseDate'].filter((name) => !has(name))
  const currency = has('price') && !has('currency') ? ['currency'] : []
  return [...person, ...store, ...facts, ...currency]
}
