import { createContext, use, useContext } from 'react'
import { makeStore } from '../lib/store'
import { fetchPart } from '../shell/server-state'

/** The languages of the console. English is written first; the others have the same texts. */
export const LOCALES = ['en', 'tr', 'de', 'ja'] as const
export type Locale = (typeof LOCALES)[number]

/** Every text of the console, by area and language. Each file is fetched when its area is first opened. */
const AREAS = {
  common: {
    en: () => import('./en/common'),
    tr: () => import('./tr/common'),
    de: () => import('./de/common'),
    ja: () => import('./ja/common'),
  },
  signIn: {
    en: () => import('./en/sign-in'),
    tr: () => import('./tr/sign-in'),
    de: () => import('./de/sign-in'),
    ja: () => import('./ja/sign-in'),
  },
  overview: {
    en: () => import('./en/overview'),
    tr: () => import('./tr/overview'),
    de: () => import('./de/overview'),
    ja: () => import('./ja/overview'),
  },
  findings: {
    en: () => import('./en/findings'),
    tr: () => import('./tr/findings'),
    de: () => import('./de/findings'),
    ja: () => import('./ja/findings'),
  },
  storeReasons: {
    en: () => import('./en/store-reasons'),
    tr: () => import('./tr/store-reasons'),
    de: () => import('./de/store-reasons'),
    ja: () => import('./ja/store-reasons'),
  },
  subscribers: {
    en: () => import('./en/subscribers'),
    tr: () => import('./tr/subscribers'),
    de: () => import('./de/subscribers'),
    ja: () => import('./ja/subscribers'),
  },
  revenue: {
    en: () => import('./en/revenue'),
    tr: () => import('./tr/revenue'),
    de: () => import('./de/revenue'),
    ja: () => import('./ja/revenue'),
  },
  charts: {
    en: () => import('./en/charts'),
    tr: () => import('./tr/charts'),
    de: () => import('./de/charts'),
    ja: () => import('./ja/charts'),
  },
  chartDefinitions: {
    en: () => import('./en/chart-definitions'),
    tr: () => import('./tr/chart-definitions'),
    de: () => import('./de/chart-definitions'),
    ja: () => import('./ja/chart-definitions'),
  },
  catalogue: {
    en: () => import('./en/catalogue'),
    tr: () => import('./tr/catalogue'),
    de: () => import('./de/catalogue'),
    ja: () => import('./ja/catalogue'),
  },
  funnelFaults: {
    en: () => import('./en/funnel-faults'),
    tr: () => import('./tr/funnel-faults'),
    de: () => import('./de/funnel-faults'),
    ja: () => import('./ja/funnel-faults'),
  },
  growth: {
    en: () => import('./en/growth'),
    tr: () => import('./tr/growth'),
    de: () => import('./de/growth'),
    ja: () => import('./ja/growth'),
  },
  funnels: {
    en: () => import('./en/funnels'),
    tr: () => import('./tr/funnels'),
    de: () => import('./de/funnels'),
    ja: () => import('./ja/funnels'),
  },
  domains: {
    en: () => import('./en/domains'),
    tr: () => import('./tr/domains'),
    de: () => import('./de/domains'),
    ja: () => import('./ja/domains'),
  },
  funnelWords: {
    en: () => import('./en/funnel-words'),
    tr: () => import('./tr/funnel-words'),
    de: () => import('./de/funnel-words'),
    ja: () => import('./ja/funnel-words'),
  },
  files: {
    en: () => import('./en/files'),
    tr: () => import('./tr/files'),
    de: () => import('./de/files'),
    ja: () => import('./ja/files'),
  },
  connections: {
    en: () => import('./en/connections'),
    tr: () => import('./tr/connections'),
    de: () => import('./de/connections'),
    ja: () => import('./ja/connections'),
  },
  deliveryReasons: {
    en: () => import('./en/delivery-reasons'),
    tr: () => import('./tr/delivery-reasons'),
    de: () => import('./de/delivery-reasons'),
    ja: () => import('./ja/delivery-reasons'),
  },
  moving: {
    en: () => import('./en/moving'),
    tr: () => import('./tr/moving'),
    de: () => import('./de/moving'),
    ja: () => import('./ja/moving'),
  },
  billing: {
    en: () => import('./en/billing'),
    tr: () => import('./tr/billing'),
    de: () => import('./de/billing'),
    ja: () => import('./ja/billing'),
  },
  settings: {
    en: () => import('./en/settings'),
    tr: () => import('./tr/settings'),
    de: () => import('./de/settings'),
    ja: () => import('./ja/settings'),
  },
  usage: {
    en: () => import('./en/usage'),
    tr: () => import('./tr/usage'),
    de: () => import('./de/usage'),
    ja: () => import('./ja/usage'),
  },
  assistant: {
    en: () => import('./en/assistant'),
    tr: () => import('./tr/assistant'),
    de: () => import('./de/assistant'),
    ja: () => import('./ja/assistant'),
  },
  intents: {
    en: () => import('./en/intents'),
    tr: () => import('./tr/intents'),
    de: () => import('./de/intents'),
    ja: () => import('./ja/intents'),
  },
  account: {
    en: () => import('./en/account'),
    tr: () => import('./tr/account'),
    de: () => import('./de/account'),
    ja: () => import('./ja/account'),
  },
  platform: {
    en: () => import('./en/platform'),
    tr: () => import('./tr/platform'),
    de: () => import('./de/platform'),
    ja: () => import('./ja/platform'),
  },
} as const

export type Area = keyof typeof AREAS
export type Texts = { [A in Area]: Awaited<ReturnType<(typeof AREAS)[A]['en']>>['texts'] }

const locale = makeStore<Locale>('en')
const loaded = new Map<string, Promise<unknown>>()

/** Changes the language of everything on the screen. */
export function setLocale(next: string): void {
  const known = LOCALES.find((one) => next === one || next.startsWith(`${one}-`)) ?? 'en'
  document.documentElement.lang = known
  localStorage.setItem('svc.locale', known)
  locale.set(known)
}

/** The language at the root. Hundreds of components read it, and a context costs them less than a store. */
export const LocaleContext = createContext<Locale>('en')

export const useRootLocale = (): Locale => locale.use()

export const useLocale = (): Locale => useContext(LocaleContext)

/** The texts of an area in the language of the reader. It suspends until they are there. */
export function useText<A extends Area>(area: A): Texts[A] {
  return use(load(area, useLocale()))
}

/** Starts to fetch the texts of an area, so that its screen need not wait. */
export function load<A extends Area>(area: A, language: Locale = locale.get()): Promise<Texts[A]> {
  const key = `${area} ${language}`
  const found = loaded.get(key) as Promise<Texts[A]> | undefined
  if (found) return found
  const made = fetchPart(() => AREAS[area][language]() as Promise<{ texts: Texts[A] }>).then(({ texts }) => texts)
  loaded.set(key, made)
  made.then(
    // As `use` marks what it has waited for. What is there already is read without waiting.
    (texts) => Object.assign(made, { status: 'fulfilled', value: texts }),
    () => loaded.delete(key),
  )
  return made
}
