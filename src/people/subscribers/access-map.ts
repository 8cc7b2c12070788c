import { Type } from '@sinclair/typebox'
import type { Store } from '../../stores/observation'

/** One live entry of an access map (wire 2.2). A map holds only the entries that are live when it is computed. */
export interface AccessEntry {
  isActive: true
  /** ISO time of the effective end; null = never ends. */
  expiresDate: string | null
  store: Store
  productIdentifier: string
}

export type AccessMap = Record<string, AccessEntry>

export const AccessEntrySchema = Type.Object(
  {
    isActive: Type.Literal(true),
    expiresDate: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    store: Type.Union([
      Type.Literal('IOS_STORE'),
      Type.Literal('ANDROID_STORE'),
      Type.Literal('PAYMENT'),
      Type.Literal('MANUAL'),
    ]),
    productIdentifier: Type.String(),
  },
  { additionalProperties: false, title: 'AccessEntry' },
)

export const AccessMapSchema = Type.Record(Type.String(), AccessEntrySchema, {
  description: 'Live access by access identifier',
})
