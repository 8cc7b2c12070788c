import { readReason } from '../../core/reason/read'
import { filledReason } from '../../core/reason/reasons'

type Names = Readonly<Record<string, string>>

export interface ReasonWords {
  reasons: Names
  /** What the catalogue calls the id of each store. */
  idNames: Names
  statuses: Names
  storeNames: Names
  /** Why a call to another server brought no answer. */
  answers: Names
}

/** A reason of the server in the language of the person. Any other text is returned as it is. */
export function reasonIn(text: string, words: ReasonWords): string {
  const reason = readReason(text)
  if (!reason) return text
  const { idName = '', status = '', store = '', storeName = '', message = '', answer = '', ...params } = reason.params
  return filledReason(words.reasons[reason.code] ?? text, {
    ...params,
    idName: words.idNames[idName] ?? idName,
    status: words.statuses[status] ?? status,
    store: words.storeNames[store] ?? store,
    storeName: words.storeNames[STORES[storeName.toLowerCase()] ?? ''] ?? storeName,
    message: reasonIn(message, words),
    answer: words.answers[answer] ?? words.reasons[`ADDRESS_${answer.toUpperCase()}`] ?? answer,
  })
}

/** The stores by what the server calls them within a sentence. */
const STORES: Names = {
  'the ios store': 'IOS_STORE',
  'the android store': 'ANDROID_STORE',
  'the payment provider': 'PAYMENT',
}
