import { readReason } from '../../core/reason/read'
import { filledReason } from '../../core/reason/reasons'

export interface ReasonWords {
  reasons: Readonly<Record<string, string>>
  /** What the catalogue calls the id of each store. */
  idNames: Readonly<Record<string, string>>
  statuses: Readonly<Record<string, string>>
  storeNames: Readonly<Record<string, string>>
}

/** A reason of the server in the language of the person. Any other text is returned as it is. */
export function reasonIn(text: string, words: ReasonWords): string {
  const reason = readReason(text)
  if (!reason) return text
  const { idName = '', status = '', store = '', message = '', ...params } = reason.params
  return filledReason(words.reasons[reason.code] ?? text, {
    ...params,
    idName: words.idNames[idName] ?? idName,
    status: words.statuses[status] ?? status,
    store: words.storeNames[store] ?? store,
    message: reasonIn(message, words),
  })
}
