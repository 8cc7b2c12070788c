import type { Texts } from '../catalogue'

export const texts: Texts['charts'] = {
  title: 'charts',
}
