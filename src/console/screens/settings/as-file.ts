import type { Schemas } from '../../api/schemas'
import type { FileDraft } from '../../lib/file-draft'

/** The changed fields of the form. A slug that changes renames the project. */
export function projectAsFile(body: Schemas['ProjectChange'], slug: string): FileDraft {
  const { settings, ...own } = body
  const names = ['slug', 'was', 'name', 'timezone', 'allowedOrigins', 'termsUrl', 'privacyUrl'] as const
  const given: Record<string, unknown> = { ...own, ...(own.slug !== undefined && own.slug !== slug && { was: slug }) }
  const value = (name: string) => (isEmptyList(given[name]) ? null : given[name])
  return {
    members: { ...Object.fromEntries(names.map((name) => [name, value(name)])), settings: undefined },
    ...(settings && { inside: { settings: settings as Record<string, unknown> } }),
  }
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

type Rates = Schemas['CommissionRates']['rates']

export const ratesAsFile = ({ IOS_STORE, ANDROID_STORE, PAYMENT }: Rates): FileDraft => ({
  members: { IOS_STORE, ANDROID_STORE, PAYMENT },
})
