import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { queries } from './api/queries'
import { Exports } from './kit/exports'
import { Toasts } from './kit/toasts'
import { inEnvironment, useKeptLocation } from './lib/keep-environment'
import { FullTimesContext, fullTimes } from './lib/keys'
import { warm } from './lib/warm'
import { Screens } from './routes'
import './shared-parts'
import { readFirst } from './shell/read-first'
import { ScreenBoundary } from './shell/screen-boundary'
import { watchServer } from './shell/server-state'
import { LocaleContext, load, setLocale, useRootLocale } from './text/catalogue'

setLocale(document.documentElement.lang)

watchServer(() => void queries.invalidateQueries())

const hrefOf = ({ target }: Event): string | null =>
  target instanceof Element ? (target.closest('a')?.getAttribute('href') ?? null) : null

for (const kind of ['pointerover', 'focusin']) {
  document.addEventListener(kind, (event) => {
    const href = hrefOf(event)
    if (href?.startsWith('/')) warm(href)
  })
}

// The code of the screen, the person, the project and what the screen reads first are asked for together.
warm(location.pathname)
if (location.pathname.startsWith('/p/')) readFirst(location.pathname + location.search).catch(() => {})

/** Everything, in the language and the way of writing times that the person has chosen. */
const Console = () => (
  <LocaleContext value={useRootLocale()}>
    <FullTimesContext value={fullTimes.use()}>
      <Screens />
      <Exports />
      <Toasts />
    </FullTimesContext>
  </LocaleContext>
)

const root = document.getElementById('root')

const draw = () =>
  root &&
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Router hook={useKeptLocation} hrefs={inEnvironment}>
          <ScreenBoundary isOutermost>
            <Suspense>
              <Console />
            </Suspense>
          </ScreenBoundary>
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  )

// Nothing can be shown without these texts; when they cannot be fetched, the boundary says why.
load('common').then(draw, draw)
