import { useText } from '../../text/catalogue'
import type { FieldName } from './project-values'

/** The words for a member of a project. */
export function useFieldLabel(): (name: FieldName) => string {
  const t = useText('settings')
  const c = useText('common')
  const own: Partial<Record<FieldName, string>> = {
    name: c.name,
    slug: t.slug,
    timezone: t.timezone,
    allowedOrigins: t.allowedOrigins,
    termsUrl: t.termsUrl,
    privacyUrl: t.privacyUrl,
  }
  return (name) => own[name] ?? (name in t.setting ? t.setting[name as keyof typeof t.setting].label : name)
}
