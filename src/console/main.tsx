import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { queries } from './api/queries'
import { Toasts } from './kit/toast'
import { inEnvironment, useKeptLocation } from './lib/keep-environment'
import { warm } from './lib/warm'
import { Screens } from './routes'
import { ScreenBoundary } from './shell/screen-boundary'
import { watchServer } from './shell/server-state'
import { setLocale } from './text/catalogue'

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

// The code of the screen is fetched while the person and the project are asked for.
warm(location.pathname)

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Router hook={useKeptLocation} hrefs={inEnvironment}>
          <ScreenBoundary isOutermost>
            <Suspense>
              <Screens />
              <Toasts />
            </Suspense>
          </ScreenBoundary>
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  )
}
