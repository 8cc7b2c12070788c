import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { sha256Hex } from '../../base/lib/hash'
import type { Answers } from '../../core/funnel/conditions-hold'
import type { FunnelField } from '../../core/funnel/model'
import { isObject } from '../../core/funnel/reading'
import { chosenText } from '../../core/funnel/render/text'
import { wordsFor } from '../../core/funnel/render/words'
import type { AnswerRow } from './queries'

type Keys = Pick<Context, 'vault'>

/** An answer is bound to its session and field: it opens nowhere else. */
export const contextOf = (sessionId: string, fieldId: string): string => `funnel answer ${sessionId} ${fieldId}`

/** The value of a row as it is stored. 503 where sensitive answers cannot be encrypted. */
export function storedValue(
  { vault }: Pick<Tx, 'vault'>,
  row: Pick<AnswerRow, 'sessionId' | 'fieldId'>,
  field: FunnelField,
  value: unknown,
): Pick<AnswerRow, 'value' | 'isSealed'> {
  if (!field.sensitive) return { value, isSealed: false }
  if (vault === null) throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'credential_encryption' })
  return { value: vault.seal(JSON.stringify(value), contextOf(row.sessionId, row.fieldId)), isSealed: true }
}

/** What a person agreed to, as it was shown. */
export interface Consent {
  accepted: boolean
  textHash: string
  shownText: string
  at: string
}

/** An answer as it is kept: of a consent with the text that the person saw. */
export function keptAnswer(
  field: FunnelField,
  value: unknown,
  shown: { locale: string; defaultLocale: string; at: string },
): unknown {
  if (field.kind !== 'consent') return value
  const own = field.placeholder ? chosenText(field.placeholder, shown) : ''
  const shownText = own === '' ? wordsFor(shown.locale).terms : own
  return { accepted: value === true, textHash: sha256Hex(shownText), shownText, at: shown.at } satisfies Consent
}

/** Rules and forms use of a consent only whether it was given. No other answer is an object. */
const plainAnswer = (kept: unknown): unknown => (isObject(kept) ? kept.accepted === true : kept)

/** Undefined where the row cannot be opened: the master key is another one. */
export function openedValue({ vault }: Keys, row: AnswerRow): unknown {
  if (!row.isSealed) return row.value
  const text = vault?.open(String(row.value), contextOf(row.sessionId, row.fieldId)) ?? null
  return text === null ? undefined : JSON.parse(text)
}

/** The answers of a session by field, sensitive ones too. */
export const openedAnswers = (keys: Keys, rows: readonly AnswerRow[]): Answers =>
  Object.fromEntries(
    rows.flatMap((row) => {
      const value = openedValue(keys, row)
      return value === undefined ? [] : [[row.fieldId, plainAnswer(value)]]
    }),
  )
