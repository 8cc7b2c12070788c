import type { Texts } from '../catalogue'

export const texts: Texts['growth'] = {
  title: 'growth',
}
