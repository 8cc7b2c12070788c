import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/catalogue', () => import('./products/list')],
  ['/catalogue/products/:id', () => import('./products/product')],
  ['/catalogue/access', () => import('./access')],
  ['/catalogue/offerings', () => import('./offerings/list')],
  ['/catalogue/offerings/:id', () => import('./offerings/offering')],
  ['/catalogue/currencies', () => import('./currencies')],
]
