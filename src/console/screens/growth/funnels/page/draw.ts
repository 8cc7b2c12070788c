import { palettesOf } from '../../../../../core/funnel/default-theme'
import type { ShownAsset } from '../../../../../core/funnel/files'
import type { FunnelPage, FunnelTheme } from '../../../../../core/funnel/model'
import type { PackagePrice } from '../../../../../core/funnel/render/money'
import { renderPage } from '../../../../../core/funnel/render/page'
import { now } from '../../../../lib/clock'
import type { FunnelFiles } from '../files'
import type { FunnelState } from '../model'

interface Drawn {
  state: FunnelState
  page: FunnelPage
  locale: string
  answers: Readonly<Record<string, unknown>>
  look: 'light' | 'dark'
  prices: readonly PackagePrice[]
  files: Pick<FunnelFiles, 'assets' | 'fonts'>
}

/** A page of the draft as the server would draw it, with the files of the project. A file that it lacks is a grey square. */
export function drawPage({ state, page, locale, answers, look, prices, files }: Drawn): string {
  const index = state.pages.indexOf(page)
  const view = {
    name: state.name,
    content: { pages: state.pages, theme: themeIn(state.theme, look), defaultLocale: state.defaultLocale },
    settings: state.settings,
    page,
    locale,
    answers,
    query: {},
    prices,
    progress: state.pages.length < 2 ? 1 : index / (state.pages.length - 1),
    canGoBack: index > 0,
    faults: {},
    form: { action: '#', method: 'get' as const, hidden: {} },
    links: {
      terms: null,
      privacy: null,
      asset: (id: string) => files.assets.get(id) ?? BLANK,
      font: (id: string) => files.fonts.get(id) ?? null,
    },
    nonce: '',
    isPreview: true,
    marksBlocks: true,
  }
  return renderPage(view, new Date(now()).toISOString().slice(0, 10))
}

/** The theme with one set of colours, whatever the browser prefers. */
function themeIn(theme: FunnelTheme, look: 'light' | 'dark'): FunnelTheme {
  const { light, dark } = palettesOf(theme)
  const { dark: _dark, accent: _accent, ...rest } = theme
  return { ...rest, colors: look === 'dark' ? (dark ?? light) : light }
}

/** A grey square. */
const BLANK: ShownAsset = {
  ...{ kind: 'image', width: 640, height: 360, widths: [], alt: {} },
  url: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='640' height='360'%3E%3Crect width='640' height='360' fill='%23a8a29e'/%3E%3C/svg%3E",
}
