import type { ScreenRoute } from '../../lib/screen'

export const routes: readonly ScreenRoute[] = [
  ['/catalogue', () => import('./products/list'), 'catalogue'],
  ['/catalogue/waiting', () => import('./waiting/waiting'), 'catalogue', 'subscribers'],
  ['/catalogue/products/:id', () => import('./products/product'), 'catalogue'],
  ['/catalogue/access', () => import('./access'), 'catalogue'],
  ['/catalogue/offerings', () => import('./offerings/list'), 'catalogue'],
  ['/catalogue/offerings/:id', () => import('./offerings/offering'), 'catalogue'],
  ['/catalogue/currencies', () => import('./currencies'), 'catalogue'],
]
