import type { FunnelContent, FunnelPage } from '../model'
import { CANCEL, LEAD, REFERRAL, WAITING_LIST } from './asking'
import { TEMPLATE_LOCALES } from './parts'
import { QUIZ, TRIAL, UPGRADE, WIN_BACK } from './selling'

export const TEMPLATE_IDS = [
  'quiz',
  'trial',
  'win_back',
  'cancel',
  'upgrade',
  'referral',
  'waiting_list',
  'lead',
] as const
export type TemplateId = (typeof TEMPLATE_IDS)[number]

interface FunnelTemplate {
  id: TemplateId
  name: string
  pages: readonly FunnelPage[]
}

/** The templates of funnels 10, each in four languages. Each can be published with the test store. */
export const TEMPLATES: readonly FunnelTemplate[] = [
  { id: 'quiz', name: 'Quiz to paywall', pages: QUIZ },
  { id: 'trial', name: 'Free trial', pages: TRIAL },
  { id: 'win_back', name: 'Win-back', pages: WIN_BACK },
  { id: 'cancel', name: 'Cancel', pages: CANCEL },
  { id: 'upgrade', name: 'Upgrade', pages: UPGRADE },
  { id: 'referral', name: 'Referral', pages: REFERRAL },
  { id: 'waiting_list', name: 'Waiting list', pages: WAITING_LIST },
  { id: 'lead', name: 'Lead', pages: LEAD },
]

/** What a funnel starts with; null = there is no such template. */
export function templateContent(id: string): Pick<FunnelContent, 'pages' | 'defaultLocale' | 'locales'> | null {
  const template = TEMPLATES.find((one) => one.id === id)
  return template ? { pages: template.pages, defaultLocale: TEMPLATE_LOCALES[0], locales: TEMPLATE_LOCALES } : null
}

/** Whether a template has a page where something is bought, so that it needs an offering. */
export const sells = (pages: readonly FunnelPage[]): boolean => pages.some(({ type }) => type === 'payment')
