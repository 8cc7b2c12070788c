import { useEvery } from '../../../api/every'
import { useProject, useReading } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import type { FunnelWords } from './lines'

/** How parts of a funnel are called. */
export function useFunnelWords(): FunnelWords {
  const words = useText('funnelWords')
  const common = useText('common')
  return { ...words, name: common.name, languageName: useLanguageName() }
}

/** `Turkish` for `tr`; a tag that the browser does not know stays as it is. */
export function useLanguageName(): (locale: string) => string {
  const { locale: own } = useReading()
  return (locale) => {
    try {
      return new Intl.DisplayNames([own], { type: 'language' }).of(locale) ?? locale
    } catch {
      return locale
    }
  }
}

/** The identifier of an offering; of one that is gone its id. */
export function useOfferingName(): (id: string) => string {
  const { path } = useProject()
  const { items } = useEvery('/dashboard/projects/{projectId}/offerings', { params: { path, query: { limit: 200 } } })
  return (id) => items.find((offering) => offering.id === id)?.identifier ?? id
}
