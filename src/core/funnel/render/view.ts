import type { AnswerFault } from '../answers'
import type { ShownAsset, ShownFont } from '../files'
import type { FunnelContent, FunnelPage, GivenSettings } from '../model'
import type { PackagePrice } from './money'
import type { TextScope } from './text'
import type { Words } from './words'

/** Everything that a page is drawn from. The same view gives the same HTML. */
export interface PageView {
  /** The name of the funnel, for the title of a page that has none. */
  name: string
  content: Pick<FunnelContent, 'pages' | 'theme' | 'defaultLocale'>
  settings: GivenSettings
  page: FunnelPage
  locale: string
  answers: Readonly<Record<string, unknown>>
  query: Readonly<Record<string, string>>
  prices: readonly PackagePrice[]
  /** From 0 to 1. */
  progress: number
  canGoBack: boolean
  faults: Readonly<Record<string, AnswerFault>>
  /** Where the form goes, and with which method. */
  form: { action: string; method: 'get' | 'post'; hidden: Readonly<Record<string, string>> }
  links: {
    terms: string | null
    privacy: string | null
    /** Null = the project has no such file; the page is drawn without it. */
    asset: (id: string) => ShownAsset | null
    /** Null = the project has no such family, or no face of it; the font of the system is used. */
    font: (id: string) => ShownFont | null
    /** Where the page of an `html` block with this source is served. */
    frame?: (source: string) => string
  }
  /** What `store_buttons` and `qr` show; absent = nothing. */
  ways?: AppWays
  /** Of the `style` element, for the policy of the page. */
  nonce: string
  isPreview: boolean
  /** Whether each block carries its id, so that a click in a preview can be traced to it. */
  marksBlocks?: boolean
  /** HTML below the form, of whatever draws it: a payment, a link to the app. */
  below?: string
  /** Whether the part below the form has its own button to continue, as a checkout does. */
  hidesNext?: boolean
  /** The button that Enter presses in a field of the page; absent = the one that leads on. */
  enter?: { name: string; value: string }
  /** The package that the visitor chose before. Without it, the highlighted package is preselected. */
  chosenPackage?: string | null
  /** Whether the page has a policy of its own, so that it must be loaded and not put in place of another one. */
  needsLoad?: boolean
  /** Where the visitor is sent from here. */
  leadsTo?: string
  /** The addresses of the scripts that make steps without loading the page and play animations; absent = none. */
  scripts?: readonly string[]
}

/** The ways into the app. */
export interface AppWays {
  stores: readonly { label: string; url: string }[]
  /** The code for a phone, as HTML; null = there is no address for it yet. */
  code: string | null
}

/** A view with what blocks and fields are written with. */
export interface Drawing {
  view: PageView
  scope: TextScope
  words: Words
}
