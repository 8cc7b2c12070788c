import { isObject, type Json } from '../../base/lib/json-schema'
import { exampleOf } from './openapi-example'

/** The kind of the money line that an event of a type is about. Others are about none. */
const LINES: Readonly<Record<string, string>> = {
  'purchase.initial': 'INITIAL',
  'purchase.trial_started': 'TRIAL',
  'purchase.trial_converted': 'TRIAL_CONVERSION',
  'purchase.renewed': 'RENEWAL',
  'purchase.non_renewing': 'NON_RENEWING_PURCHASE',
  'purchase.recovered': 'RENEWAL',
  'purchase.refunded': 'REFUND',
  'purchase.refund_reversed': 'REFUND_REVERSAL',
  'purchase.product_changed': 'PRODUCT_CHANGE',
  'purchase.charged': 'ADJUSTMENT',
}

/** What causes such an event, by the first word of its type. A purchase is changed by its store. */
const CAUSES: Readonly<Record<string, string>> = {
  currency: 'API',
  experiment: 'API',
  funnel: 'FUNNEL',
  import: 'IMPORT',
  subscriber: 'IDENTIFY',
  webhook: 'CLI',
}

/** What a webhook sends for a type, as an example. */
export function deliveryExample(type: string, schema: Json): Json {
  const example = exampleOf(schema, 'event') as Json
  const data = example.data as Json
  return { ...example, data: { ...data, cause: causeOf(type, data), ...lineOf(type, data) } }
}

function causeOf(type: string, { cause }: Json): unknown {
  const kind = CAUSES[type.split('.')[0] ?? '']
  return kind === undefined ? cause : { kind, ref: 'req_01m5w6mr80evr88y42wdngtn4v', store: null, detail: null }
}

function lineOf(type: string, { transaction }: Json): Json {
  if (!isObject(transaction)) return {}
  const kind = LINES[type]
  if (kind === undefined) return { transaction: null }
  const { price, usdMicros } = transaction as { price: { amountMicros: number; currency: string }; usdMicros: number }
  const sign = kind === 'TRIAL' ? 0 : kind === 'REFUND' ? -1 : 1
  const money = { price: { ...price, amountMicros: sign * price.amountMicros }, usdMicros: sign * usdMicros }
  return { transaction: { ...transaction, kind, ...money } }
}
